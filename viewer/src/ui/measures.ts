// What is measured on the people in a frame: how many, how fast, how dense, and who crosses a line.

import type { Frame } from "../../../crates/server/page/frames.js";
import type { Point, Ring } from "../protocol";
import { inside } from "./shapes";

/** Everybody's speed, m/s, by rows of the frame; NaN for newcomers. */
export function speeds(previous: Frame | null, frame: Frame, seconds: number): Float32Array {
  const found = new Float32Array(frame.count).fill(NaN);
  if (!previous) return found;
  forPairs(previous, frame, (from, row) => {
    found[row] = Math.hypot(frame.x[row] - previous.x[from], frame.y[row] - previous.y[from]) / seconds;
  });
  return found;
}

/** How many have crossed a line from its right to its left, and from its left to its right. */
export function crossings(previous: Frame, frame: Frame, [a, b]: [Point, Point]): [number, number] {
  const across: [number, number] = [0, 0];
  const side = (x: number, y: number) => (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  forPairs(previous, frame, (from, row) => {
    const [x0, y0, x1, y1] = [previous.x[from], previous.y[from], frame.x[row], frame.y[row]];
    const [before, after] = [side(x0, y0), side(x1, y1)];
    if (before > 0 === after > 0) return;
    // The way crosses the endless line; it has to cross it between its ends.
    const share = before / (before - after);
    const [x, y] = [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
    const along = (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]);
    if (along < 0 || along > (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) return;
    across[after > 0 ? 0 : 1]++;
  });
  return across;
}

/** People for each square metre of a box. */
export function densityIn(frame: Frame, ring: Ring): number {
  let count = 0;
  for (let row = 0; row < frame.count; row++) if (inside([frame.x[row], frame.y[row]], ring)) count++;
  const [[left, low], , [right, high]] = ring;
  return count / Math.max((right - left) * (high - low), 1e-6);
}

/** How many there are in each step of `width` m/s; the last one takes all that are faster. */
export function histogram(speed: Float32Array, width: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const one of speed) if (!Number.isNaN(one)) counts[Math.min(Math.floor(one / width), bins - 1)]++;
  return counts;
}

/** Local density around some of the people, by counting within `reach`, and their speed. */
export function fundamental(frame: Frame, speed: Float32Array, reach: number, most: number, tell: (density: number, speed: number) => void): void {
  const cell = (x: number, y: number) => Math.floor(x / reach) * 73856093 + Math.floor(y / reach);
  const cells = new Map<number, number[]>();
  for (let row = 0; row < frame.count; row++) {
    const key = cell(frame.x[row], frame.y[row]);
    const rows = cells.get(key);
    if (rows) rows.push(row);
    else cells.set(key, [row]);
  }
  const every = Math.max(Math.floor(frame.count / most), 1);
  for (let row = frame.tick % every; row < frame.count; row += every) {
    if (Number.isNaN(speed[row])) continue;
    let count = 0;
    for (const dx of [-reach, 0, reach]) {
      for (const dy of [-reach, 0, reach]) {
        for (const other of cells.get(cell(frame.x[row] + dx, frame.y[row] + dy)) ?? []) {
          if (Math.hypot(frame.x[other] - frame.x[row], frame.y[other] - frame.y[row]) <= reach) count++;
        }
      }
    }
    tell(count / (Math.PI * reach * reach), speed[row]);
  }
}

/** Calls `act` with the rows of everybody who is in both frames; both are in the order of ids. */
function forPairs(previous: Frame, frame: Frame, act: (from: number, row: number) => void): void {
  let from = 0;
  for (let row = 0; row < frame.count; row++) {
    while (from < previous.count && previous.ids[from] < frame.ids[row]) from++;
    if (from < previous.count && previous.ids[from] === frame.ids[row]) act(from, row);
  }
}
