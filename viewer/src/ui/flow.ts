// Flow through a line: how many have crossed it, and how many a second do of late.

import type { Frame } from "../../../crates/server/page/frames.js";
import type { Point } from "../protocol";
import { crossings } from "./measures";

/** Seconds over which a rate is taken: at most, and at least. */
const WINDOW = 5;
const LEAST = 1;

export class Flow {
  /** To the line's left, and to its right. */
  total: [number, number] = [0, 0];
  private crossed: { time: number; left: number; right: number }[] = [];
  /** Since when nobody can have been missed, s. */
  private since = 0;
  private tick: number | null = null;

  clear(): void {
    this.total = [0, 0];
    this.crossed = [];
    this.tick = null;
  }

  /** Counts who crosses between two frames; gives people a second to the left and to the right, as soon as there is a rate to speak of. */
  count(previous: Frame | null, frame: Frame, line: [Point, Point], seconds: (tick: number) => number): [number, number] | null {
    const time = seconds(frame.tick);
    // What comes again after going back would be counted twice.
    if (this.tick !== null && frame.tick < this.tick) this.clear();
    if (!previous || this.tick !== previous.tick) {
      if (this.tick === frame.tick) return this.rates(time);
      this.crossed = [];
      this.since = previous ? seconds(previous.tick) : time;
    }
    this.tick = frame.tick;
    if (!previous) return null;
    const [left, right] = crossings(previous, frame, line);
    this.total = [this.total[0] + left, this.total[1] + right];
    this.crossed.push({ time, left, right });
    this.crossed = this.crossed.filter((one) => one.time > time - WINDOW);
    return this.rates(time);
  }

  private rates(time: number): [number, number] | null {
    const passed = Math.min(time - this.since, WINDOW);
    const sum = (side: "left" | "right") => this.crossed.reduce((sum, one) => sum + one[side], 0);
    return passed < LEAST - 1e-6 ? null : [sum("left") / passed, sum("right") / passed];
  }
}
