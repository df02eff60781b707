// Frames as they come over the socket, unpacked. Plain JavaScript, because the page without a bundle uses it as it is.
//
// A frame is told as what has changed since the last one that this connection was sent, so every frame has to be read, in
// order; none is ever missing in between. `crates/server/src/packet.rs` writes what this reads and describes every byte.

/** Positions are whole numbers of this many metres, from the scene's origin. */
export const GRID = 1 / 256;
/** Offsets of hips are whole numbers of this many metres. */
export const HIPS_GRID = 1 / 8192;
/** Desired velocities are whole numbers of this many metres a second. */
export const VELOCITY_GRID = 1 / 32;

const KEY = 1;
const BODIES = 2;
const DESIRED = 4;
const POSES = 8;

/**
 * @typedef {object} Poses Full poses of those near the camera.
 * @property {number} count How many.
 * @property {Uint32Array} rows Which rows of the frame they belong to, rising.
 * @property {Uint8Array} planted Which feet stand: 1 left, 2 right.
 * @property {Float32Array} hips Offset of the hips from the root, m: x, y, z for each.
 * @property {Float32Array} rotations Of every joint against its parent: x, y, z, w for each joint of each.
 */

/**
 * @typedef {object} Frame One moment: columns of equal length, in the order of ids.
 * @property {number} tick
 * @property {number} count How many people are there.
 * @property {Uint32Array} ids
 * @property {Float32Array} x Metres from the scene's origin.
 * @property {Float32Array} y
 * @property {Float32Array} heading Radians from the x axis.
 * @property {Uint8Array | null} clips Number of the clip that a body plays, 255: no body; null where nobody has one.
 * @property {Uint8Array | null} phases Of the clip's cycle, in 256 parts.
 * @property {Float32Array | null} desired Desired velocities where they were asked for, m/s: x, y for each.
 * @property {Poses | null} poses
 */

