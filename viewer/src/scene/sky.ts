// The sky, and the sun with its shadows.

import { BackSide, Color, DirectionalLight, Group, HemisphereLight, Mesh, ShaderChunk, ShaderMaterial, SphereGeometry, Vector3 } from "three";
import type { Theme } from "./colours";

/** Objects on this layer are seen by the sun and by nobody else: they only cast shadows. */
export const SHADOW_LAYER = 1;

const MAP = 2048;
/** Between these distances of the camera shadows fade: from farther away they are thinner than a pixel. */
const SHADOWS_FADE = [450, 650];

// The sun sees a square around what is looked at. Its shadows fade towards the square's edge, which would be seen as a line otherwise.
ShaderChunk.shadowmap_pars_fragment = ShaderChunk.shadowmap_pars_fragment.replace(
  "return mix( 1.0, shadow, shadowIntensity );",
  `vec2 fromMiddle = abs(shadowCoord.xy - 0.5);
  return mix(1.0, shadow, shadowIntensity * (1.0 - smoothstep(0.36, 0.49, max(fromMiddle.x, fromMiddle.y))));`,
);

export class Sky {
  readonly group = new Group();
  /** Towards the sun. */
  readonly direction = new Vector3(0, 0, 1);
  /** Where and how far around shadows are real; nowhere if the camera is too far away to see them. */
  readonly shadows = { x: 0, y: 0, radius: 30 };

  private reach = 0;
  private sun = new DirectionalLight();
  private ambient = new HemisphereLight();
  private dome: Mesh<SphereGeometry, ShaderMaterial>;

  constructor() {
    this.dome = new Mesh(new SphereGeometry(1, 32, 20), domeMaterial());
    this.dome.renderOrder = -10;
    this.dome.frustumCulled = false;
    // A hemisphere light shines from its position, and ours is above along z.
    this.ambient.position.set(0, 0, 1);
    const { shadow } = this.sun;
    this.sun.castShadow = true;
    shadow.mapSize.set(MAP, MAP);
    shadow.camera.layers.enable(SHADOW_LAYER);
    shadow.radius = 2.2;
    this.group.add(this.dome, this.sun, this.sun.target, this.ambient);
  }

  setTheme({ sky, sun, ambient }: Theme): void {
    const { zenith, horizon, glow, towards } = this.dome.material.uniforms;
    zenith.value.set(sky.zenith);
    horizon.value.set(sky.horizon);
    glow.value.set(sky.glow);
    this.direction.set(Math.cos(sun.height) * Math.cos(sun.from), Math.cos(sun.height) * Math.sin(sun.from), Math.sin(sun.height));
    towards.value.copy(this.direction);
    this.sun.color.set(sun.colour);
    this.sun.intensity = sun.strength;
    this.ambient.color.set(ambient.above);
    this.ambient.groundColor.set(ambient.below);
    this.ambient.intensity = ambient.strength;
  }

  /** The dome goes with the camera; shadows are where it looks, and reach the farther the farther away that is. */
  follow(camera: Vector3, far: number, x: number, y: number, distance: number): void {
    this.dome.position.copy(camera);
    this.dome.scale.setScalar(far * 0.9);
    const [from, to] = SHADOWS_FADE;
    const { shadow } = this.sun;
    shadow.intensity = Math.min(Math.max((to - distance) / (to - from), 0), 1);
    shadow.autoUpdate = shadow.intensity > 0;
    // In steps, so that edges of shadows do not crawl while the camera moves a little.
    const reach = 8 * 1.25 ** Math.ceil(Math.log(Math.max(0.9 * Math.min(distance, to), 8) / 8) / Math.log(1.25));
    const step = reach / 8;
    const [cx, cy] = [Math.round(x / step) * step, Math.round(y / step) * step];
    this.sun.target.position.set(cx, cy, 0);
    this.sun.position.set(cx, cy, 0).addScaledVector(this.direction, 2 * reach + 20);
    if (reach !== this.reach) {
      this.reach = reach;
      const { camera: eye } = shadow;
      eye.left = eye.bottom = -reach;
      eye.right = eye.top = reach;
      eye.near = 1;
      eye.far = 4 * reach + 40;
      eye.updateProjectionMatrix();
      shadow.normalBias = 0.015 + (1.6 * reach) / MAP;
      // A share of the depth, which is some metres in a wide view: shadows would not begin at feet and walls.
      shadow.bias = -Math.min(0.0006, 0.3 / eye.far);
    }
    Object.assign(this.shadows, { x: cx, y: cy, radius: shadow.intensity > 0 ? reach : 0 });
  }
}

function domeMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    uniforms: {
      zenith: { value: new Color() },
      horizon: { value: new Color() },
      glow: { value: new Color() },
      towards: { value: new Vector3() },
    },
    vertexShader: `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 zenith, horizon, glow, towards;
      varying vec3 way;
      void main() {
        vec3 at = normalize(way);
        float height = max(at.z, 0.0);
        vec3 colour = mix(horizon, zenith, 1.0 - pow(1.0 - height, 3.0));
        float near = max(dot(at, normalize(vec3(towards.xy, 0.12))), 0.0);
        colour = mix(colour, glow, 0.55 * pow(near, 6.0) * smoothstep(0.45, 0.0, height) * smoothstep(-0.02, 0.05, at.z));
        gl_FragColor = vec4(colour, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
  });
}
