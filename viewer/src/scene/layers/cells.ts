// How the planner sees the floor: convex cells, the portals between them, and which cells are one for long ways.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments } from "three";
import type { CellsMessage } from "../../protocol";
import { KIND_COLOURS, LAYER_COLOURS } from "../colours";
import { Overlay, tinted } from "../overlay";
import { counterClockwise, Triangles } from "../shapes";

export class Cells {
  readonly cells = new Group();
  private fill = new Overlay(3);
  private portalsOverlay = new Overlay(4);
  private abstractionOverlay = new Overlay(3);
  readonly portals = this.portalsOverlay.mesh;
  readonly abstraction = new Group().add(this.abstractionOverlay.mesh);
  private lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: LAYER_COLOURS.cells, toneMapped: false, transparent: true }));
  private message: CellsMessage | null = null;
  private level = 0;

  constructor() {
    this.lines.renderOrder = 4;
    this.cells.add(this.fill.mesh, this.lines);
    this.cells.visible = this.abstraction.visible = false;
  }

  build(message: CellsMessage | null): void {
    this.message = message;
    const fill = new Triangles();
    const ends: number[] = [];
    message?.cells.forEach((ring, i) => {
      if (ring.length < 3) return;
      fan(ring, fill, tinted(LAYER_COLOURS.cells, 0.08 + 0.1 * ((i * 0.618034) % 1)));
      ring.forEach((at, k) => ends.push(...at, 0.03, ...ring[(k + 1) % ring.length], 0.03));
    });
    this.fill.draw(fill);
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    this.lines.geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
    const portals = new Triangles();
    for (const portal of message?.portals ?? []) portals.ribbon(portal, false, 0.14, 0.034, tinted(LAYER_COLOURS.portals, 0.9));
    const on = this.portals.visible;
    this.portalsOverlay.draw(portals);
    this.portals.visible = on;
    this.paint();
  }

  setLevel(level: number): void {
    this.level = level;
    this.paint();
  }

  /** Colours cells by what they belong to on this level. */
  private paint(): void {
    const triangles = new Triangles();
    const levels = this.message?.levels ?? [];
    const groups = levels[Math.min(Math.max(this.level, 0), levels.length - 1)];
    this.message?.cells.forEach((ring, i) => {
      if (ring.length > 2) fan(ring, triangles, tinted(KIND_COLOURS[((groups?.[i] ?? i) * 3) % KIND_COLOURS.length], 0.5));
    });
    this.abstractionOverlay.draw(triangles);
  }
}

/** Convex, so it needs no triangulation. */
function fan(ring: [number, number][], triangles: Triangles, colour: number[]): void {
  const [first, ...others] = counterClockwise(ring);
  for (let i = 0; i + 1 < others.length; i++) {
    for (const [x, y] of [first, others[i], others[i + 1]]) triangles.corner(x, y, 0.02, [0, 0, 1], colour);
  }
}
