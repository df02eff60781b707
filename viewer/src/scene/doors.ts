// Doors: a frame and a sill, and a panel while they are closed.

import { Group, Mesh, MeshBasicMaterial } from "three";
import type { Place, Point, Ring } from "../protocol";
import { OKABE, type Theme } from "./colours";
import { counterClockwise, distance, Triangles } from "./shapes";
import { prism, solidMaterial } from "./walls";

const FRAME_HEIGHT = 2.15;
const PANEL_HEIGHT = 2.05;

export class Doors {
  readonly group = new Group();
  private frame = solidMaterial();
  private panel = solidMaterial();
  private sill = new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, opacity: 0.75 });

  build(doors: Place["doors"]): void {
    for (const mesh of this.group.children.splice(0)) (mesh as Mesh).geometry.dispose();
    const [frames, panels, sills] = [new Triangles(), new Triangles(), new Triangles()];
    for (const { line: [a, b], open } of doors) {
      const length = distance(a, b);
      if (length < 1e-3) continue;
      const along: Point = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
      post(a, along, frames);
      post(b, along, frames);
      lintel(a, b, along, frames);
      // Blue and orange are told apart by everybody.
      sills.ribbon([a, b], false, 0.24, 0.012, [...linear(open ? OKABE.blue : OKABE.vermilion), 1]);
      if (!open) prism(bar(a, b, along, 0.05), PANEL_HEIGHT, panels);
    }
    for (const [triangles, material] of [[frames, this.frame], [panels, this.panel], [sills, this.sill]] as const) {
      if (triangles.empty) continue;
      const mesh = new Mesh(triangles.build(), material);
      mesh.castShadow = mesh.receiveShadow = material !== this.sill;
      mesh.renderOrder = material === this.sill ? 2 : 0;
      this.group.add(mesh);
    }
  }

  setTheme(theme: Theme): void {
    this.frame.color.set(theme.wall);
    this.panel.color.set(theme.door);
  }
}

/** A hexadecimal colour as shaders want it. */
function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
}

/** The outline of a bar from a to b. */
function bar(a: Point, b: Point, along: Point, half: number): Ring {
  const across: Point = [-along[1] * half, along[0] * half];
  const corner = (at: Point, sign: number): Point => [at[0] + across[0] * sign, at[1] + across[1] * sign];
  return counterClockwise([corner(a, -1), corner(b, -1), corner(b, 1), corner(a, 1)]);
}

function post(at: Point, along: Point, solid: Triangles): void {
  const half = 0.07;
  prism(bar([at[0] - along[0] * half, at[1] - along[1] * half], [at[0] + along[0] * half, at[1] + along[1] * half], along, 0.1), FRAME_HEIGHT, solid);
}

function lintel(a: Point, b: Point, along: Point, solid: Triangles): void {
  const ring = bar(a, b, along, 0.1);
  const white = [1, 1, 1];
  ring.forEach((from, i) => solid.upright(from, ring[(i + 1) % 4], PANEL_HEIGHT, FRAME_HEIGHT, white, white));
  solid.flat([ring], FRAME_HEIGHT, white);
}
