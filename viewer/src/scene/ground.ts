// The floor people walk on, and the ground around it that fades into the horizon.

import { CircleGeometry, Color, Group, Mesh, MeshLambertMaterial, Vector2 } from "three";
import type { Ring } from "../protocol";
import type { Theme } from "./colours";
import { bounds, Triangles } from "./shapes";

export class Ground {
  readonly group = new Group();
  private floor: Mesh | null = null;
  private outside: Mesh;
  private floorMaterial = pavedMaterial();
  private outsideMaterial = fadingMaterial();

  constructor() {
    this.outside = new Mesh(new CircleGeometry(1, 96), this.outsideMaterial);
    this.outside.receiveShadow = true;
    this.outside.position.z = -0.04;
    this.outside.renderOrder = -5;
    this.group.add(this.outside);
  }

  build(areas: Ring[][]): void {
    this.floor?.geometry.dispose();
    this.floor?.removeFromParent();
    const triangles = new Triangles();
    for (const rings of areas) triangles.flat(rings, 0, [1, 1, 1]);
    this.floor = new Mesh(triangles.build(), this.floorMaterial);
    this.floor.receiveShadow = true;
    this.group.add(this.floor);
    const { centre, radius } = bounds(areas.map((rings) => rings[0]));
    this.outside.position.set(centre[0], centre[1], -0.04);
    this.outside.scale.setScalar(40 * radius + 400);
    const { fade, about } = this.outsideMaterial.userData as Fade;
    about.value.set(centre[0], centre[1]);
    fade.value.set(1.15 * radius + 4, 5 * radius + 60);
  }

  setTheme(theme: Theme): void {
    this.floorMaterial.color.set(theme.floor);
    (this.floorMaterial.userData as { joint: { value: number } }).joint.value = theme.joint;
    this.outsideMaterial.color.set(theme.ground);
    (this.outsideMaterial.userData as Fade).horizon.value.set(theme.sky.horizon);
  }
}

interface Fade {
  about: { value: Vector2 };
  fade: { value: Vector2 };
  horizon: { value: Color };
}

/** Lets a material's shaders know where on the ground a point is. */
function withPlace(material: MeshLambertMaterial, uniforms: Record<string, { value: unknown }>, head: string, after: string, body: string): void {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 groundAt;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ngroundAt = (modelMatrix * vec4(position, 1.0)).xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec2 groundAt;\n${head}`)
      .replace(after, `${after}\n${body}`);
  };
  material.customProgramCacheKey = () => body;
}

/** Slabs of a metre, each a little different; joints vanish where they would only flicker. */
function pavedMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  const joint = { value: 0.1 };
  material.userData = { joint };
  const head = `
    uniform float joint;
    float chance(vec2 at) { return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453); }
    float joints(vec2 at, float width, vec2 pixel) {
      vec2 off = abs(fract(at - 0.5) - 0.5);
      vec2 line = 1.0 - smoothstep(vec2(width), vec2(width) + pixel, off);
      return max(line.x, line.y) * smoothstep(0.3, 0.04, max(pixel.x, pixel.y));
    }`;
  const body = `
    vec2 pixel = fwidth(groundAt);
    vec2 slab = floor(groundAt);
    float seen = smoothstep(0.5, 0.08, max(pixel.x, pixel.y));
    float tint = (chance(slab) - 0.5) * 0.035 * seen + (chance(floor(groundAt / 5.0)) - 0.5) * 0.012;
    diffuseColor.rgb *= 1.0 + tint;
    diffuseColor.rgb *= 1.0 - joint * joints(groundAt, 0.008, pixel);
    diffuseColor.rgb *= 1.0 - 0.6 * joint * joints(groundAt / 5.0, 0.004, pixel / 5.0);`;
  withPlace(material, { joint }, head, "#include <color_fragment>", body);
  return material;
}

function fadingMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  const uniforms = { about: { value: new Vector2() }, fade: { value: new Vector2(10, 100) }, horizon: { value: new Color() } };
  material.userData = uniforms;
  const head = "uniform vec2 about, fade;\nuniform vec3 horizon;";
  const body = "outgoingLight = mix(outgoingLight, horizon, smoothstep(fade.x, fade.y, distance(groundAt, about)));";
  // Mixed after lighting: the far end has to meet the sky's colour whatever the sun does.
  withPlace(material, uniforms, head, "#include <envmap_fragment>", body);
  return material;
}