/** Reads bytes one after another. */
class Bytes {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }

  byte() {
    return this.view.getUint8(this.at++);
  }

  /** Seven bits a byte, lowest first; the eighth tells that more follow. */
  number() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  /** A number with a sign: 0, -1, 1, -2, 2 are 0, 1, 2, 3, 4. */
  signed() {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  int16() {
    this.at += 2;
    return this.view.getInt16(this.at - 2, true);
  }

  uint16() {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
}

/** Keeps what the last frame said, and makes the next one of it. */
export class FrameReader {
  /** @param {number} joints How many joints a body has. */
  constructor(joints) {
    this.joints = joints;
    this.count = 0;
    this.grow(64);
  }

  /** @param {number} size */
  grow(size) {
    /** @type {(old: Int32Array | undefined) => Int32Array} */
    const longer = (old) => {
      const column = new Int32Array(size);
      if (old) column.set(old);
      return column;
    };
    this.ids = longer(this.ids);
    this.x = longer(this.x);
    this.y = longer(this.y);
    // How far everybody went from the frame before last to the last.
    this.dx = longer(this.dx);
    this.dy = longer(this.dy);
  }

  /**
   * The frame in a message.
   * @param {ArrayBuffer} buffer
   * @returns {Frame}
   */
  read(buffer) {
    const bytes = new Bytes(buffer);
    const kind = bytes.byte();
    if (kind !== 1) throw new Error(`a message of kind ${kind} is no frame`);
    const flags = bytes.byte();
    const tick = bytes.number();
    if (flags & KEY) this.count = 0;
    this.forget(bytes);
    this.move(bytes);
    this.admit(bytes);
    const count = this.count;
    const frame = {
      tick,
      count,
      ids: new Uint32Array(count),
      x: new Float32Array(count),
      y: new Float32Array(count),
      heading: new Float32Array(count),
      clips: flags & BODIES ? new Uint8Array(count) : null,
      phases: flags & BODIES ? new Uint8Array(count) : null,
      desired: flags & DESIRED ? new Float32Array(2 * count) : null,
      /** @type {Poses | null} */
      poses: null,
    };
    for (let row = 0; row < count; row++) {
      frame.ids[row] = this.ids[row] >>> 0;
      frame.x[row] = this.x[row] * GRID;
      frame.y[row] = this.y[row] * GRID;
    }
    for (let row = 0; row < count; row++) frame.heading[row] = (bytes.byte() * Math.PI) / 128;
    if (frame.clips && frame.phases) {
      for (let row = 0; row < count; row++) frame.clips[row] = bytes.byte();
      for (let row = 0; row < count; row++) frame.phases[row] = bytes.byte();
    }
    if (frame.desired) {
      for (let i = 0; i < 2 * count; i++) frame.desired[i] = ((bytes.byte() << 24) >> 24) * VELOCITY_GRID;
    }
    if (flags & POSES) frame.poses = this.poses(bytes);
    return frame;
  }

  /** Those who have left. @param {Bytes} bytes */
  forget(bytes) {
    const left = bytes.number();
    let next = 0;
    let kept = 0;
    for (let i = 0; i <= left; i++) {
      const gone = i < left ? next + bytes.number() : this.count;
      for (let row = next; row < gone; row++, kept++) {
        if (kept === row) continue;
        for (const column of [this.ids, this.x, this.y, this.dx, this.dy]) column[kept] = column[row];
      }
      next = gone + 1;
    }
    this.count = kept;
  }

  /** Those who have stayed go on as before, and a little differently. @param {Bytes} bytes */
  move(bytes) {
    for (let row = 0; row < this.count; row++) {
      this.dx[row] += bytes.signed();
      this.dy[row] += bytes.signed();
      this.x[row] += this.dx[row];
      this.y[row] += this.dy[row];
    }
  }

  /** Those who have come take their places in the order of ids. @param {Bytes} bytes */
  admit(bytes) {
    const came = bytes.number();
    if (came === 0) return;
    const newcomers = [];
    let id = 0;
    for (let i = 0; i < came; i++) {
      id += bytes.number();
      newcomers.push({ id, x: bytes.signed(), y: bytes.signed() });
    }
    const count = this.count + came;
    if (count > this.ids.length) this.grow(Math.max(count, 2 * this.ids.length));
    // From behind, so that nobody is written over before they have moved up.
    let old = this.count - 1;
    let fresh = came - 1;
    for (let row = count - 1; fresh >= 0; row--) {
      const newcomer = newcomers[fresh];
      if (old >= 0 && this.ids[old] >>> 0 > newcomer.id) {
        for (const column of [this.ids, this.x, this.y, this.dx, this.dy]) column[row] = column[old];
        old--;
      } else {
        this.ids[row] = newcomer.id;
        this.x[row] = newcomer.x;
        this.y[row] = newcomer.y;
        this.dx[row] = 0;
        this.dy[row] = 0;
        fresh--;
      }
    }
    this.count = count;
  }

  /**
   * @param {Bytes} bytes
   * @returns {Poses}
   */
  poses(bytes) {
    const count = bytes.number();
    const joints = this.joints;
    const poses = {
      count,
      rows: new Uint32Array(count),
      planted: new Uint8Array(count),
      hips: new Float32Array(3 * count),
      rotations: new Float32Array(4 * joints * count),
    };
    let row = -1;
    for (let i = 0; i < count; i++) {
      row += 1 + bytes.number();
      poses.rows[i] = row;
      poses.planted[i] = bytes.byte();
      for (let axis = 0; axis < 3; axis++) poses.hips[3 * i + axis] = bytes.int16() * HIPS_GRID;
      for (let joint = 0; joint < joints; joint++) {
        const packed = [bytes.uint16(), bytes.uint16(), bytes.uint16()];
        unpackRotation(packed, poses.rotations, 4 * (joints * i + joint));
      }
    }
    return poses;
  }
}

/**
 * A rotation of unit length from its three smallest parts: 15 bits each from -sqrt(1/2) to sqrt(1/2); the highest bits of the
 * first two tell which part was left out.
 * @param {number[]} packed
 * @param {Float32Array} to
 * @param {number} at
 */
export function unpackRotation(packed, to, at) {
  const [a = 0, b = 0, c = 0] = packed;
  const largest = (a >> 15) | ((b >> 15) << 1);
  let rest = 1;
  let part = 0;
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    const bits = (part === 0 ? a : part === 1 ? b : c) & 32767;
    const value = (bits / 32767 * 2 - 1) * Math.SQRT1_2;
    to[at + i] = value;
    rest -= value * value;
    part++;
  }
  to[at + largest] = Math.sqrt(Math.max(rest, 0));
}

