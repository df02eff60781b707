// The plane of velocities: what others forbid, what was weighed, what was chosen.

import type { Explanation, Point } from "../protocol";
import { OKABE } from "../scene/colours";
import type { Figure } from "./inspector";
import { shade, type Inks } from "./theme";
import { arrow, disc, explain, line, pen } from "./why_draw";

const SIZE = [296, 220];
const MIDDLE: Point = [SIZE[0] / 2, SIZE[1] / 2];

export function drawVelocities(figure: Figure, why: Explanation, inks: Inks): void {
  const to = pen(figure.canvas, SIZE[0], SIZE[1]);
  const most = Math.max(why.me.speed_max, Math.hypot(...why.chosen), Math.hypot(...why.desired), 0.1);
  const scale = (0.46 * SIZE[1]) / most;
  const at = ([x, y]: Point): Point => [MIDDLE[0] + x * scale, MIDDLE[1] - y * scale];

  ground(to, scale, most, inks);
  for (const half of why.lines) halfPlane(to, at, half, why.lines.length, inks);
  sections(to, scale, why);
  const ratings = candidates(to, at, why, inks);
  arrow(to, MIDDLE, at(why.me.velocity), inks.faint, 1.4);
  arrow(to, MIDDLE, at(why.desired), OKABE.orange, 3.5);
  arrow(to, MIDDLE, at(why.chosen), inks.first, 2.5);

  const keys: [string, string][] = [
    ["chosen", inks.first],
    ["desired", OKABE.orange],
    ["now", inks.faint],
  ];
  if (why.lines.length) keys.push([`forbidden by ${why.lines.length} half planes`, OKABE.vermilion]);
  if (ratings) keys.push([`${why.candidates.length} weighed, from ${ratings[0].toFixed(2)}`, shade(0)], [`to ${ratings[1].toFixed(2)}`, shade(1)]);
  if (why.sections.length) {
    const costs = why.sections.map(({ cost }) => cost);
    keys.push([`${why.sections.length} directions, cost ${Math.min(...costs).toFixed(2)}`, shade(0)], [`to ${Math.max(...costs).toFixed(2)}`, shade(1)]);
  }
  const weighed = `${why.lines.length} half planes, ${why.candidates.length} velocities, ${why.sections.length} directions`;
  explain(figure, keys, `Plane of velocities up to ${most.toFixed(1)} m/s: ${weighed}`);
}

/** Rings for every half m/s, and the fastest that the person can go. */
function ground(to: CanvasRenderingContext2D, scale: number, most: number, inks: Inks): void {
  line(to, [0, MIDDLE[1]], [SIZE[0], MIDDLE[1]], inks.line, 1);
  line(to, [MIDDLE[0], 0], [MIDDLE[0], SIZE[1]], inks.line, 1);
  const step = most > 4 ? 1 : 0.5;
  to.fillStyle = inks.faint;
  to.textAlign = "left";
  for (let speed = step; speed < 1.5 * most; speed += step) {
    disc(to, MIDDLE, speed * scale, null, inks.line);
    to.fillText(`${speed}`, MIDDLE[0] + 3, MIDDLE[1] + speed * scale - 3);
  }
  disc(to, MIDDLE, most * scale, null, inks.faint);
}

/** What is left of a line is allowed; the other side is shaded. */
function halfPlane(to: CanvasRenderingContext2D, at: (v: Point) => Point, { point, direction: [ux, uy], of }: Explanation["lines"][number], count: number, inks: Inks): void {
  const far = 20;
  const corner = (along: number, right: number) => at([point[0] + along * ux + right * uy, point[1] + along * uy - right * ux]);
  const colour = of === null ? inks.faint : OKABE.vermilion;
  to.globalAlpha = Math.min(Math.max(0.8 / count, 0.05), 0.2);
  to.fillStyle = colour;
  to.beginPath();
  for (const [along, right] of [[-far, 0], [far, 0], [far, far], [-far, far]]) to.lineTo(...corner(along, right));
  to.fill();
  to.globalAlpha = 1;
  line(to, corner(-far, 0), corner(far, 0), colour, 1.3);
}

/** A rim of colour: what each direction costs. Inside, speeds between passing behind somebody and passing in front. */
function sections(to: CanvasRenderingContext2D, scale: number, why: Explanation): void {
  const costs = why.sections.map(({ cost }) => cost);
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  const most = why.me.speed_max;
  for (const { from, to: until, behind, before, cost } of why.sections) {
    const wedge = (inner: number, outer: number, colour: string) => {
      to.fillStyle = colour;
      to.beginPath();
      to.arc(...MIDDLE, outer * scale, -from, -until, true);
      to.arc(...MIDDLE, inner * scale, -until, -from);
      to.fill();
    };
    wedge(0.94 * most, most, shade((cost - low) / Math.max(high - low, 1e-9)));
    // Nobody is there where passing behind is possible at any speed.
    const [slow, fast] = [Math.max(behind ?? Infinity, 0), Math.min(before ?? Infinity, 0.94 * most)];
    if (slow < fast) wedge(slow, fast, `${OKABE.vermilion}59`);
  }
}

/** Velocities as dots, coloured by rating; gives the lowest and the highest. */
function candidates(to: CanvasRenderingContext2D, at: (v: Point) => Point, { candidates: all }: Explanation, inks: Inks): [number, number] | null {
  const ratings = all.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  if (!ratings.length) return null;
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  for (const { velocity, rating, what } of all) {
    disc(to, at(velocity), all.length > 24 ? 3 : 5, shade(((rating ?? high) - low) / Math.max(high - low, 1e-9)), inks.paper);
    if (all.length > 12) continue;
    const [x, y] = at(velocity);
    to.fillStyle = inks.text;
    to.textAlign = x > MIDDLE[0] + 40 ? "right" : "left";
    to.fillText(what, x + (to.textAlign === "right" ? -8 : 8), y + 4);
  }
  return [low, high];
}
