// Polygons and the surfaces that are made of them.

import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from "three";
import type { Point, Ring } from "../protocol";

/** Twice the area inside a ring; positive when it runs counter-clockwise. */
export function doubleArea(ring: Ring): number {
  let sum = 0;
  for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
    sum += ring[before][0] * ring[i][1] - ring[i][0] * ring[before][1];
  }
  return sum;
}

/** The ring counter-clockwise, without a last point that repeats the first. */
export function counterClockwise(ring: Ring): Ring {
  const [first, last] = [ring[0], ring[ring.length - 1]];
  const open = ring.length > 1 && first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring;
  return doubleArea(open) < 0 ? [...open].reverse() : open;
}

export function perimeter(ring: Ring): number {
  return ring.reduce((sum, at, i) => sum + distance(at, ring[(i + 1) % ring.length]), 0);
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

export function inside(ring: Ring, at: Point): boolean {
  let odd = false;
  for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
    const [[ax, ay], [bx, by]] = [ring[i], ring[before]];
    if (ay > at[1] !== by > at[1] && at[0] < ((bx - ax) * (at[1] - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

export interface Bounds {
  low: Point;
  high: Point;
  centre: Point;
  /** From the centre to a corner. */
  radius: number;
}

export function bounds(rings: Ring[]): Bounds {
  const low: Point = [Infinity, Infinity];
  const high: Point = [-Infinity, -Infinity];
  for (const ring of rings) {
    for (const at of ring) {
      for (const axis of [0, 1]) {
        low[axis] = Math.min(low[axis], at[axis]);
        high[axis] = Math.max(high[axis], at[axis]);
      }
    }
  }
  if (low[0] > high[0]) return { low: [-5, -5], high: [5, 5], centre: [0, 0], radius: 7 };
  return { low, high, centre: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], radius: Math.hypot(high[0] - low[0], high[1] - low[1]) / 2 };
}

/** The middle of a ring's area, for its name. */
export function middle(ring: Ring): Point {
  const area = doubleArea(ring);
  if (Math.abs(area) < 1e-9) return ring[0];
  let [x, y] = [0, 0];
  for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
    const cross = ring[before][0] * ring[i][1] - ring[i][0] * ring[before][1];
    x += (ring[before][0] + ring[i][0]) * cross;
    y += (ring[before][1] + ring[i][1]) * cross;
  }
  return [x / (3 * area), y / (3 * area)];
}

/** Triangles that grow into one geometry: positions, normals, and a colour with opacity for each corner. */
export class Triangles {
  private positions: number[] = [];
  private normals: number[] = [];
  private colours: number[] = [];

  get empty(): boolean {
    return this.positions.length === 0;
  }

  corner(x: number, y: number, z: number, normal: readonly number[], colour: readonly number[]): void {
    this.positions.push(x, y, z);
    this.normals.push(normal[0], normal[1], normal[2]);
    this.colours.push(colour[0], colour[1], colour[2], colour[3] ?? 1);
  }

  /** Upright between two points of the ground; seen from its right, walking from a to b. What is round says where it faces at its ends. */
  upright(
    a: Point, b: Point, low: number, high: number,
    colourLow: readonly number[], colourHigh: readonly number[],
    facingA: readonly number[] | null = null, facingB: readonly number[] | null = null,
  ): void {
    const length = distance(a, b) || 1;
    const normal = [(b[1] - a[1]) / length, (a[0] - b[0]) / length, 0];
    const [atA, atB] = [facingA ?? normal, facingB ?? normal];
    this.corner(a[0], a[1], low, atA, colourLow);
    this.corner(b[0], b[1], low, atB, colourLow);
    this.corner(b[0], b[1], high, atB, colourHigh);
    this.corner(a[0], a[1], low, atA, colourLow);
    this.corner(b[0], b[1], high, atB, colourHigh);
    this.corner(a[0], a[1], high, atA, colourHigh);
  }

  /** A flat polygon, an outer ring and its holes, seen from above. */
  flat(rings: Ring[], z: number, colour: readonly number[]): void {
    const outer = counterClockwise(rings[0]);
    const holes = rings.slice(1).map((ring) => counterClockwise(ring).toReversed());
    const vectors = (ring: Ring) => ring.map(([x, y]) => new Vector2(x, y));
    const points = [outer, ...holes].flat();
    for (const triangle of ShapeUtils.triangulateShape(vectors(outer), holes.map(vectors))) {
      const [a, b, c] = triangle.map((i) => points[i]);
      const turned = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0;
      for (const [x, y] of turned ? [a, c, b] : [a, b, c]) this.corner(x, y, z, UP, colour);
    }
  }

  /** Four corners on the ground, counter-clockwise; colours of the first and last two. */
  quad(a: Point, b: Point, c: Point, d: Point, z: number, first: readonly number[], last: readonly number[]): void {
    for (const [[x, y], colour] of [[a, first], [b, first], [c, last], [a, first], [c, last], [d, last]] as const) {
      this.corner(x, y, z, UP, colour);
    }
  }

  /** A line of some width on the ground, with mitred bends. */
  ribbon(points: Point[], closed: boolean, width: number, z: number, colour: readonly number[]): void {
    const line = points.filter((at, i) => i === 0 || distance(at, points[i - 1]) > 1e-6);
    if (closed && line.length > 1 && distance(line[0], line[line.length - 1]) < 1e-6) line.pop();
    const count = line.length;
    if (count < 2) return;
    const sides = line.map((at, i) => {
      const across = mitre(i > 0 || closed ? line[(i + count - 1) % count] : null, at, i < count - 1 || closed ? line[(i + 1) % count] : null);
      const half = width / 2;
      return [[at[0] - across[0] * half, at[1] - across[1] * half], [at[0] + across[0] * half, at[1] + across[1] * half]] as [Point, Point];
    });
    for (let i = 0; i < (closed ? count : count - 1); i++) {
      const [[a, d], [b, c]] = [sides[i], sides[(i + 1) % count]];
      this.quad(b, c, d, a, z, colour, colour);
    }
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.colours), 4));
    return geometry;
  }
}

const UP = [0, 0, 1];

/** To the left of the way from a over b to c, so long that a line of constant width bends there. */
export function mitre(a: Point | null, b: Point, c: Point | null): Point {
  const left = (from: Point, to: Point): Point => {
    const length = distance(from, to) || 1;
    return [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  };
  if (!a && !c) return [0, 1];
  const before = left(a ?? b, a ? b : c!);
  const after = left(c ? b : a!, c ?? b);
  const sum: Point = [before[0] + after[0], before[1] + after[1]];
  // Half the square of its length is 1 plus the cosine; sharp bends are cut at three times the width.
  const stretch = 2 / Math.max(sum[0] ** 2 + sum[1] ** 2, 0.45);
  return [sum[0] * stretch, sum[1] * stretch];
}
