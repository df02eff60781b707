// A soft shade on the ground below everybody: all there is of a shadow for those far away, and the dark under the soles of the others.

import { BufferAttribute, BufferGeometry, ShaderMaterial, Vector3 } from "three";
import { Figures } from "./figures";

export class Blobs {
  readonly figures: Figures;
  private material: ShaderMaterial;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
      uniforms: { sun: { value: new Vector3() }, shade: { value: 0.5 } },
      // play.x: 1 for who casts no other shadow, 0 for who does.
      vertexShader: `
        attribute vec4 stand, play;
        uniform vec3 sun;
        varying vec2 off;
        varying float strength;
        void main() {
          off = position.xy;
          float alone = play.x;
          vec2 along = -normalize(sun.xy);
          float reach = min(1.7 * length(sun.xy) / sun.z, 2.4);
          float half_length = mix(0.3, 0.25 + 0.5 * reach, alone);
          vec2 middle = stand.xy + along * alone * 0.5 * reach;
          vec2 at = middle + along * position.x * half_length + vec2(-along.y, along.x) * position.y * mix(0.3, 0.27, alone);
          strength = mix(0.75, 0.95, alone);
          gl_Position = projectionMatrix * viewMatrix * vec4(at, 0.012, 1.0);
        }`,
      fragmentShader: `
        uniform float shade;
        varying vec2 off;
        varying float strength;
        void main() {
          float square = dot(off, off);
          gl_FragColor = vec4(0.03, 0.03, 0.05, strength * shade * smoothstep(1.0, 0.0, square));
        }`,
    });
    this.figures = new Figures(geometry, this.material);
    this.figures.mesh.renderOrder = 6;
  }

  setLight(sun: Vector3, shade: number): void {
    this.material.uniforms.sun.value.copy(sun);
    this.material.uniforms.shade.value = shade;
  }
}
