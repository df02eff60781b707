// Four ways to look: round a point, with one's own eyes, over somebody's shoulder, from above. All are one perspective camera; from
// above its lens is so long that nothing leans.
//
// What the hands say moves a goal; the view goes after it, softly, or at once for who prefers reduced motion.

import { PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Point } from "../protocol";
import type { CameraMode } from "../stage";
import { turn } from "../world";
import type { Bounds } from "./shapes";

export const EYE = 1.65;
const LENS = 45;
const LONG_LENS = 9;
/** How high the middle of the picture is above the ground, m: people's chests. */
const MIDDLE = 0.9;

/** Between these the first view of a place is: in a big one people would be ants if all of it was seen. */
const NEAREST = 8;
const FARTHEST = 80;

/** Round a point: from where, in which direction, how far. */
interface View {
  x: number;
  y: number;
  distance: number;
  /** rad from the x axis to where the camera stands. */
  azimuth: number;
  /** rad above the ground. */
  elevation: number;
}

/** Who is followed, as they are now. */
export interface Followed {
  x: number;
  y: number;
  heading: number;
}

export class Cameras {
  readonly camera = new PerspectiveCamera(LENS, 1, 0.1, 4000);
  mode: CameraMode = "orbit";

  private goal: View = { x: 0, y: 0, distance: 30, azimuth: -1.9, elevation: 0.75 };
  private view: View = { ...this.goal };
  private followed: Followed | null = null;
  /** Whether the camera has yet to come near to who is followed. */
  private joining = false;
  private eye = { x: 0, y: 0, yaw: 0, pitch: -0.08 };
  private eyeGoal = { ...this.eye };
  private reach = 60;
  private top: View = { ...this.goal };
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  private ray = new Raycaster();
  private floor = new Plane(new Vector3(0, 0, 1), 0);
  private hit = new Vector3();
  private spot = new Vector2();

  constructor() {
    this.camera.up.set(0, 0, 1);
  }

  /** The whole place, or so much of a big one that people can be seen, between the shares of the picture that are covered on its left and right. */
  frame({ centre, low, high, radius }: Bounds, covered: [number, number]): void {
    this.reach = radius;
    const [width, depth] = [high[0] - low[0], high[1] - low[1]];
    this.mode = "orbit";
    const views = [-1.88, -0.31].map((azimuth): View => {
      for (let distance = NEAREST; ; distance *= 1.05) {
        this.goal = { x: centre[0], y: centre[1], distance, azimuth, elevation: 0.66 };
        this.pan(((covered[0] - covered[1]) / 2) * this.camera.aspect, 0);
        if (distance > 1000 || this.sees(low, high, covered)) return this.goal;
      }
    });
    // North is up unless the place fits much better the other way: a long one on a phone.
    this.goal = views[1].distance < 0.8 * views[0].distance ? views[1] : views[0];
    // A narrow picture shows as much of a long place from farther away.
    this.goal.distance = Math.min(this.goal.distance, FARTHEST / Math.min(this.camera.aspect, 1));
    this.view = { ...this.goal };
    this.top = { ...this.goal, distance: this.topDistance(Math.max(width / Math.max(this.camera.aspect, 0.3), depth) * 1.12) };
    this.eyeGoal = { x: centre[0], y: low[1] + Math.min(2, depth / 4), yaw: Math.PI / 2, pitch: -0.06 };
    this.eye = { ...this.eyeGoal };
  }

  /** Whether all corners of a box on the ground are in the free part of the picture at the goal, with a margin. */
  private sees(low: Point, high: Point, [left, right]: [number, number]): boolean {
    this.view = { ...this.goal };
    this.update(1);
    return [low, high, [low[0], high[1]], [high[0], low[1]]].every(([x, y]) => {
      this.hit.set(x, y, 0).project(this.camera);
      return this.hit.x > 2 * left - 0.94 && this.hit.x < 0.94 - 2 * right && Math.abs(this.hit.y) < 0.82;
    });
  }

  setMode(mode: CameraMode): void {
    if (mode === this.mode) return;
    const { view } = this;
    if (this.mode === "top") this.top = { ...this.goal };
    if (mode === "walk") {
      // One walks in where one looked.
      this.eyeGoal = { x: view.x, y: view.y, yaw: view.azimuth + Math.PI, pitch: -0.06 };
      this.eye = { ...this.eyeGoal };
    } else if (mode === "top") {
      this.goal = { ...this.top, x: view.x, y: view.y, azimuth: -Math.PI / 2 };
      this.view = { ...this.goal };
    } else if (mode === "follow") {
      this.joining = true;
    } else {
      const far = this.mode === "orbit" || this.mode === "follow" ? this.goal.distance : Math.min(0.9 * this.reach + 8, 40);
      const at = this.mode === "walk" ? this.eye : this.view;
      this.goal = { x: at.x, y: at.y, distance: Math.max(far, 6), azimuth: this.mode === "walk" ? this.eye.yaw + Math.PI : -1.88, elevation: 0.72 };
      if (this.mode !== "follow") this.view = { ...this.goal };
    }
    this.mode = mode;
  }

  /** Looks at a point; `distance` is that of the ordinary lens, and the long one shows as much from farther away. */
  lookAt(at: Point, distance: number, elevation = this.goal.elevation, azimuth = this.goal.azimuth): void {
    if (this.mode === "walk") this.setMode("orbit");
    const far = this.mode === "top" ? (distance * LENS) / LONG_LENS : distance;
    this.goal = { x: at[0], y: at[1], distance: far, azimuth, elevation };
    this.view = { ...this.goal };
  }

  follow(followed: Followed | null): void {
    this.followed = followed;
  }

