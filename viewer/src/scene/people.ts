// Everybody, in as much detail as can be seen: who is large in the picture is skinned, then come baked frames, then cards.

import { type Camera, Frustum, Group, Matrix4, type PerspectiveCamera, Sphere, Vector3, type WebGLRenderer } from "three";
import type { Frame } from "../../../crates/server/page/frames.js";
import type { Body } from "../body";
import type { Moment, World } from "../world";
import { Baked } from "./baked";
import { Blobs } from "./blobs";
import type { Theme } from "./colours";
import { Gait } from "./gait";
import { Impostors } from "./impostors";
import { Looks } from "./looks";
import { Pose, Skeleton } from "./skeleton";
import { Skinned } from "./skinned";
import type { Sky } from "./sky";

/** Who is lower than this in the picture needs no pose of their own. */
export const SKINNED_PIXELS = 48;
/** Pixels that somebody has to be high for a detail, and how many may have it: the finest surface, the second, baked frames. */
const DETAILS = [
  { pixels: 300, most: 80 },
  { pixels: SKINNED_PIXELS, most: 1000 },
  { pixels: 16, most: 2500 },
] as const;
const IMPOSTOR = DETAILS.length;
/** Baked people who cast shadows. */
const CASTERS = 1500;
/** Steps of an octave in which heights are counted. */
const FINENESS = 8;

export class People {
  readonly group = new Group();
  readonly counts = { skinned: 0, baked: 0, impostors: 0 };
  readonly looks: Looks;
  readonly gait: Gait;

  private skeleton: Skeleton;
  private pose: Pose;
  private skinned: Skinned;
  private baked: Baked;
  private impostors: Impostors;
  private blobs = new Blobs();
  private frustum = new Frustum();
  private product = new Matrix4();
  private sphere = new Sphere(new Vector3(), 1.2);
  private frame: Frame | null = null;
  /** For rows of the last frame and the one before which of its poses is theirs. */
  private poseOf: Int32Array = new Int32Array(0);
  private poseBefore: Int32Array = new Int32Array(0);
  /** By row: pixels of height, 0 outside of the picture; by place in the looks: detail. */
  private heights = new Float32Array(0);
  private detail = new Uint8Array(0);
  private counted = new Uint32Array(16 * FINENESS);
  private thresholds = new Float32Array(DETAILS.length);

  constructor(renderer: WebGLRenderer, body: Body, private world: World) {
    this.looks = new Looks(body);
    this.gait = new Gait(body);
    this.skeleton = new Skeleton(body);
    this.pose = new Pose(body);
    this.skinned = new Skinned(body, this.looks, this.skeleton);
    this.baked = new Baked(body, this.looks, this.skeleton, this.gait.clips);
    this.impostors = new Impostors(renderer, body, this.looks, this.skeleton, this.gait.clips);
    this.group.add(this.skinned.group, this.baked.group, this.impostors.figures.mesh, this.blobs.figures.mesh);
  }

  setTheme(theme: Theme, sky: Sky): void {
    this.blobs.setLight(sky.direction, theme.shade);
  }

  /** Another scene: nobody is there any more. */
  forget(): void {
    this.looks.forget();
    this.frame = null;
    this.clear();
    this.send();
  }

  update(moment: Moment, camera: PerspectiveCamera, viewHeight: number, sky: Sky): void {
    if (moment.frame !== this.frame) this.take(moment.frame, moment.previous);
    const { looks, gait } = this;
    gait.update(moment, looks);
    this.measure(moment, camera, viewHeight);
    this.clear();
    this.impostors.viewHeight.value = viewHeight;
    const { x: sunX, y: sunY, radius } = sky.shadows;
    const { skinned, baked, impostors, blobs } = this;
    for (let row = 0; row < moment.count; row++) {
      const place = looks.places[row];
      const pixels = this.heights[row];
      const [x, y, heading] = [moment.x[row], moment.y[row], moment.heading[row]];
      const lit = Math.max(Math.abs(x - sunX), Math.abs(y - sunY)) < 0.8 * radius;
      const visible = pixels > 0;
      if (!visible && !lit) continue;
      const detail = this.choose(place, visible ? pixels : 0);
      let cast = false;
      if (detail <= 1) {
        this.stand(row, moment);
        const bones = skinned.keepPose();
        (detail === 0 ? skinned.fine : skinned.middle).add(x, y, heading, place, bones, 0, 0, 0);
        if (lit) skinned.shadows.add(x, y, heading, place, bones, 0, 0, 0);
        cast = lit;
      } else {
        if (detail === 2) baked.figures.add(x, y, heading, place, gait.from[row], gait.to[row], gait.share[row], 0);
        else if (visible) impostors.figures.add(x, y, heading, place, gait.phase[row], gait.walks[row], 0, 0);
        cast = lit && (detail === 2 || !visible) && baked.shadows.count < CASTERS;
        if (cast) baked.shadows.add(x, y, heading, place, gait.from[row], gait.to[row], gait.share[row], 0);
      }
      if (visible) blobs.figures.add(x, y, heading, place, cast ? 0 : 1, 0, 0, 0);
    }
    this.send();
  }

