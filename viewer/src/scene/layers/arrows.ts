// Velocities as arrows on the ground, as long as the way of a second.

import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three";
import { Figures } from "../figures";

const SLOWEST = 0.05;

export class Arrows {
  private figures: Figures;
  readonly mesh: Figures["mesh"];
  on = false;

  constructor(colour: string, order: number, height: number) {
    const geometry = new BufferGeometry();
    // Along: 0 the tail, 1 where the head begins, 2 the tip. Across: in half widths of the shaft.
    const corners = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0, 1, -3.2, 0, 2, 0, 0, 1, 3.2, 0];
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3, 4, 5, 6]);
    const material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -4,
      polygonOffsetUnits: -8,
      uniforms: { colour: { value: new Color(colour) } },
      // stand: x, y and the velocity.
      vertexShader: `
        attribute vec4 stand;
        void main() {
          float speed = length(stand.zw);
          vec2 along = stand.zw / speed;
          float far = (projectionMatrix * viewMatrix * vec4(stand.xy, 0.0, 1.0)).w;
          float half_width = max(0.035, far * 0.0011 * 2.4 / projectionMatrix[1][1]);
          float head = min(5.5 * half_width, 0.6 * speed);
          float on = position.x < 0.5 ? 0.0 : position.x < 1.5 ? speed - head : speed;
          vec2 at = stand.xy + along * on + vec2(-along.y, along.x) * position.y * half_width;
          gl_Position = projectionMatrix * viewMatrix * vec4(at, ${height.toFixed(3)}, 1.0);
        }`,
      fragmentShader: `
        uniform vec3 colour;
        void main() {
          gl_FragColor = vec4(colour, 0.92);
          #include <colorspace_fragment>
        }`,
    });
    this.figures = new Figures(geometry, material);
    this.mesh = this.figures.mesh;
    this.mesh.renderOrder = order;
  }

  /** Draws an arrow for each of `count` people; velocities lie `stride` apart. */
  update(count: number, x: Float32Array, y: Float32Array, vx: Float32Array | null, vy: Float32Array | null, stride: number): void {
    const { figures } = this;
    figures.clear();
    if (this.on && vx && vy) {
      for (let row = 0; row < count; row++) {
        const [a, b] = [vx[stride * row], vy[stride * row]];
        if (a * a + b * b > SLOWEST * SLOWEST) figures.add(x[row], y[row], a, b, 0, 0, 0, 0);
      }
    }
    figures.send();
  }
}
