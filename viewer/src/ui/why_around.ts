// Where somebody is: the people and walls they see, where they would go and where they go, and what pushes them.

import type { Explanation, Point } from "../protocol";
import { nameOf } from "./names";
import { OKABE } from "../scene/colours";
import type { Figure } from "./inspector";
import { type Inks } from "./theme";
import { arrow, disc, explain, line, pen, type Key } from "./why_draw";

const WIDTH = 296;
const HEIGHT = 200;
/** Metres across the picture, at the least and the most. */
const SPAN = [6, 20];

export function drawAround(figure: Figure, why: Explanation, goal: Point | null, inks: Inks): void {
  const to = pen(figure.canvas, WIDTH, HEIGHT);
  const { position, velocity, radius, heading } = why.me;
  const away = (at: Point) => Math.hypot(at[0] - position[0], at[1] - position[1]);
  // The nearest dozen should fit.
  const near = why.seen.map((other) => away(other.position)).sort((a, b) => a - b)[Math.min(11, why.seen.length - 1)] ?? 3;
  const scale = HEIGHT / Math.min(Math.max(2.3 * near, SPAN[0]), SPAN[1]);
  const at = ([x, y]: Point): Point => [WIDTH / 2 + (x - position[0]) * scale, HEIGHT / 2 - (y - position[1]) * scale];
  const tip = (v: Point): Point => at([position[0] + v[0], position[1] + v[1]]);

  rings(to, scale, inks);
  for (const wall of why.walls) line(to, at(wall[0]), at(wall[1]), inks.text, 2);
  for (const other of why.seen) {
    const place = at(other.position);
    disc(to, place, other.radius * scale, `${inks.others}55`, inks.others);
    arrow(to, place, at([other.position[0] + other.velocity[0], other.position[1] + other.velocity[1]]), inks.faint, 1.2);
    if (scale > 24) {
      to.fillStyle = inks.text;
      to.textAlign = "center";
      to.fillText(nameOf(other.id), place[0], place[1] + 4);
    }
  }
  if (goal) {
    // The goal is mostly far outside: a dashed line leaves the picture towards it.
    to.setLineDash([2, 5]);
    line(to, at(position), at(goal), OKABE.purple, 1.5);
    to.setLineDash([]);
  }
  disc(to, at(position), radius * scale, inks.paper, inks.text);
  const nose: Point = [position[0] + radius * Math.cos(heading), position[1] + radius * Math.sin(heading)];
  line(to, at(position), at(nose), inks.text, 2);
  const pushes = why.forces.filter(({ vector }) => Math.hypot(...vector) > 0.02);
  for (const { vector } of pushes) arrow(to, at(position), tip(vector), OKABE.purple, 1.4);
  arrow(to, at(position), tip(velocity), inks.faint, 1.4);
  arrow(to, at(position), tip(why.desired), OKABE.orange, 3.5);
  arrow(to, at(position), tip(why.chosen), inks.first, 2.5);
  const speed = (v: Point) => `${Math.hypot(...v).toFixed(2)} m/s`;
  const keys: Key[] = [
    [`chosen ${speed(why.chosen)}`, inks.first],
    [`desired ${speed(why.desired)}`, OKABE.orange],
    ["seen", inks.others, "disc"],
  ];
  if (pushes.length) keys.push([`${pushes.length} force${pushes.length > 1 ? "s" : ""}`, OKABE.purple]);
  explain(figure, keys, `Sees ${why.seen.length} people and ${why.walls.length} walls, would walk at ${speed(why.desired)}, chose ${speed(why.chosen)}`);
}

/** A ring for every 2 m. */
function rings(to: CanvasRenderingContext2D, scale: number, inks: Inks): void {
  to.fillStyle = inks.faint;
  to.textAlign = "left";
  for (let metres = 2; metres * scale < WIDTH / 2; metres += 2) {
    disc(to, [WIDTH / 2, HEIGHT / 2], metres * scale, null, inks.line);
    if (metres * scale < HEIGHT / 2) to.fillText(`${metres} m`, WIDTH / 2 + 3, HEIGHT / 2 + metres * scale - 3);
  }
}
