// What somebody is painting, on the ground under the pointer.

import type { Sketch } from "../stage";
import { OKABE } from "./colours";
import { Overlay, tinted } from "./overlay";
import { Triangles } from "./shapes";

const THIN = 0.08;

export class SketchView {
  private overlay = new Overlay(12);
  readonly mesh = this.overlay.mesh;

  draw(sketch: Sketch | null): void {
    const triangles = new Triangles();
    if (sketch && sketch.points.length > 0) this.lines(sketch, triangles);
    this.overlay.draw(triangles);
  }

  private lines({ points, closed, width }: Sketch, triangles: Triangles): void {
    const [fill, line] = [tinted(OKABE.yellow, 0.45), tinted(OKABE.vermilion, 1)];
    if (closed && points.length > 2) triangles.flat([points], 0.03, fill);
    if (width > 0) {
      triangles.ribbon(points, closed, width, 0.03, fill);
      for (const [x, y] of [points[0], points[points.length - 1]]) {
        const round = Array.from({ length: 16 }, (_, i): [number, number] => {
          const angle = (Math.PI * i) / 8;
          return [x + (width / 2) * Math.cos(angle), y + (width / 2) * Math.sin(angle)];
        });
        triangles.flat([round], 0.03, fill);
      }
    }
    triangles.ribbon(points, closed, THIN, 0.035, line);
  }
}
