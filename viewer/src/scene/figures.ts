// Many people in one draw call: a surface that is drawn once for each, and a material whose shader puts them where they stand.

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
} from "three";
import type { Level } from "../body";

/** A surface with two numbers of four parts for each person: `stand` (x, y, heading, place in the looks) and `play` (as the shader reads it). */
export class Figures {
  readonly mesh: Mesh<InstancedBufferGeometry, Material>;
  count = 0;
  private stand: Float32Array = new Float32Array(0);
  private play: Float32Array = new Float32Array(0);

  constructor(surface: BufferGeometry, material: Material) {
    const geometry = new InstancedBufferGeometry();
    geometry.index = surface.index;
    for (const [name, attribute] of Object.entries(surface.attributes)) geometry.setAttribute(name, attribute);
    this.mesh = new Mesh(geometry, material);
    // Where the shader puts people no box knows of.
    this.mesh.frustumCulled = false;
    this.grow(64);
    this.send();
  }

  clear(): void {
    this.count = 0;
  }

  add(x: number, y: number, heading: number, place: number, a: number, b: number, c: number, d: number): void {
    this.set(this.count, x, y, heading, place, a, b, c, d);
  }

  /** Writes over somebody, or adds them after the last. */
  set(row: number, x: number, y: number, heading: number, place: number, a: number, b: number, c: number, d: number): void {
    if (4 * row >= this.stand.length) this.grow(2 * row);
    this.count = Math.max(this.count, row + 1);
    const at = 4 * row;
    const { stand, play } = this;
    stand[at] = x;
    stand[at + 1] = y;
    stand[at + 2] = heading;
    stand[at + 3] = place;
    play[at] = a;
    play[at + 1] = b;
    play[at + 2] = c;
    play[at + 3] = d;
  }

  /** Puts somebody elsewhere. */
  move(row: number, x: number, y: number, heading: number): void {
    this.stand[4 * row] = x;
    this.stand[4 * row + 1] = y;
    this.stand[4 * row + 2] = heading;
  }

  /** Hands what was added to the graphics card. */
  send(): void {
    const { geometry } = this.mesh;
    geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    if (this.count === 0) return;
    for (const name of ["stand", "play"]) {
      const attribute = geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 4 * this.count);
      attribute.needsUpdate = true;
    }
  }

  private grow(size: number): void {
    const { geometry } = this.mesh;
    geometry.dispose();
    const longer = (old: Float32Array, name: string): Float32Array => {
      const column = new Float32Array(4 * size);
      column.set(old);
      geometry.setAttribute(name, new InstancedBufferAttribute(column, 4).setUsage(DynamicDrawUsage));
      return column;
    };
    this.stand = longer(this.stand, "stand");
    this.play = longer(this.play, "play");
  }
}

/** A level of the body for the graphics card. */
export function surfaceOf(level: Level): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(level.indices, 1));
  geometry.setAttribute("position", new BufferAttribute(level.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(level.normals, 3));
  geometry.setAttribute("heavier", new BufferAttribute(level.heavier, 3));
  geometry.setAttribute("female", new BufferAttribute(level.female, 3));
  geometry.setAttribute("joints", new BufferAttribute(level.joints, 4));
  geometry.setAttribute("shares", new BufferAttribute(level.shares, 4));
  geometry.setAttribute("slot", new BufferAttribute(level.slots, 1));
  return geometry;
}

/** What the shaders of a figure need besides the body's own. */
export interface FigureShader {
  uniforms: Record<string, { value: unknown }>;
  /** Declares what it needs and `void figure(out vec3 at, out vec3 towards)`: position and normal in the world. */
  head: string;
  /** Sets `tint` after the figure is known. */
  tint: string;
  fragmentHead?: string;
  /** Changes `diffuseColor` before it is lit. */
  fragment?: string;
}

const INSTANCE = "attribute vec4 stand;\nattribute vec4 play;\n";

// Programs are told apart by the text of `onBeforeCompile`, which is the same for all figures; hence the keys.
export function figureMaterial({ uniforms, head, tint, fragmentHead = "", fragment = "diffuseColor.rgb *= tint;" }: FigureShader): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${INSTANCE}varying vec3 tint;\n${head}`)
      .replace("#include <beginnormal_vertex>", `vec3 figureAt; vec3 objectNormal; figure(figureAt, objectNormal);\n${tint}`)
      .replace("#include <begin_vertex>", "vec3 transformed = figureAt;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 tint;\n${fragmentHead}`)
      .replace("#include <color_fragment>", fragment);
  };
  material.customProgramCacheKey = () => head + tint + fragment;
  return material;
}

/** The same figure as the sun sees it. */
export function figureDepthMaterial({ uniforms, head }: FigureShader): MeshDepthMaterial {
  const material = new MeshDepthMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${INSTANCE}${head}`)
      .replace("#include <begin_vertex>", "vec3 transformed; vec3 figureNormal; figure(transformed, figureNormal);");
  };
  material.customProgramCacheKey = () => head;
  return material;
}

/** Turns a figure by its heading and puts it where it stands. */
export const STAND = `
  vec3 turned(vec3 at, float heading) {
    float c = cos(heading), s = sin(heading);
    return vec3(c * at.x - s * at.y, s * at.x + c * at.y, at.z);
  }`;
