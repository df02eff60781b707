// Named polygons on the ground: regions of the place, and situations.

import { Group } from "three";
import type { Point, Ring } from "../../protocol";
import type { Theme } from "../colours";
import { Labels } from "../labels";
import { Overlay, tinted } from "../overlay";
import { counterClockwise, distance, middle, Triangles } from "../shapes";

export interface Area {
  name: string;
  rings: Ring[];
  colour: string;
  /** Drawn with a broken line and a weaker fill. */
  asleep: boolean;
}

const LINE = 0.09;
const DASH = 0.5;

export class Areas {
  readonly group = new Group();
  readonly labels = new Labels();
  private overlay: Overlay;

  constructor(order: number, private height: number) {
    this.overlay = new Overlay(order);
    this.group.add(this.overlay.mesh, this.labels.figures.mesh);
    this.group.visible = false;
  }

  build(areas: Area[]): void {
    const triangles = new Triangles();
    for (const { rings, colour, asleep } of areas) {
      for (const ring of rings.filter((one) => one.length > 2).map(counterClockwise)) {
        triangles.flat([ring], this.height, tinted(colour, asleep ? 0.1 : 0.26));
        const line = tinted(colour, asleep ? 0.7 : 0.95);
        if (asleep) for (const dash of dashes(ring)) triangles.ribbon(dash, false, LINE, this.height + 0.004, line);
        else triangles.ribbon(ring, true, LINE, this.height + 0.004, line);
      }
    }
    this.overlay.draw(triangles);
    const named = areas.filter(({ rings }) => rings.some((ring) => ring.length > 2));
    this.labels.set(named.map(({ name, rings, colour }) => ({ text: name, at: middle(rings.find((ring) => ring.length > 2)!), z: 0.3, colour })));
  }

  setTheme(theme: Theme): void {
    this.labels.setTheme(theme);
  }
}

/** A closed line in pieces, every other one left out. */
function dashes(ring: Ring): Point[][] {
  return ring.flatMap((a, i) => {
    const b = ring[(i + 1) % ring.length];
    const count = Math.max(1, Math.round(distance(a, b) / (2 * DASH)));
    const at = (share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    return Array.from({ length: count }, (_, k) => [at(k / count), at((k + 0.5) / count)]);
  });
}
