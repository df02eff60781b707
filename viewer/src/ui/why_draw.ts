// Small pictures on canvases: sharp on any screen, with arrows and a legend.

import type { Point } from "../protocol";
import { el, fill } from "./dom";
import type { Figure } from "./inspector";

/** Makes a canvas as sharp as the screen and gives its pen, in CSS pixels. */
export function pen(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const times = Math.min(window.devicePixelRatio || 1, 2);
  if (canvas.width !== width * times || canvas.height !== height * times) {
    canvas.width = width * times;
    canvas.height = height * times;
    canvas.style.aspectRatio = `${width} / ${height}`;
  }
  const to = canvas.getContext("2d")!;
  to.setTransform(times, 0, 0, times, 0, 0);
  to.clearRect(0, 0, width, height);
  to.font = "11px system-ui, sans-serif";
  to.lineCap = to.lineJoin = "round";
  return to;
}

export function line(to: CanvasRenderingContext2D, a: Point, b: Point, colour: string, width: number): void {
  to.strokeStyle = colour;
  to.lineWidth = width;
  to.beginPath();
  to.moveTo(...a);
  to.lineTo(...b);
  to.stroke();
}

export function disc(to: CanvasRenderingContext2D, [x, y]: Point, radius: number, fillStyle: string | null, stroke?: string): void {
  to.beginPath();
  to.arc(x, y, Math.max(radius, 0.5), 0, 2 * Math.PI);
  if (fillStyle) (to.fillStyle = fillStyle), to.fill();
  if (stroke) (to.strokeStyle = stroke), (to.lineWidth = 1), to.stroke();
}

/** An arrow; too short for a head it is a dot. */
export function arrow(to: CanvasRenderingContext2D, from: Point, tip: Point, colour: string, width: number): void {
  const [dx, dy] = [tip[0] - from[0], tip[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const head = Math.min(3 + 2 * width, 0.6 * length);
  if (length < 2) return disc(to, from, width, colour);
  const [ux, uy] = [dx / length, dy / length];
  const neck: Point = [tip[0] - head * ux, tip[1] - head * uy];
  line(to, from, neck, colour, width);
  to.fillStyle = colour;
  to.beginPath();
  to.moveTo(...tip);
  to.lineTo(neck[0] - 0.5 * head * uy, neck[1] + 0.5 * head * ux);
  to.lineTo(neck[0] + 0.5 * head * uy, neck[1] - 0.5 * head * ux);
  to.fill();
}

/** A name, its colour, and what has it if it is no line or area. */
export type Key = [name: string, colour: string, shape?: "disc"];

/** Says what the colours are, and in words what the picture shows. */
export function explain(figure: Figure, keys: Key[], words: string): void {
  const said = keys.map(([name, colour, shape]) => el("span", { class: "key" }, el("span", { class: `swatch ${shape ?? ""}`, style: `background:${colour}` }), name));
  // Drawn many times a second; the same again would only disturb.
  const text = keys.flat().join();
  if (figure.legend.dataset.keys !== text) {
    figure.legend.dataset.keys = text;
    fill(figure.legend, ...said);
  }
  figure.canvas.setAttribute("aria-label", words);
}
