// Figures that are drawn with a drag.

import type { Point, Ring } from "../protocol";

/** Around the first point, through the last one. */
export function circle(path: Point[], least = 0.5): Ring {
  const [centre, edge] = [path[0], path[path.length - 1]];
  const radius = Math.max(Math.hypot(edge[0] - centre[0], edge[1] - centre[1]), least);
  return Array.from({ length: 24 }, (_, n) => {
    const angle = (n / 24) * 2 * Math.PI;
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
  });
}

/** From corner to corner, along the axes, counter-clockwise. */
export function box(path: Point[], least = 0.2): Ring {
  const [a, b] = [path[0], path[path.length - 1]];
  const [left, low] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  const [right, high] = [Math.max(a[0], b[0], left + least), Math.max(a[1], b[1], low + least)];
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ];
}

/** A line with fewer points that is nowhere farther than `off` metres from it (Douglas and Peucker). */
export function simpler(path: Point[], off: number): Point[] {
  if (path.length < 3) return path;
  const [a, b] = [path[0], path[path.length - 1]];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  let [farthest, most] = [0, off];
  for (let n = 1; n < path.length - 1; n++) {
    const [x, y] = [path[n][0] - a[0], path[n][1] - a[1]];
    const away = length > 1e-6 ? Math.abs((b[0] - a[0]) * y - (b[1] - a[1]) * x) / length : Math.hypot(x, y);
    if (away > most) [farthest, most] = [n, away];
  }
  if (!farthest) return [a, b];
  return [...simpler(path.slice(0, farthest + 1), off).slice(0, -1), ...simpler(path.slice(farthest), off)];
}

export function inside(at: Point, ring: Ring): boolean {
  let odd = false;
  for (let n = 0, before = ring.length - 1; n < ring.length; before = n++) {
    const [a, b] = [ring[n], ring[before]];
    if (a[1] > at[1] !== b[1] > at[1] && at[0] < ((b[0] - a[0]) * (at[1] - a[1])) / (b[1] - a[1]) + a[0]) odd = !odd;
  }
  return odd;
}

export function centre(ring: Ring): Point {
  const sum = ring.reduce(([x, y], at) => [x + at[0], y + at[1]], [0, 0]);
  return [sum[0] / ring.length, sum[1] / ring.length];
}

/** How far a point is from a segment. */
export function distance(at: Point, [a, b]: [Point, Point]): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const share = square > 0 ? Math.min(Math.max(((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / square, 0), 1) : 0;
  return Math.hypot(at[0] - a[0] - share * dx, at[1] - a[1] - share * dy);
}
