// The built-in body: its joints, surfaces and clips, from the bytes of /body.bin.
//
// The file is the length of a JSON text (4 bytes, lowest first), that text, and numbers that it points into. The figure stands at the
// origin, faces +x, z is up. `crates/server/src/body_file.rs` writes it.

import { HIPS_GRID, unpackRotation } from "../../crates/server/page/frames.js";

export interface Joint {
  name: string;
  /** -1 for the hips. */
  parent: number;
  /** From the parent's joint in its frame, m, for `stature`. */
  offset: [number, number, number];
  /** Against the parent at rest: x, y, z, w. */
  rest: [number, number, number, number];
}

/** A closed surface at rest; row i of all columns is the same vertex. */
export interface Level {
  vertices: number;
  triangles: number;
  /** Metres for a stature of 1 m. */
  positions: Float32Array;
  normals: Float32Array;
  /** How far a vertex moves for one unit more of build (1 is the middle), and from a man's to a woman's figure. */
  heavier: Float32Array;
  female: Float32Array;
  /** Four joints that carry it, and by how much. */
  joints: Uint8Array;
  shares: Float32Array;
  /** Which slot (skin, hair, top...) it belongs to. */
  slots: Uint8Array;
  indices: Uint32Array;
}

export interface Clip {
  name: string;
  /** Seconds. */
  duration: number;
  looped: boolean;
  /** Mean velocity in the figure's frame, m/s. */
  velocity: [number, number];
  frames: number;
  /** Offset of the hips, x y z for each frame, m. */
  hips: Float32Array;
  /** Of every joint against its parent, x y z w for each joint of each frame. */
  rotations: Float32Array;
}

export interface Body {
  /** What clips and offsets are made for, m; others are scaled as a whole. */
  stature: number;
  joints: Joint[];
  /** Numbers of joints by what they are. */
  roles: Record<string, number>;
  slots: string[];
  /** Finest first. */
  levels: Level[];
  clips: Clip[];
  /** Number of the clip of who stands. */
  idle: number;
}

interface Table {
  stature: number;
  joints: Joint[];
  roles: Record<string, number>;
  slots: string[];
  idle: number;
  levels: { vertices: number; triangles: number; at: Record<string, number> }[];
  clips: { name: string; duration: number; looped: boolean; velocity: [number, number]; frames: number; at: number }[];
}

export function readBody(buffer: ArrayBuffer): Body {
  const length = new DataView(buffer).getUint32(0, true);
  const table = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Table;
  const start = 4 + length;
  const levels = table.levels.map(({ vertices, triangles, at }): Level => {
    const floats = (name: string, each: number) => new Float32Array(buffer, start + at[name], each * vertices);
    return {
      vertices,
      triangles,
      positions: floats("positions", 3),
      normals: floats("normals", 3),
      heavier: floats("heavier", 3),
      female: floats("female", 3),
      shares: floats("shares", 4),
      joints: new Uint8Array(buffer, start + at.joints, 4 * vertices),
      slots: new Uint8Array(buffer, start + at.slots, vertices),
      indices: new Uint32Array(buffer, start + at.indices, 3 * triangles),
    };
  });
  const count = table.joints.length;
  const clips = table.clips.map(({ at, ...clip }): Clip => {
    const words = new DataView(buffer, start + at);
    const hips = new Float32Array(3 * clip.frames);
    const rotations = new Float32Array(4 * count * clip.frames);
    let byte = 0;
    for (let frame = 0; frame < clip.frames; frame++) {
      for (let axis = 0; axis < 3; axis++, byte += 2) hips[3 * frame + axis] = words.getInt16(byte, true) * HIPS_GRID;
      for (let joint = 0; joint < count; joint++, byte += 6) {
        const packed = [0, 2, 4].map((part) => words.getUint16(byte + part, true));
        unpackRotation(packed, rotations, 4 * (count * frame + joint));
      }
    }
    return { ...clip, hips, rotations };
  });
  const { stature, joints, roles, slots, idle } = table;
  return { stature, joints, roles, slots, levels, clips, idle };
}
