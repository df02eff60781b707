// Everything that stands: walls around the floor, cut low so that one sees inside, blocks where nobody walks, furniture. Corners near
// the ground are darker, as in a room lit by the sky: that is most of what makes a model look built.

import { DoubleSide, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial } from "three";
import type { Place, Point, Ring } from "../protocol";
import type { Theme } from "./colours";
import { turn } from "../world";
import { counterClockwise, distance, doubleArea, inside, mitre, perimeter, Triangles } from "./shapes";

const WALL_HEIGHT = 1.1;
const WALL_WIDTH = 0.18;
/** How far onto the floor a wall's darkness reaches. */
const SHADE_REACH = 0.55;

export class Walls {
  readonly group = new Group();
  private materials = {
    wall: solidMaterial(),
    block: solidMaterial(),
    furniture: solidMaterial(),
    shade: new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide }),
  };

  build(place: Place, put: Ring[]): void {
    for (const mesh of this.group.children.splice(0)) (mesh as Mesh).geometry.dispose();
    const solids = { wall: new Triangles(), block: new Triangles(), furniture: new Triangles() };
    const shade = new Triangles();
    const outers = place.areas.map((rings) => counterClockwise(rings[0]));
    place.areas.forEach((rings, i) => {
      for (const piece of freeEdges(outers[i], place.areas, i)) {
        wall(piece, solids.wall);
        shadeBeside(piece.a, piece.b, 1, shade);
      }
      for (const hole of rings.slice(1)) {
        const ring = counterClockwise(hole);
        if (outers.some((other, j) => j !== i && inside(ring, other[0]))) continue;
        stand(ring, solids, shade);
      }
    });
    for (const ring of [...place.obstacles, ...put]) stand(counterClockwise(ring), solids, shade);
    for (const [name, triangles] of Object.entries(solids)) {
      if (triangles.empty) continue;
      const mesh = new Mesh(triangles.build(), this.materials[name as keyof typeof solids]);
      mesh.castShadow = mesh.receiveShadow = true;
      this.group.add(mesh);
    }
    if (!shade.empty) {
      const mesh = new Mesh(shade.build(), this.materials.shade);
      mesh.renderOrder = 1;
      this.group.add(mesh);
    }
  }

  setTheme(theme: Theme): void {
    this.materials.wall.color.set(theme.wall);
    this.materials.block.color.set(theme.block);
    this.materials.furniture.color.set(theme.furniture);
    this.materials.shade.opacity = theme.shade;
  }
}

/** Puts what fits an obstacle's shape: a cut wall where it is thin, a table where it is small and long, else a pillar or a block. */
function stand(ring: Ring, solids: Record<"wall" | "block" | "furniture", Triangles>, shade: Triangles): void {
  const area = doubleArea(ring) / 2;
  const around = perimeter(ring);
  if (area < 1e-4) return;
  const thickness = (2 * area) / around;
  const roundness = (4 * Math.PI * area) / around ** 2;
  if (thickness < 0.3 && roundness < 0.5) prism(ring, WALL_HEIGHT, solids.wall);
  else if (area < 7 && roundness < 0.7) prism(ring, 0.76, solids.furniture);
  else if (area < 0.12) prism(ring, 1, solids.block);
  else prism(ring, area < 7 ? 2.5 : 2.8, solids.block);
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length];
    shadeBeside(b, a, 1, shade);
    shadeCorner(a, ring[(i + ring.length - 1) % ring.length], b, shade);
  });
}

/** Both sides cast shadows: cut at the back alone, a shadow would begin a hand's width beside its wall. */
export function solidMaterial(): MeshLambertMaterial {
  return new MeshLambertMaterial({ vertexColors: true, shadowSide: DoubleSide });
}

const DARK = [0.66, 0.64, 0.64];
const GREY = [0.9, 0.9, 0.9];
const FULL = [1, 1, 1];

/** A block on a ring. */
export function prism(ring: Ring, height: number, solid: Triangles): void {
  const knee = Math.min(0.7, 0.5 * height);
  const count = ring.length;
  const bends = ring.map((at, i) => outwards(ring[(i + count - 1) % count], at, ring[(i + 1) % count]));
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % count];
    solid.upright(a, b, 0, knee, DARK, GREY, bends[i], bends[(i + 1) % count]);
    solid.upright(a, b, knee, height, GREY, FULL, bends[i], bends[(i + 1) % count]);
  });
  solid.flat([ring], height, FULL);
}

/** Where a corner faces if it is one of something round; null where it is an edge. */
function outwards(a: Point, b: Point, c: Point): number[] | null {
  const bend = turn(Math.atan2(b[1] - a[1], b[0] - a[0]), Math.atan2(c[1] - b[1], c[0] - b[0]));
  if (Math.abs(bend) > 0.8) return null;
  const [x, y] = mitre(a, b, c);
  const length = Math.hypot(x, y);
  return [-x / length, -y / length, 0];
}

/** A piece of a floor's edge, with how its ends go on into the next wall. */
interface Edge {
  a: Point;
  b: Point;
  /** Outwards at both ends, as long as a wall is wide. */
  outA: Point;
  outB: Point;
  endA: boolean;
  endB: boolean;
}