  /** Turns the view by shares of the picture's height. */
  turn(right: number, up: number): void {
    if (this.mode === "walk") {
      this.eyeGoal.yaw += right * 2.2;
      this.eyeGoal.pitch = clamp(this.eyeGoal.pitch - up * 1.6, -1.2, 0.8);
    } else if (this.mode === "top") {
      this.pan(right, up);
    } else {
      this.goal.azimuth -= right * 3;
      this.goal.elevation = clamp(this.goal.elevation + up * 2.4, 0.04, 1.5);
    }
  }

  /** Moves the ground with the hand, by shares of the picture's height. */
  pan(right: number, up: number): void {
    if (this.mode === "walk") return this.walk(-up * 6, -right * 6);
    if (this.mode === "follow") return this.turn(right, up);
    const { goal } = this;
    const height = this.heightAt(goal.distance);
    const [ahead, side] = [up * height / Math.max(Math.sin(goal.elevation), 0.35), -right * height];
    const [cos, sin] = [Math.cos(goal.azimuth), Math.sin(goal.azimuth)];
    goal.x += -cos * ahead - sin * side;
    goal.y += -sin * ahead + cos * side;
  }

  /** Comes nearer by a factor below 1; `at` stays where it is in the picture. */
  zoom(factor: number, at: Point | null): void {
    if (this.mode === "walk") return this.walk((1 - factor) * 4, 0);
    const { goal } = this;
    const [least, most] = this.mode === "top" ? [30, this.topDistance(6 * this.reach + 40)] : [1.5, 8 * this.reach + 60];
    const distance = clamp(goal.distance * factor, least, most);
    if (at && this.mode !== "follow") {
      const share = 1 - distance / goal.distance;
      goal.x += (at[0] - goal.x) * share;
      goal.y += (at[1] - goal.y) * share;
    }
    goal.distance = distance;
  }

  /** Steps ahead and to the right, m. */
  walk(ahead: number, right: number): void {
    const { yaw } = this.eyeGoal;
    this.eyeGoal.x += Math.cos(yaw) * ahead + Math.sin(yaw) * right;
    this.eyeGoal.y += Math.sin(yaw) * ahead - Math.cos(yaw) * right;
  }

  /** Brings the view to this moment; `seconds` have passed since the last. */
  update(seconds: number): void {
    const soft = this.calm.matches ? 1 : 1 - Math.exp(-seconds * 9);
    if (this.mode === "walk") this.updateEye(soft);
    else this.updateView(soft, seconds);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private updateEye(soft: number): void {
    const { eye, eyeGoal, camera } = this;
    for (const part of ["x", "y", "yaw", "pitch"] as const) eye[part] += (eyeGoal[part] - eye[part]) * soft;
    camera.position.set(eye.x, eye.y, EYE);
    const flat = Math.cos(eye.pitch);
    camera.lookAt(eye.x + Math.cos(eye.yaw) * flat, eye.y + Math.sin(eye.yaw) * flat, EYE + Math.sin(eye.pitch));
    camera.fov = 60;
    camera.near = 0.1;
    camera.far = 60 * this.reach + 800;
  }

  private updateView(soft: number, seconds: number): void {
    const { goal, view, camera, followed } = this;
    const top = this.mode === "top";
    if (this.mode === "follow" && followed) {
      if (this.joining) Object.assign(goal, { distance: 5.5, elevation: 0.3 });
      this.joining = false;
      goal.x = followed.x;
      goal.y = followed.y;
      // Behind them, but slower than they turn: heads that swing at once make people sick.
      const behind = followed.heading + Math.PI;
      goal.azimuth += turn(goal.azimuth, behind) * (1 - Math.exp(-seconds * 1.2));
    }
    for (const part of ["x", "y", "azimuth", "elevation"] as const) view[part] += (goal[part] - view[part]) * soft;
    view.distance *= (goal.distance / view.distance) ** soft;
    const elevation = top ? Math.PI / 2 - 0.0001 : view.elevation;
    const flat = view.distance * Math.cos(elevation);
    const middle = this.mode === "follow" ? 1.25 : top ? 0 : Math.min(MIDDLE, view.distance * 0.2);
    camera.position.set(view.x + Math.cos(view.azimuth) * flat, view.y + Math.sin(view.azimuth) * flat, middle + view.distance * Math.sin(elevation));
    camera.lookAt(view.x, view.y, middle);
    camera.fov = top ? LONG_LENS : LENS;
    camera.near = top ? Math.max(view.distance - 30, 1) : clamp(view.distance * 0.03, 0.05, 4);
    camera.far = view.distance + 60 * this.reach + 800;
  }

  /** Where the camera looks on the ground, and from how far. */
  target(): { x: number; y: number; distance: number } {
    if (this.mode !== "walk") return { x: this.view.x, y: this.view.y, distance: this.view.distance * (this.mode === "top" ? LONG_LENS / LENS : 1) };
    const { x, y, yaw } = this.eye;
    return { x: x + Math.cos(yaw) * 7, y: y + Math.sin(yaw) * 7, distance: 9 };
  }

  /** Where a point of the picture, -1 to 1, lies on the ground. */
  ground(right: number, up: number): Point | null {
    this.ray.setFromCamera(this.spot.set(right, up), this.camera);
    const hit = this.ray.ray.intersectPlane(this.floor, this.hit);
    return hit ? [hit.x, hit.y] : null;
  }

  /** Metres that the picture is high at a distance. */
  heightAt(distance: number): number {
    return 2 * distance * Math.tan((this.camera.fov * Math.PI) / 360);
  }

  private topDistance(height: number): number {
    return height / (2 * Math.tan((LONG_LENS * Math.PI) / 360));
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
