// Who is under the pointer: everybody is a capsule from the ground to the top of their head.

import { type PerspectiveCamera, Vector3 } from "three";
import type { Point } from "../protocol";
import type { Moment } from "../world";

const HEIGHT = 1.75;
const HALF_WIDTH = 0.28;
/** Pixels by which one may miss. */
const SLACK = 5;

const spot = new Vector3();

/** Where a point is on a canvas of this size; null behind the camera. */
export function projected(camera: PerspectiveCamera, width: number, height: number, x: number, y: number, z: number): Point | null {
  spot.set(x, y, z).applyMatrix4(camera.matrixWorldInverse);
  if (spot.z > -camera.near) return null;
  spot.applyMatrix4(camera.projectionMatrix);
  return [(0.5 + 0.5 * spot.x) * width, (0.5 - 0.5 * spot.y) * height];
}

/** The person nearest to the camera whose capsule is at (x, y). */
export function picked(moment: Moment, camera: PerspectiveCamera, width: number, height: number, x: number, y: number): number | null {
  let best: number | null = null;
  let nearest = Infinity;
  const scale = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
  for (let row = 0; row < moment.count; row++) {
    const foot = projected(camera, width, height, moment.x[row], moment.y[row], 0.15);
    const head = projected(camera, width, height, moment.x[row], moment.y[row], HEIGHT - 0.1);
    if (!foot || !head) continue;
    const far = camera.position.distanceTo(spot.set(moment.x[row], moment.y[row], 0.9));
    const miss = Math.max(fromSegment(x, y, foot, head) - (HALF_WIDTH * scale) / far, 0);
    if (miss > SLACK) continue;
    // A hit counts more than being in front of somebody who was hit.
    const rank = far * (1 + miss);
    if (rank < nearest) [nearest, best] = [rank, moment.ids[row]];
  }
  return best;
}

function fromSegment(x: number, y: number, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.min(Math.max(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - a[0] - dx * share, y - a[1] - dy * share);
}
