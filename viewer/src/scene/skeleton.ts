// Poses: how every joint stands, and the matrices that carry a surface along.

import type { Body, Level } from "../body";

/** Numbers of a joint's matrix: three rows of four. */
export const MATRIX = 12;

/** The pose that is worked on: rotations against parents, and where the hips are. Filled in place, so nothing is made per person. */
export class Pose {
  readonly rotations: Float32Array;
  readonly hips = new Float32Array(3);

  constructor(private body: Body) {
    this.rotations = new Float32Array(4 * body.joints.length);
  }

  /** Between two poses that lie in columns, by share. */
  mix(
    hipsA: Float32Array, a: number, rotationsA: Float32Array,
    hipsB: Float32Array, b: number, rotationsB: Float32Array,
    share: number,
  ): void {
    const { hips, rotations } = this;
    for (let axis = 0; axis < 3; axis++) hips[axis] = hipsA[3 * a + axis] + (hipsB[3 * b + axis] - hipsA[3 * a + axis]) * share;
    const count = this.body.joints.length;
    for (let joint = 0; joint < count; joint++) {
      const [p, q, to] = [4 * (count * a + joint), 4 * (count * b + joint), 4 * joint];
      const dot =
        rotationsA[p] * rotationsB[q] + rotationsA[p + 1] * rotationsB[q + 1] + rotationsA[p + 2] * rotationsB[q + 2] + rotationsA[p + 3] * rotationsB[q + 3];
      const [keep, take] = [1 - share, dot < 0 ? -share : share];
      const x = rotationsA[p] * keep + rotationsB[q] * take;
      const y = rotationsA[p + 1] * keep + rotationsB[q + 1] * take;
      const z = rotationsA[p + 2] * keep + rotationsB[q + 2] * take;
      const w = rotationsA[p + 3] * keep + rotationsB[q + 3] * take;
      const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
      rotations[to] = x * scale;
      rotations[to + 1] = y * scale;
      rotations[to + 2] = z * scale;
      rotations[to + 3] = w * scale;
    }
  }
}

/** Walks from the hips outwards: where every joint is in the figure's frame, and how it is turned against its rest. */
export class Skeleton {
  /** Of every joint in the figure's frame. */
  readonly places: Float32Array;
  readonly turns: Float32Array;
  private restPlaces: Float32Array;
  private restTurns: Float32Array;

  constructor(readonly body: Body) {
    const count = body.joints.length;
    this.places = new Float32Array(3 * count);
    this.turns = new Float32Array(4 * count);
    const rest = new Pose(body);
    body.joints.forEach((joint, i) => rest.rotations.set(joint.rest, 4 * i));
    rest.hips.set(body.joints[0].offset);
    this.stand(rest);
    this.restPlaces = this.places.slice();
    this.restTurns = this.turns.slice();
  }

  stand(pose: Pose): void {
    const { places, turns, body } = this;
    places.set(pose.hips, 0);
    for (let i = 0; i < 4; i++) turns[i] = pose.rotations[i];
    for (let joint = 1; joint < body.joints.length; joint++) {
      const { parent, offset } = body.joints[joint];
      const [p, q] = [4 * parent, 4 * joint];
      const [x, y, z, w] = [turns[p], turns[p + 1], turns[p + 2], turns[p + 3]];
      // The offset, turned: v + 2 w (q x v) + 2 q x (q x v).
      const cx = 2 * (y * offset[2] - z * offset[1]);
      const cy = 2 * (z * offset[0] - x * offset[2]);
      const cz = 2 * (x * offset[1] - y * offset[0]);
      places[3 * joint] = places[3 * parent] + offset[0] + w * cx + y * cz - z * cy;
      places[3 * joint + 1] = places[3 * parent + 1] + offset[1] + w * cy + z * cx - x * cz;
      places[3 * joint + 2] = places[3 * parent + 2] + offset[2] + w * cz + x * cy - y * cx;
      const r = pose.rotations;
      const [a, b, c, d] = [r[q], r[q + 1], r[q + 2], r[q + 3]];
      turns[q] = w * a + x * d + y * c - z * b;
      turns[q + 1] = w * b - x * c + y * d + z * a;
      turns[q + 2] = w * c + x * b - y * a + z * d;
      turns[q + 3] = w * d - x * a - y * b - z * c;
    }
  }

