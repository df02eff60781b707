// Whom the pointer on the picture belongs to: the camera and a click on people, or a tool that draws on the ground.

import type { Point } from "../protocol";
import type { Sketch, Stage } from "../stage";
import { circle } from "./shapes";

/** Something that is done by a drag over the ground; a click is a short one. */
export interface Tool {
  id: string;
  /** What to do with the pointer. */
  readonly hint: string;
  /** Whether there is something to choose in the panel before it is used. */
  options?: boolean;
  /** Whether a point is enough. */
  click?: boolean;
  /** What to show while the pointer goes along `path`. */
  draw(path: Point[]): Sketch | null;
  /** What to do when it is let go. */
  finish(path: Point[]): void;
}

/** A click may tremble by so many pixels. */
const TREMBLE = 6;
/** Points of a path are at least so far apart, m. */
const APART = 0.15;
/** An arrow key moves the cursor by so many pixels, with Shift by the second. */
const STEP = [12, 60];
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Pointer {
  tool: Tool | null = null;
  private path: Point[] | null = null;
  private listeners: ((tool: Tool | null) => void)[] = [];
  private pressed: { id: number; x: number; y: number } | null = null;
  /** Everything that touches the picture. */
  private down = new Set<number>();
  /** For those who have no pointer: where keys have moved the tool on the ground, and the points that they have set. */
  private cursor: Point | null = null;
  private corners: Point[] = [];

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
    canvas.addEventListener("keydown", (event) => this.key(event));
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
    // So that keys reach it; who has to choose something first comes here afterwards.
    if (this.tool && !this.tool.options) this.canvas.focus({ preventScroll: true });
    this.tell();
  }

  /** Tells everybody which tool is in hand, or that something about it has changed. */
  tell(): void {
    for (const listener of this.listeners) listener(this.tool);
  }

  /** Gives up what is being drawn; false if nothing was. */
  cancel(): boolean {
    const drawing = this.path !== null || this.corners.length > 0;
    this.path = this.pressed = null;
    this.corners = [];
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
    this.corners = [];
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

  private key(event: KeyboardEvent): void {
    const { tool } = this;
    if (!tool || this.path || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.moveCursor(arrow, STEP[event.shiftKey ? 1 : 0]);
    else if (event.key === "Enter" && !event.repeat) this.setCorner(tool);
    else return;
    event.preventDefault();
    if (this.tool) this.showCursor(this.tool);
  }

  /** As far as the picture goes; what is beyond is reached by moving the camera. */
  private moveCursor([right, down]: Point, pixels: number): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const from = this.cursor && this.stage.project(this.cursor);
    const inside = from && from[0] >= 0 && from[1] >= 0 && from[0] <= width && from[1] <= height;
    const [x, y] = inside ? [from[0] + right * pixels, from[1] + down * pixels] : [width / 2, height / 2];
    if (x >= 0 && y >= 0 && x <= width && y <= height) this.cursor = this.stage.ground(x, y) ?? this.cursor;
  }

  /** Sets a point where the cursor is; a second time at the same spot it is the end. */
  private setCorner(tool: Tool): void {
    if (!this.cursor) this.moveCursor([0, 0], 0);
    const { cursor, corners } = this;
    if (!cursor) return;
    const again = corners[corners.length - 1] === cursor;
    if (!again) corners.push(cursor);
    // Who takes hold of something does so at the first point.
    if (corners.length === 1) tool.draw([...corners]);
    if (!again && !tool.click) return;
    this.cancel();
    tool.finish(corners);
  }

  private showCursor(tool: Tool): void {
    const { cursor, corners } = this;
    if (!cursor) return this.stage.sketch(null);
    const path = corners[corners.length - 1] === cursor ? corners : [...corners, cursor];
    const drawn = path.length > 1 ? tool.draw(path) : null;
    this.stage.sketch(drawn ?? { points: circle([cursor], this.metres(cursor)), closed: true, width: 0 });
  }

  /** How large a mark of some pixels is on the ground. */
  private metres(at: Point): number {
    const [a, b] = [this.stage.project(at), this.stage.project([at[0] + 1, at[1]])];
    return a && b ? Math.min(Math.max(8 / Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 0.1), 0.1), 5) : 0.5;
  }
}