  private clear(): void {
    this.skinned.clear();
    this.baked.clear();
    this.impostors.figures.clear();
    this.blobs.figures.clear();
  }

  private send(): void {
    this.skinned.send();
    this.baked.send();
    this.impostors.figures.send();
    this.blobs.figures.send();
    this.counts.skinned = this.skinned.fine.count + this.skinned.middle.count;
    this.counts.baked = this.baked.figures.count;
    this.counts.impostors = this.impostors.figures.count;
  }

  /** A new frame: who has come, and whose poses it has. */
  private take(frame: Frame, previous: Frame | null): void {
    this.frame = frame;
    this.looks.admit(frame, this.world.people, (place, row) => this.gait.begin(place, frame.ids[row]));
    if (this.detail.length < this.looks.size) {
      const grown = new Uint8Array(this.looks.size).fill(IMPOSTOR);
      grown.set(this.detail);
      this.detail = grown;
    }
    if (this.heights.length < frame.count) this.heights = new Float32Array(Math.ceil(1.5 * frame.count) + 64);
    this.poseOf = numbered(this.poseOf, frame);
    this.poseBefore = numbered(this.poseBefore, previous);
  }

  /** How high everybody is in the picture, and from which height on there is room for a detail. */
  private measure(moment: Moment, camera: PerspectiveCamera, viewHeight: number): void {
    const { heights, counted, sphere, thresholds } = this;
    this.frustum.setFromProjectionMatrix(this.product.multiplyMatrices(camera.projectionMatrix, (camera as Camera).matrixWorldInverse));
    const scale = (1.7 * viewHeight) / (2 * Math.tan((camera.fov * Math.PI) / 360));
    const eye = camera.position;
    counted.fill(0);
    for (let row = 0; row < moment.count; row++) {
      sphere.center.set(moment.x[row], moment.y[row], 0.9);
      if (!this.frustum.intersectsSphere(sphere)) {
        heights[row] = 0;
        continue;
      }
      heights[row] = scale / Math.max(sphere.center.distanceTo(eye), 0.5);
      counted[step(heights[row])]++;
    }
    let before = 0;
    DETAILS.forEach(({ pixels, most }, detail) => {
      let [sum, at] = [-before, counted.length - 1];
      for (; at > 0 && sum + counted[at] <= most; at--) sum += counted[at];
      before += Math.max(sum, 0);
      thresholds[detail] = Math.max(pixels, at > 0 ? 2 ** ((at + 1) / FINENESS) : 0);
    });
  }

  /** The detail for a height; who is near a threshold keeps what they have. */
  private choose(place: number, pixels: number): number {
    const now = this.detail[place];
    let detail = 0;
    while (detail < IMPOSTOR && pixels < this.thresholds[detail] * (now <= detail ? 0.95 : 1.05)) detail++;
    this.detail[place] = detail;
    return detail;
  }

  /** Poses the skeleton as somebody is. */
  private stand(row: number, { frame, previous, before, share }: Moment): void {
    const { pose, gait } = this;
    const now = this.poseOf[row];
    if (now >= 0) {
      const other = before[row];
      const was = previous && other >= 0 ? this.poseBefore[other] : -1;
      const from = was >= 0 ? previous!.poses! : frame.poses!;
      pose.mix(from.hips, was >= 0 ? was : now, from.rotations, frame.poses!.hips, now, frame.poses!.rotations, share);
    } else {
      const { hips, rotations } = gait.clips;
      pose.mix(hips, gait.from[row], rotations, hips, gait.to[row], rotations, gait.share[row]);
    }
    this.skeleton.stand(pose);
  }
}

function step(pixels: number): number {
  return Math.min(Math.max(Math.floor(Math.log2(pixels) * FINENESS), 0), 16 * FINENESS - 1);
}

/** Which of a frame's poses each row has; -1 where it has none. */
function numbered(old: Int32Array, frame: Frame | null): Int32Array {
  const count = frame?.count ?? 0;
  const rows = old.length < count ? new Int32Array(Math.ceil(1.5 * count) + 64) : old;
  rows.fill(-1);
  if (frame?.poses) frame.poses.rows.forEach((row, i) => (rows[row] = i));
  return rows;
}
