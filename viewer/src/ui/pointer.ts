// Whom the pointer on the picture belongs to: the camera and a click on people, or a tool that draws on the ground.

import type { Point } from "../protocol";
import type { Sketch, Stage } from "../stage";

/** Something that is done by a drag over the ground; a click is a short one. */
export interface Tool {
  id: string;
  /** What to do with the pointer. */
  readonly hint: string;
  /** Whether there is something to choose in the panel before it is used. */
  options?: boolean;
  /** What to show while the pointer goes along `path`. */
  draw(path: Point[]): Sketch | null;
  /** What to do when it is let go. */
  finish(path: Point[]): void;
}

/** A click may tremble by so many pixels. */
const TREMBLE = 6;
/** Points of a path are at least so far apart, m. */
const APART = 0.15;

export class Pointer {
  tool: Tool | null = null;
  private path: Point[] | null = null;
  private listeners: ((tool: Tool | null) => void)[] = [];
  private pressed: { id: number; x: number; y: number } | null = null;
  /** Everything that touches the picture. */
  private down = new Set<number>();

  constructor(
    private canvas: HTMLCanvasElement,
    private stage: Stage,
    private picked: (id: number) => void,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => {
      this.down.delete(event.pointerId);
      this.cancel();
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.tool) this.useAtCentre(this.tool);
    });
  }

  on(listener: (tool: Tool | null) => void): void {
    this.listeners.push(listener);
  }

  /** Takes a tool, or none; the same again puts it away. */
  use(tool: Tool | null): void {
    this.cancel();
    this.tool = tool?.id === this.tool?.id ? null : tool;
    this.stage.hold(this.tool !== null);
    this.canvas.dataset.tool = this.tool?.id ?? "";
    this.tell();
  }

  /** Tells everybody which tool is in hand, or that something about it has changed. */
  tell(): void {
    for (const listener of this.listeners) listener(this.tool);
  }

  /** Gives up what is being drawn; false if nothing was. */
  cancel(): boolean {
    const drawing = this.path !== null;
    this.path = this.pressed = null;
    this.stage.sketch(null);
    return drawing;
  }

  private at(event: PointerEvent): Point | null {
    const { left, top } = this.canvas.getBoundingClientRect();
    return this.stage.ground(event.clientX - left, event.clientY - top);
  }

  private press(event: PointerEvent): void {
    this.down.add(event.pointerId);
    if (this.down.size > 1 || event.button !== 0) {
      // A second finger means the camera, not the tool; so does another button.
      this.cancel();
      return;
    }
    this.pressed = { id: event.pointerId, x: event.clientX, y: event.clientY };
    const at = this.tool && this.at(event);
    if (!this.tool || !at) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.path = [at];
    this.stage.sketch(this.tool.draw(this.path));
  }

  private move(event: PointerEvent): void {
    if (!this.path || !this.tool || event.pointerId !== this.pressed?.id) return;
    const at = this.at(event);
    const last = this.path[this.path.length - 1];
    if (!at || Math.hypot(at[0] - last[0], at[1] - last[1]) < APART) return;
    this.path.push(at);
    this.stage.sketch(this.tool.draw(this.path));
  }

  private up(event: PointerEvent): void {
    const { pressed, path, tool } = this;
    this.down.delete(event.pointerId);
    if (event.pointerId !== pressed?.id) return;
    this.cancel();
    if (tool) {
      if (path) tool.finish(path);
      return;
    }
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > TREMBLE) return;
    const { left, top } = this.canvas.getBoundingClientRect();
    const id = this.stage.pick(event.clientX - left, event.clientY - top);
    if (id !== null) this.picked(id);
  }

  /** For those who have no pointer: a drag of 2 m where the camera looks. */
  private useAtCentre(tool: Tool): void {
    const { x, y } = this.stage.interest();
    tool.finish([
      [x, y],
      [x + 1, y],
      [x + 2, y],
    ]);
  }
}
