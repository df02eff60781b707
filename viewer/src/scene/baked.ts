// People in the middle distance: where every vertex is in every frame of every clip was worked out once and lies in a texture.

import { DataTexture, DataUtils, Group, HalfFloatType, NearestFilter, RGBAFormat } from "three";
import type { Body } from "../body";
import { figureDepthMaterial, figureMaterial, Figures, type FigureShader, STAND, surfaceOf } from "./figures";
import type { Looks } from "./looks";
import { type ClipPoses, MATRIX, Pose, posedSurface, type Skeleton } from "./skeleton";
import { SHADOW_LAYER } from "./sky";

const LEVEL = 2;

export class Baked {
  readonly group = new Group();
  readonly figures: Figures;
  readonly shadows: Figures;

  constructor(body: Body, looks: Looks, skeleton: Skeleton, clips: ClipPoses) {
    const shader: FigureShader = {
      uniforms: { looks: looks.texture, frames: { value: bake(body, skeleton, clips) } },
      head: looks.shader + FIGURE,
      tint: "tint = look(stand.w, slot + 1.0).rgb;",
    };
    const surface = surfaceOf(body.levels[LEVEL]);
    // The texture has them carried already.
    surface.deleteAttribute("joints");
    surface.deleteAttribute("shares");
    const material = figureMaterial(shader);
    this.figures = new Figures(surface, material);
    this.figures.mesh.receiveShadow = true;
    this.shadows = new Figures(surface, material);
    this.shadows.mesh.castShadow = true;
    this.shadows.mesh.customDepthMaterial = figureDepthMaterial(shader);
    this.shadows.mesh.layers.set(SHADOW_LAYER);
    this.group.add(this.figures.mesh, this.shadows.mesh);
  }

  clear(): void {
    this.figures.clear();
    this.shadows.clear();
  }

  send(): void {
    this.figures.send();
    this.shadows.send();
  }
}

/** A row for each pose, a column for each vertex: its place for a stature of 1 m, and its normal in one number. */
function bake(body: Body, skeleton: Skeleton, clips: ClipPoses): DataTexture {
  const level = body.levels[LEVEL];
  const [width, height] = [level.vertices, clips.count];
  const texels = new Uint16Array(4 * width * height);
  const pose = new Pose(body);
  const matrices = new Float32Array(MATRIX * body.joints.length);
  const [positions, normals] = [new Float32Array(3 * width), new Float32Array(3 * width)];
  for (let row = 0; row < height; row++) {
    pose.mix(clips.hips, row, clips.rotations, clips.hips, row, clips.rotations, 0);
    skeleton.stand(pose);
    skeleton.matrices(matrices, 0);
    posedSurface(level, body.stature, matrices, positions, normals);
    for (let vertex = 0; vertex < width; vertex++) {
      const at = 4 * (width * row + vertex);
      for (let axis = 0; axis < 3; axis++) texels[at + axis] = DataUtils.toHalfFloat(positions[3 * vertex + axis]);
      texels[at + 3] = DataUtils.toHalfFloat(packed(normals[3 * vertex], normals[3 * vertex + 1], normals[3 * vertex + 2]));
    }
  }
  const texture = new DataTexture(texels, width, height, RGBAFormat, HalfFloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** A direction on an octahedron unfolded to 45 by 45 squares: whole numbers up to 2048 are exact in half a float. */
function packed(x: number, y: number, z: number): number {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
  let [u, v] = [x / sum, y / sum];
  if (z < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  const square = (part: number) => Math.min(Math.floor((0.5 + 0.5 * part) * 45), 44);
  return square(u) * 45 + square(v);
}

const FIGURE = `
  attribute vec3 heavier;
  attribute vec3 female;
  attribute float slot;
  uniform highp sampler2D frames;
  ${STAND}
  vec3 unpacked(float number) {
    vec2 at = (vec2(floor(number / 45.0), mod(number, 45.0)) + 0.5) / 22.5 - 1.0;
    vec3 way = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    if (way.z < 0.0) way.xy = (1.0 - abs(way.yx)) * vec2(way.x < 0.0 ? -1.0 : 1.0, way.y < 0.0 ? -1.0 : 1.0);
    return normalize(way);
  }
  void figure(out vec3 at, out vec3 towards) {
    vec4 shape = look(stand.w, 0.0);
    vec4 a = texelFetch(frames, ivec2(gl_VertexID, int(play.x + 0.5)), 0);
    vec4 b = texelFetch(frames, ivec2(gl_VertexID, int(play.y + 0.5)), 0);
    // Build and figure as they are at rest: at this distance nobody sees that an arm's width should swing with it.
    vec3 posed = mix(a.xyz, b.xyz, play.z) + heavier * (shape.y - 1.0) + female * shape.z;
    at = turned(posed * shape.x, stand.z) + vec3(stand.xy, 0.0);
    towards = turned(normalize(mix(unpacked(a.w), unpacked(b.w), play.z)), stand.z);
  }`;
