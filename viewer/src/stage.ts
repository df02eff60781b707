// What the rest of the page may ask of the picture.

import type { Point } from "./protocol";

export type CameraMode = "orbit" | "walk" | "follow" | "top";

export const LAYERS = [
  "regions",
  "situations",
  "cells",
  "portals",
  "abstraction",
  "path",
  "velocities",
  "desired",
  "density",
  "speed",
  "trails",
  "contacts",
  "feet",
] as const;
export type Layer = (typeof LAYERS)[number];

/** A figure that is drawn on the ground while somebody paints. */
export interface Sketch {
  points: Point[];
  closed: boolean;
  /** Width of a stroke, m; 0: a thin line. */
  width: number;
}

export interface Stage {
  /** How much of the picture is covered at its left and right when a scene comes, CSS pixels. */
  covered: () => [number, number];
  /** Draws what is there at this moment of the page's clock. */
  render(now: number): void;
  resize(): void;
  setCamera(mode: CameraMode): void;
  readonly camera: CameraMode;
  /** The person whom the follow camera follows and who is marked. */
  select(id: number | null): void;
  /** Who is at this point of the canvas, in CSS pixels. */
  pick(x: number, y: number): number | null;
  /** Where on the ground this point of the canvas is. */
  ground(x: number, y: number): Point | null;
  /** Where a point of the ground is on the canvas; null behind the camera. */
  project(at: Point, height?: number): Point | null;
  setLayer(layer: Layer, on: boolean): void;
  /** The abstraction level that is drawn. */
  setLevel(level: number): void;
  sketch(sketch: Sketch | null): void;
  setTheme(dark: boolean): void;
  /** While something else uses the left button or a finger the camera has the others: the wheel, the right button, two fingers. */
  hold(held: boolean): void;
  /** Looks at a point from a distance, rad above the ground. */
  lookAt(at: Point, distance: number, elevation?: number, azimuth?: number): void;
  /** Where the camera looks, and how far around it people can be told apart. */
  interest(): { x: number; y: number; radius: number; most: number };
  stats(): { calls: number; triangles: number; skinned: number; baked: number; impostors: number };
}
