// The two images of somebody who steers by sight: how fast bearings turn, and how long until what is seen is nearest.

import type { Explanation } from "../protocol";
import { OKABE } from "../scene/colours";
import type { Figure } from "./inspector";
import { shade, type Inks } from "./theme";
import { explain } from "./why_draw";

/** Bearings that turn faster than this, rad/s, are as good as away. */
const FAST = 0.5;
/** Times to interaction beyond this, s, are far away. */
const FAR = 10;

export function drawView(figures: { rate: Figure; tti: Figure }, view: NonNullable<Explanation["view"]>, inks: Inks): void {
  figures.rate.root.hidden = figures.tti.root.hidden = false;
  const harmless = inks.line;
  image(figures.rate, view, inks, (pixel, rate) => (view.collides[pixel] ? OKABE.vermilion : view.tti[pixel] === null ? harmless : shade(Math.abs(rate) / FAST)), view.bearing_rate);
  image(figures.tti, view, inks, (pixel, _) => (view.tti[pixel] === null ? harmless : shade(1 - view.tti[pixel]! / FAR)), view.bearing_rate);
  const colliding = view.collides.filter(Boolean).length;
  const away: [string, string] = ["goes away", harmless];
  const rates: [string, string][] = [["on a collision course", OKABE.vermilion], ["0 rad/s", shade(0)], [`${FAST} and more`, shade(1)], away];
  explain(figures.rate, rates, `Bearing rate over ${view.columns} by ${view.rows} pixels; ${colliding} on a collision course`);
  const { threat } = view;
  const asked = threat ? `turns from ${threat.right.toFixed(2)} to ${threat.left.toFixed(2)} rad/s are ruled out, the soonest is ${threat.soonest.toFixed(1)} s away` : "nothing is on a collision course";
  explain(figures.tti, [["now", shade(1)], [`${FAR} s and more`, shade(0)], away, [asked, "transparent"]], `Time to interaction: ${asked}`);
}

type Colour = (pixel: number, value: number) => string;

/** Pixels come row by row from the horizon down; what is not seen stays paper. */
function image({ canvas }: Figure, { columns, rows }: { columns: number; rows: number }, inks: Inks, colour: Colour, values: (number | null)[]): void {
  canvas.width = columns;
  canvas.height = rows;
  canvas.style.aspectRatio = `${columns} / ${Math.max(rows, columns / 4)}`;
  canvas.style.imageRendering = "pixelated";
  const to = canvas.getContext("2d")!;
  to.fillStyle = inks.paper;
  to.fillRect(0, 0, columns, rows);
  for (let pixel = 0; pixel < columns * rows; pixel++) {
    const value = values[pixel];
    if (value === null || value === undefined) continue;
    to.fillStyle = colour(pixel, value);
    to.fillRect(pixel % columns, Math.floor(pixel / columns), 1, 1);
  }
}
