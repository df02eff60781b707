// Which pose everybody is in. Frames of bodies say which clip is played and how far; those without a body walk a gait of the page's
// own, as fast as their feet have to be.

import type { Body } from "../body";
import type { Moment } from "../world";
import type { Looks } from "./looks";
import { ClipPoses } from "./skeleton";

/** Slower than this one stands, m/s. */
const STANDING = 0.08;
/** Seconds in which one clip fades into the next. */
const FADE = 0.25;
/** m/s. */
const SPEED_STEP = 0.02;
const SPEED_STEPS = 250;

export class Gait {
  /** For every row two poses, and the share of the second; poses are numbers in `clips`. */
  from = new Int32Array(0);
  to = new Int32Array(0);
  share = new Float32Array(0);
  /** Of every row's clip, 0 to 1, and whether it walks: for those who are too far to be told more exactly. */
  phase = new Float32Array(0);
  walks = new Uint8Array(0);

  readonly clips: ClipPoses;
  /** The clip straight ahead for a speed, in steps. */
  private ahead: number[];
  private moving: Uint8Array;

  // By a person's place in the looks.
  private clip = new Int32Array(0);
  private before = new Int32Array(0);
  private fade = new Float32Array(0);
  private speed = new Float32Array(0);
  private own = new Float32Array(0);
  private time = 0;

  constructor(private body: Body) {
    this.clips = new ClipPoses(body);
    const straight = body.clips.map(({ name, velocity: [speed] }, i) => ({ i, name, speed })).filter(({ name }) => /^(walk|run)-\d/.test(name));
    this.ahead = Array.from({ length: SPEED_STEPS }, (_, step) => {
      const off = (speed: number) => Math.abs(Math.log(speed / ((step + 0.5) * SPEED_STEP)));
      return straight.reduce((best, clip) => (off(clip.speed) < off(best.speed) ? clip : best)).i;
    });
    this.moving = Uint8Array.from(body.clips, ({ velocity: [x, y] }) => Number(Math.hypot(x, y) > 0));
  }

  /** Somebody has come: they begin with their own step, or the crowd would march. */
  begin(place: number, id: number): void {
    if (place >= this.clip.length) {
      const size = Math.max(256, 2 * this.clip.length, place + 1);
      this.clip = longer(this.clip, new Int32Array(size));
      this.before = longer(this.before, new Int32Array(size));
      this.fade = longer(this.fade, new Float32Array(size));
      this.speed = longer(this.speed, new Float32Array(size));
      this.own = longer(this.own, new Float32Array(size));
    }
    this.clip[place] = -1;
    this.fade[place] = 0;
    this.speed[place] = -1;
    this.own[place] = (id * 0.618034) % 1;
  }

  /** Everybody's pose at this moment. */
  update(moment: Moment, looks: Looks): void {
    const { count, frame, previous, before, share } = moment;
    if (this.from.length < count) {
      const size = Math.ceil(1.5 * count) + 64;
      [this.from, this.to] = [new Int32Array(size), new Int32Array(size)];
      [this.share, this.phase] = [new Float32Array(size), new Float32Array(size)];
      this.walks = new Uint8Array(size);
    }
    const passed = Math.min(Math.max(moment.time - this.time, 0), 0.5);
    this.time = moment.time;
    const { places } = looks;
    const follow = 1 - Math.exp(-passed / 0.15);
    for (let row = 0; row < count; row++) {
      const place = places[row];
      let clip = frame.clips ? frame.clips[row] : 255;
      let phase: number;
      if (clip >= this.body.clips.length) {
        clip = this.step(place, Math.sqrt(moment.vx[row] ** 2 + moment.vy[row] ** 2), looks.stature(place), passed, follow);
        phase = this.own[place];
      } else {
        phase = frame.phases![row] / 256;
        const other = before[row];
        if (previous?.clips && other >= 0 && previous.clips[other] === clip) {
          const was = previous.phases![other] / 256;
          // Clips that loop go on over their end; those that do not never go back.
          const way = phase - was < -0.5 ? phase - was + 1 : phase - was;
          phase = (was + way * share + 1) % 1;
        }
      }
      this.pose(row, place, clip, phase, passed);
    }
  }

  /** One's own gait: the clip of one's speed, and the next bit of its cycle. */
  private step(place: number, speed: number, stature: number, passed: number, follow: number): number {
    const { own, body } = this;
    const last = this.speed[place];
    const smooth = last < 0 ? speed : last + (speed - last) * follow;
    this.speed[place] = smooth;
    if (smooth < STANDING) {
      own[place] = (own[place] + passed / body.clips[body.idle].duration) % 1;
      return body.idle;
    }
    // Longer legs make longer steps: their clip is that of a slower walker of middle stature.
    const scaled = smooth * (body.stature / stature);
    let best = this.ahead[Math.min(Math.floor(scaled / SPEED_STEP), this.ahead.length - 1)];
    const now = this.clip[place];
    if (now >= 0 && now !== best && this.moving[now]) {
      // Not to and fro between two that are nearly as good.
      const off = (clip: number) => Math.abs(Math.log(body.clips[clip].velocity[0] / scaled));
      if (body.clips[now].velocity[0] > 0 && off(now) < off(best) + 0.06) best = now;
    }
    const { velocity, duration } = body.clips[best];
    own[place] = (own[place] + (scaled * passed) / (velocity[0] * duration)) % 1;
    return best;
  }

  private pose(row: number, place: number, clip: number, phase: number, passed: number): void {
    const { starts } = this.clips;
    if (this.clip[place] !== clip) {
      this.fade[place] = this.clip[place] < 0 ? 0 : FADE;
      this.before[place] = this.clip[place];
      this.clip[place] = clip;
    }
    const steps = this.body.clips[clip].frames - 1;
    const at = Math.min(phase * steps, steps - 0.001);
    const frame = Math.floor(at);
    this.phase[row] = phase;
    this.walks[row] = this.moving[clip];
    if (this.fade[place] > 0) {
      this.fade[place] -= passed;
      // What is faded from is the pose that the old clip would have now.
      const old = this.before[place];
      this.from[row] = starts[old] + Math.round(phase * (this.body.clips[old].frames - 1));
      this.to[row] = starts[clip] + Math.round(at);
      this.share[row] = 1 - Math.max(this.fade[place], 0) / FADE;
    } else {
      this.from[row] = starts[clip] + frame;
      this.to[row] = starts[clip] + frame + 1;
      this.share[row] = at - frame;
    }
  }
}

function longer<T extends Int32Array | Float32Array>(old: T, grown: T): T {
  grown.set(old);
  return grown;
}
