// People who are near: their surface is carried by joints, whose matrices lie in a texture, one row for each person.

import { DataTexture, FloatType, Group, NearestFilter, RGBAFormat } from "three";
import type { Body } from "../body";
import { figureDepthMaterial, figureMaterial, Figures, type FigureShader, STAND, surfaceOf } from "./figures";
import type { Looks } from "./looks";
import { MATRIX, type Skeleton } from "./skeleton";
import { SHADOW_LAYER } from "./sky";

export class Skinned {
  readonly group = new Group();
  /** The finest surface, the second, and the third, which only casts shadows. */
  readonly fine: Figures;
  readonly middle: Figures;
  readonly shadows: Figures;
  private bones: Bones;

  constructor(body: Body, looks: Looks, private skeleton: Skeleton) {
    this.bones = new Bones(body.joints.length);
    const shader: FigureShader = {
      uniforms: { looks: looks.texture, bones: this.bones.texture },
      head: `${looks.shader}\n${SKIN(body.stature)}\n${FIGURE}`,
      tint: "tint = look(stand.w, slot + 1.0).rgb;",
    };
    const material = figureMaterial(shader);
    this.fine = new Figures(surfaceOf(body.levels[0]), material);
    this.middle = new Figures(surfaceOf(body.levels[1]), material);
    this.shadows = new Figures(surfaceOf(body.levels[2]), material);
    this.fine.mesh.receiveShadow = this.middle.mesh.receiveShadow = true;
    this.shadows.mesh.castShadow = true;
    this.shadows.mesh.customDepthMaterial = figureDepthMaterial(shader);
    this.shadows.mesh.layers.set(SHADOW_LAYER);
    this.group.add(this.fine.mesh, this.middle.mesh, this.shadows.mesh);
  }

  clear(): void {
    for (const figures of [this.fine, this.middle, this.shadows]) figures.clear();
    this.bones.count = 0;
  }

  /** Keeps the skeleton's pose; the answer is its row. */
  keepPose(): number {
    return this.bones.add(this.skeleton);
  }

  send(): void {
    this.bones.texture.value.needsUpdate = this.bones.count > 0;
    for (const figures of [this.fine, this.middle, this.shadows]) figures.send();
  }
}

/** Joint matrices of many people as a texture that grows. */
export class Bones {
  readonly texture: { value: DataTexture };
  count = 0;
  private size = 64;

  constructor(private joints: number) {
    this.texture = { value: this.make() };
  }

  add(skeleton: Skeleton): number {
    if (this.count === this.size) this.grow();
    skeleton.matrices(this.data, this.count * this.joints * MATRIX);
    return this.count++;
  }

  private get data(): Float32Array {
    return (this.texture.value.image as { data: Float32Array }).data;
  }

  private grow(): void {
    const old = this.texture.value;
    this.size *= 2;
    this.texture.value = this.make();
    this.data.set((old.image as { data: Float32Array }).data);
    old.dispose();
  }

  private make(): DataTexture {
    const width = (this.joints * MATRIX) / 4;
    const texture = new DataTexture(new Float32Array(4 * width * this.size), width, this.size, RGBAFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
  }
}

/** `skin`: a vertex carried by the joints in a row, for a stature of 1 m. */
export const SKIN = (stature: number) => `
  attribute vec3 heavier;
  attribute vec3 female;
  attribute vec4 joints;
  attribute vec4 shares;
  attribute float slot;
  uniform highp sampler2D bones;
  void skin(float row, float build, float figure, out vec3 at, out vec3 towards) {
    vec4 rest = vec4((position + heavier * (build - 1.0) + female * figure) * ${stature.toFixed(4)}, 1.0);
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    for (int i = 0; i < 4; i++) {
      ivec2 texel = ivec2(3 * int(joints[i] + 0.5), int(row + 0.5));
      x += shares[i] * texelFetch(bones, texel, 0);
      y += shares[i] * texelFetch(bones, texel + ivec2(1, 0), 0);
      z += shares[i] * texelFetch(bones, texel + ivec2(2, 0), 0);
    }
    at = vec3(dot(x, rest), dot(y, rest), dot(z, rest)) / ${stature.toFixed(4)};
    towards = normalize(vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal)));
  }`;

const FIGURE = `
  ${STAND}
  void figure(out vec3 at, out vec3 towards) {
    vec4 shape = look(stand.w, 0.0);
    skin(play.x, shape.y, shape.z, at, towards);
    at = turned(at * shape.x, stand.z) + vec3(stand.xy, 0.0);
    towards = turned(towards, stand.z);
  }`;