  /** Writes what carries a point of the surface at rest to where the pose has it, for every joint. */
  matrices(to: Float32Array, at: number): void {
    const { places, turns, restPlaces, restTurns, body } = this;
    for (let joint = 0; joint < body.joints.length; joint++, at += MATRIX) {
      const [q, v] = [4 * joint, 3 * joint];
      const [x1, y1, z1, w1] = [turns[q], turns[q + 1], turns[q + 2], turns[q + 3]];
      const [x2, y2, z2, w2] = [-restTurns[q], -restTurns[q + 1], -restTurns[q + 2], restTurns[q + 3]];
      const x = w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2;
      const y = w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2;
      const z = w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2;
      const w = w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2;
      const [rx, ry, rz] = [restPlaces[v], restPlaces[v + 1], restPlaces[v + 2]];
      to[at] = 1 - 2 * (y * y + z * z);
      to[at + 1] = 2 * (x * y - z * w);
      to[at + 2] = 2 * (x * z + y * w);
      to[at + 3] = places[v] - to[at] * rx - to[at + 1] * ry - to[at + 2] * rz;
      to[at + 4] = 2 * (x * y + z * w);
      to[at + 5] = 1 - 2 * (x * x + z * z);
      to[at + 6] = 2 * (y * z - x * w);
      to[at + 7] = places[v + 1] - to[at + 4] * rx - to[at + 5] * ry - to[at + 6] * rz;
      to[at + 8] = 2 * (x * z - y * w);
      to[at + 9] = 2 * (y * z + x * w);
      to[at + 10] = 1 - 2 * (x * x + y * y);
      to[at + 11] = places[v + 2] - to[at + 8] * rx - to[at + 9] * ry - to[at + 10] * rz;
    }
  }
}

/** All frames of all clips as one column of poses: pose `start[clip] + frame`. */
export class ClipPoses {
  readonly starts: Int32Array;
  readonly count: number;
  readonly hips: Float32Array;
  readonly rotations: Float32Array;

  constructor({ clips, joints }: Body) {
    this.starts = new Int32Array(clips.length);
    this.count = clips.reduce((sum, clip) => sum + clip.frames, 0);
    this.hips = new Float32Array(3 * this.count);
    this.rotations = new Float32Array(4 * joints.length * this.count);
    let at = 0;
    clips.forEach((clip, i) => {
      this.starts[i] = at;
      this.hips.set(clip.hips, 3 * at);
      this.rotations.set(clip.rotations, 4 * joints.length * at);
      at += clip.frames;
    });
  }
}

/** Where a posed surface's vertices are, for a stature of 1 m, and their normals; the middle build. */
export function posedSurface(level: Level, stature: number, matrices: Float32Array, positions: Float32Array, normals: Float32Array): void {
  for (let vertex = 0; vertex < level.vertices; vertex++) {
    const [x, y, z] = [level.positions[3 * vertex] * stature, level.positions[3 * vertex + 1] * stature, level.positions[3 * vertex + 2] * stature];
    const [nx, ny, nz] = [level.normals[3 * vertex], level.normals[3 * vertex + 1], level.normals[3 * vertex + 2]];
    for (let row = 0; row < 3; row++) {
      let [place, normal] = [0, 0];
      for (let part = 0; part < 4; part++) {
        const share = level.shares[4 * vertex + part];
        if (share === 0) continue;
        const at = MATRIX * level.joints[4 * vertex + part] + 4 * row;
        place += share * (matrices[at] * x + matrices[at + 1] * y + matrices[at + 2] * z + matrices[at + 3]);
        normal += share * (matrices[at] * nx + matrices[at + 1] * ny + matrices[at + 2] * nz);
      }
      positions[3 * vertex + row] = place / stature;
      normals[3 * vertex + row] = normal;
    }
  }
}