function wall({ a, b, outA, outB, endA, endB }: Edge, solid: Triangles): void {
  const [c, d]: [Point, Point] = [[b[0] + outB[0], b[1] + outB[1]], [a[0] + outA[0], a[1] + outA[1]]];
  const knee = 0.5 * WALL_HEIGHT;
  const side = (from: Point, to: Point) => {
    solid.upright(from, to, -0.05, knee, DARK, GREY);
    solid.upright(from, to, knee, WALL_HEIGHT, GREY, FULL);
  };
  side(b, a);
  side(d, c);
  if (endB) side(c, b);
  if (endA) side(a, d);
  solid.quad(b, a, d, c, WALL_HEIGHT, FULL, FULL);
}

/** The edges of a floor that no other floor adjoins: people walk through the others. */
function freeEdges(ring: Ring, areas: Ring[][], own: number): Edge[] {
  const edges: Edge[] = [];
  ring.forEach((a, i) => {
    const before = ring[(i + ring.length - 1) % ring.length];
    const b = ring[(i + 1) % ring.length];
    const after = ring[(i + 2) % ring.length];
    const length = distance(a, b);
    if (length < 1e-6) return;
    const right: Point = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
    const scaled = (left: Point): Point => [-left[0] * WALL_WIDTH, -left[1] * WALL_WIDTH];
    const straight: Point = [right[0] * WALL_WIDTH, right[1] * WALL_WIDTH];
    const at = (share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    const cuts = [0, ...crossings(a, b, areas, own), 1].sort((one, other) => one - other);
    for (let k = 0; k + 1 < cuts.length; k++) {
      const [from, to] = [cuts[k], cuts[k + 1]];
      if ((to - from) * length < 1e-4) continue;
      const middle = at((from + to) / 2);
      const outside: Point = [middle[0] + right[0] * 0.02, middle[1] + right[1] * 0.02];
      if (areas.some((rings, other) => other !== own && inside(rings[0], outside) && !rings.slice(1).some((hole) => inside(hole, outside)))) continue;
      edges.push({
        a: at(from),
        b: at(to),
        outA: from === 0 ? scaled(mitre(before, a, b)) : straight,
        outB: to === 1 ? scaled(mitre(a, b, after)) : straight,
        endA: from > 0,
        endB: to < 1,
      });
    }
  });
  return edges;
}

/** Shares of the way from a to b where edges of other areas meet it. */
function crossings(a: Point, b: Point, areas: Ring[][], own: number): number[] {
  const shares: number[] = [];
  const way: Point = [b[0] - a[0], b[1] - a[1]];
  const square = way[0] ** 2 + way[1] ** 2;
  areas.forEach((rings, other) => {
    if (other === own) return;
    for (const ring of rings) {
      for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
        const [c, d] = [ring[before], ring[i]];
        // Ends that lie on the way; where floors adjoin, edges run along each other and only these tell.
        for (const end of [c, d]) {
          const share = ((end[0] - a[0]) * way[0] + (end[1] - a[1]) * way[1]) / square;
          const off = Math.hypot(end[0] - a[0] - way[0] * share, end[1] - a[1] - way[1] * share);
          if (off < 0.02 && share > 0 && share < 1) shares.push(share);
        }
        const cross = way[0] * (d[1] - c[1]) - way[1] * (d[0] - c[0]);
        if (Math.abs(cross) < 1e-9) continue;
        const share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / cross;
        const along = ((c[0] - a[0]) * way[1] - (c[1] - a[1]) * way[0]) / cross;
        if (share > 0 && share < 1 && along >= 0 && along <= 1) shares.push(share);
      }
    }
  });
  return shares;
}

const SHADED = [0.05, 0.03, 0.02, 0.55];
const CLEAR = [0.05, 0.03, 0.02, 0];

/** Darkens the floor to the left of the way from a to b. */
function shadeBeside(a: Point, b: Point, strength: number, shade: Triangles): void {
  const length = distance(a, b) || 1;
  const out: Point = [(-(b[1] - a[1]) / length) * SHADE_REACH, ((b[0] - a[0]) / length) * SHADE_REACH];
  const near = [...SHADED.slice(0, 3), SHADED[3] * strength];
  // Two strips: darkness falls off faster than a line.
  const [half, full] = [0.35, 1];
  const mid = [...SHADED.slice(0, 3), near[3] * 0.3];
  const off = (at: Point, share: number): Point => [at[0] + out[0] * share, at[1] + out[1] * share];
  shade.quad(a, b, off(b, half), off(a, half), 0.004, near, mid);
  shade.quad(off(a, half), off(b, half), off(b, full), off(a, full), 0.004, mid, CLEAR);
}

/** Rounds the darkness about a corner that sticks out. */
function shadeCorner(at: Point, before: Point, after: Point, shade: Triangles): void {
  const from = Math.atan2(-(at[0] - before[0]), at[1] - before[1]);
  let to = Math.atan2(-(after[0] - at[0]), after[1] - at[1]);
  if (to < from) to += 2 * Math.PI;
  if (to - from > Math.PI) return;
  const steps = Math.max(1, Math.ceil((to - from) / 0.5));
  const mid = [...SHADED.slice(0, 3), SHADED[3] * 0.3];
  const rim = (share: number, angle: number): Point => [at[0] + Math.cos(angle) * SHADE_REACH * share, at[1] + Math.sin(angle) * SHADE_REACH * share];
  for (let i = 0; i < steps; i++) {
    const [one, other] = [from + ((to - from) * i) / steps, from + ((to - from) * (i + 1)) / steps];
    shade.quad(at, at, rim(0.35, other), rim(0.35, one), 0.004, SHADED, mid);
    shade.quad(rim(0.35, one), rim(0.35, other), rim(1, other), rim(1, one), 0.004, mid, CLEAR);
  }
}
