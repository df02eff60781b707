// Where the inspected person means to go.

import type { InspectedMessage, Point } from "../../protocol";
import { LAYER_COLOURS, OKABE } from "../colours";
import { Overlay, tinted } from "../overlay";
import { Triangles } from "../shapes";

export class Path {
  private overlay = new Overlay(8);
  readonly mesh = this.overlay.mesh;
  private on = false;
  private known = false;

  set visible(on: boolean) {
    this.on = on;
    this.mesh.visible = on && this.known;
  }

  build(message: InspectedMessage | null): void {
    const triangles = new Triangles();
    const start = message?.why?.me.position;
    const points = message ? [...(start ? [start] : []), ...message.path] : [];
    const end = message?.goal ?? points[points.length - 1];
    if (end && points.length > 0 && message?.goal) points.push(message.goal);
    triangles.ribbon(points, false, 0.26, 0.036, tinted(OKABE.black, 0.3));
    triangles.ribbon(points, false, 0.16, 0.04, tinted(LAYER_COLOURS.path, 1));
    for (const at of points.slice(1, -1)) triangles.flat([circle(at, 0.14)], 0.042, tinted(LAYER_COLOURS.path, 1));
    if (end) {
      triangles.ribbon(circle(end, 0.55), true, 0.12, 0.042, tinted(LAYER_COLOURS.path, 1));
      triangles.flat([circle(end, 0.2)], 0.042, tinted(LAYER_COLOURS.path, 1));
    }
    this.known = !triangles.empty;
    this.overlay.draw(triangles);
    this.visible = this.on;
  }
}

function circle([x, y]: Point, radius: number): Point[] {
  return Array.from({ length: 24 }, (_, i) => [x + radius * Math.cos((Math.PI * i) / 12), y + radius * Math.sin((Math.PI * i) / 12)]);
}
