// Hands on the picture: mouse, touch and keys become movements of the camera. Listeners are on the canvas, so that the page's own
// shortcuts and fields keep their keys.

import type { Point } from "../protocol";
import type { Cameras } from "./cameras";

const WALK_SPEED = 2.2;

export class Controls {
  private held = false;
  private pointers = new Map<number, Point>();
  private keys = new Set<string>();

  constructor(
    private canvas: HTMLCanvasElement,
    private cameras: Cameras,
    private ground: (x: number, y: number) => Point | null,
  ) {
    if (canvas.tabIndex < 0) canvas.tabIndex = 0;
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("keyup", (event) => this.keys.delete(event.key.toLowerCase()));
    canvas.addEventListener("blur", () => this.keys.clear());
  }

  /** Something else uses the left button, or a single finger. */
  hold(held: boolean): void {
    this.held = held;
    this.pointers.clear();
    this.keys.clear();
  }

  /** What keys that are held down do in this time. */
  update(seconds: number): void {
    const { keys, cameras } = this;
    const sign = (plus: string[], minus: string[]) => Number(plus.some((key) => keys.has(key))) - Number(minus.some((key) => keys.has(key)));
    const ahead = sign(["w", "arrowup"], ["s", "arrowdown"]);
    const step = seconds * (keys.has("shift") ? 3 : 1);
    if (cameras.mode === "walk") {
      const right = sign(["d"], ["a"]);
      if (ahead || right) cameras.walk(ahead * step * WALK_SPEED, right * step * WALK_SPEED);
      cameras.turn(-sign(["arrowright", "e"], ["arrowleft", "q"]) * step * 0.7, 0);
      return;
    }
    const right = sign(["arrowright"], ["arrowleft"]);
    if (right || ahead) cameras.pan(-right * step * 0.7, ahead * step * 0.7);
  }

  private press(event: PointerEvent): void {
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.canvas.setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const height = this.canvas.clientHeight || 1;
    const [dx, dy] = [(event.clientX - before[0]) / height, (event.clientY - before[1]) / height];
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size >= 2) return this.pinch(event, before, dx, dy);
    if (this.held && event.buttons & 1) return;
    // The left button turns; who has a tool in it turns with the right one.
    const pans = this.held ? 4 : 6;
    if (event.shiftKey || event.buttons & pans) this.cameras.pan(dx, dy);
    else this.cameras.turn(dx, dy);
  }

  /** Two fingers: their middle pans, their distance zooms. Each finger moves the middle by half. */
  private pinch(event: PointerEvent, before: Point, dx: number, dy: number): void {
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
    const [was, is] = [Math.hypot(before[0] - other[0], before[1] - other[1]), Math.hypot(event.clientX - other[0], event.clientY - other[1])];
    this.cameras.pan(dx / 2, dy / 2);
    if (was > 1 && is > 1) this.cameras.zoom(was / is, null);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    const box = this.canvas.getBoundingClientRect();
    this.cameras.zoom(Math.exp(Math.min(Math.max(lines, -240), 240) * 0.0015), this.ground(event.clientX - box.left, event.clientY - box.top));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const walking = ["w", "a", "s", "d", "q", "e"].includes(key);
    const nearer = ["+", "="].includes(key);
    const farther = ["-", "_"].includes(key);
    // Arrows move the tool that is in hand.
    const held = key === "shift" || (key.startsWith("arrow") && !this.held) || (walking && this.cameras.mode === "walk");
    // A plus may come up as another key than it went down; so it counts when pressed, and again while it repeats.
    if (nearer || farther) this.cameras.zoom(nearer ? 0.85 : 1 / 0.85, null);
    else if (held) this.keys.add(key);
    else return;
    if (key === "shift") return;
    event.preventDefault();
    event.stopPropagation();
  }
}
