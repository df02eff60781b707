// Marks where two people's discs touch.

import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three";
import type { Moment } from "../../world";
import { LAYER_COLOURS } from "../colours";
import { Figures } from "../figures";
import type { Looks } from "../looks";

/** As wide as two large people, m. */
const CELL = 0.9;
/** Places come on a grid of 4 mm, so two who touch may be told to be this far apart, m. */
const GRID = 0.006;
const SIZE = 1 << 14;
const MOST = 4000;

export class Contacts {
  private figures: Figures;
  readonly mesh: Figures["mesh"];
  on = false;
  /** First person in each hashed cell, and the next in the same one. */
  private first = new Int32Array(SIZE);
  private next = new Int32Array(0);

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      // Between two bodies nothing would be seen of it.
      depthTest: false,
      uniforms: { colour: { value: new Color(LAYER_COLOURS.contacts) } },
      vertexShader: `
        attribute vec4 stand;
        varying vec2 off;
        void main() {
          off = position.xy;
          float far = (projectionMatrix * viewMatrix * vec4(stand.xy, 0.0, 1.0)).w;
          float size = max(0.42, far * 0.008 * 2.4 / projectionMatrix[1][1]);
          gl_Position = projectionMatrix * viewMatrix * vec4(stand.xy + position.xy * size, 0.04, 1.0);
        }`,
      fragmentShader: `
        uniform vec3 colour;
        varying vec2 off;
        void main() {
          float r = length(off);
          float ring = smoothstep(1.0, 0.92, r) * smoothstep(0.6, 0.68, r);
          float dot = smoothstep(0.34, 0.28, r);
          gl_FragColor = vec4(colour, max(ring, dot) * 0.95);
          #include <colorspace_fragment>
        }`,
    });
    this.figures = new Figures(geometry, material);
    this.mesh = this.figures.mesh;
    this.mesh.renderOrder = 14;
  }

  update(moment: Moment, looks: Looks): void {
    this.figures.clear();
    if (this.on) this.find(moment, looks);
    this.figures.send();
  }

  private find({ count, x, y }: Moment, looks: Looks): void {
    const { first, figures } = this;
    if (this.next.length < count) this.next = new Int32Array(Math.ceil(1.5 * count) + 64);
    first.fill(-1);
    for (let row = 0; row < count && figures.count < MOST; row++) {
      const [i, j] = [Math.floor(x[row] / CELL), Math.floor(y[row] / CELL)];
      const radius = looks.radius(looks.places[row]);
      for (let di = -1; di <= 1; di++) {
        for (let dj = -1; dj <= 1; dj++) {
          for (let other = first[hash(i + di, j + dj)]; other >= 0; other = this.next[other]) {
            const [dx, dy] = [x[other] - x[row], y[other] - y[row]];
            const sum = radius + looks.radius(looks.places[other]) + GRID;
            if (dx * dx + dy * dy < sum * sum) figures.add(x[row] + dx / 2, y[row] + dy / 2, 0, 0, 0, 0, 0, 0);
          }
        }
      }
      const cell = hash(i, j);
      this.next[row] = first[cell];
      first[cell] = row;
    }
  }
}

function hash(i: number, j: number): number {
  return ((Math.imul(i, 73856093) ^ Math.imul(j, 19349663)) >>> 0) % SIZE;
}
