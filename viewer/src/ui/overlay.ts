// Lines and boxes that somebody measures with, kept over the picture while the camera moves.

import type { Point } from "../protocol";
import type { Stage } from "../stage";

export class Overlay {
  private readonly marks = new Map<string, { points: Point[]; shape: SVGPathElement; label: SVGTextElement }>();

  constructor(
    private root: SVGSVGElement,
    private stage: Stage,
  ) {}

  /** Puts a figure where one of that name was. */
  mark(name: string, points: Point[], words: string): void {
    const old = this.marks.get(name);
    const shape = old?.shape ?? part("path", `mark-${name}`);
    const label = old?.label ?? part("text", "mark-label");
    label.textContent = words;
    this.root.append(shape, label);
    this.marks.set(name, { points, shape, label });
  }

  /** Follows the camera. */
  update(): void {
    for (const { points, shape, label } of this.marks.values()) {
      const seen = points.map((at) => this.stage.project(at)).filter((at) => at !== null);
      // Partly behind the camera it has no shape that could be drawn.
      const whole = seen.length === points.length;
      shape.setAttribute("d", whole ? `M${seen.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}${points.length > 2 ? "Z" : ""}` : "");
      label.setAttribute("visibility", whole ? "visible" : "hidden");
      if (!whole) continue;
      label.setAttribute("x", seen[0][0].toFixed(1));
      label.setAttribute("y", (seen[0][1] - 8).toFixed(1));
    }
  }
}

function part<K extends keyof SVGElementTagNameMap>(tag: K, name: string): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  element.setAttribute("class", name);
  return element;
}
