// How crowded it is, and how fast people are, everywhere: two maps on the ground.

import { DataTexture, LinearFilter, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import type { Moment } from "../../world";
import { DENSITY_TOP, SPEED_TOP, viridis } from "../colours";
import type { Bounds } from "../shapes";

/** Standard deviation of the smoothing, m. */
const SMOOTHING = 0.7;
const MOST_CELLS = 160;
/** Milliseconds between two maps. */
const PAUSE = 150;

export class Heat {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private cell = 0.5;
  private columns = 1;
  private rows = 1;
  private low = [0, 0];
  private people = new Float32Array(1);
  private speeds = new Float32Array(1);
  private scratch = new Float32Array(1);
  private kernel = new Float32Array(1);
  private texture = new DataTexture(new Uint8Array(4), 1, 1);
  private drawn = -Infinity;
  private time = -1;

  constructor(private what: "density" | "speed") {
    const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2 });
    this.mesh = new Mesh(new PlaneGeometry(1, 1), material);
    this.mesh.renderOrder = 2;
    this.mesh.position.z = 0.01;
    this.mesh.visible = false;
  }

  set on(on: boolean) {
    this.mesh.visible = on;
    this.drawn = -Infinity;
    this.time = -1;
  }

  build({ low, high }: Bounds): void {
    const [width, depth] = [high[0] - low[0], high[1] - low[1]];
    this.cell = Math.max(0.4, Math.max(width, depth) / MOST_CELLS);
    this.low = low;
    this.columns = Math.ceil(width / this.cell) + 1;
    this.rows = Math.ceil(depth / this.cell) + 1;
    const size = this.columns * this.rows;
    this.people = new Float32Array(size);
    this.speeds = new Float32Array(size);
    this.scratch = new Float32Array(size);
    const sigma = Math.max(SMOOTHING / this.cell, 0.8);
    const reach = Math.ceil(2.5 * sigma);
    this.kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)));
    const sum = this.kernel.reduce((total, share) => total + share, 0);
    this.kernel.forEach((share, i) => (this.kernel[i] = share / sum));
    this.texture.dispose();
    this.texture = new DataTexture(new Uint8Array(4 * size), this.columns, this.rows);
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = this.texture.magFilter = LinearFilter;
    this.mesh.material.map = this.texture;
    this.mesh.material.needsUpdate = true;
    this.mesh.scale.set(this.columns * this.cell, this.rows * this.cell, 1);
    this.mesh.position.set(low[0] + (this.columns * this.cell) / 2, low[1] + (this.rows * this.cell) / 2, 0.01);
    this.on = this.mesh.visible;
  }

  update(moment: Moment, now: number): void {
    if (!this.mesh.visible || now - this.drawn < PAUSE || moment.time === this.time) return;
    this.drawn = now;
    this.time = moment.time;
    this.count(moment);
    this.smooth(this.people);
    if (this.what === "speed") this.smooth(this.speeds);
    this.paint();
  }

  private count({ count, x, y, vx, vy }: Moment): void {
    const { people, speeds, cell, columns, rows, low } = this;
    people.fill(0);
    speeds.fill(0);
    for (let row = 0; row < count; row++) {
      const [i, j] = [Math.floor((x[row] - low[0]) / cell), Math.floor((y[row] - low[1]) / cell)];
      if (i < 0 || j < 0 || i >= columns || j >= rows) continue;
      people[j * columns + i]++;
      speeds[j * columns + i] += Math.sqrt(vx[row] ** 2 + vy[row] ** 2);
    }
  }

  /** Gauss along rows, then along columns. */
  private smooth(field: Float32Array): void {
    const { scratch, kernel, columns, rows } = this;
    const reach = (kernel.length - 1) / 2;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        let sum = 0;
        for (let k = Math.max(-reach, -i); k <= Math.min(reach, columns - 1 - i); k++) sum += kernel[k + reach] * field[j * columns + i + k];
        scratch[j * columns + i] = sum;
      }
    }
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        let sum = 0;
        for (let k = Math.max(-reach, -j); k <= Math.min(reach, rows - 1 - j); k++) sum += kernel[k + reach] * scratch[(j + k) * columns + i];
        field[j * columns + i] = sum;
      }
    }
  }

  private paint(): void {
    const { people, speeds, cell, texture } = this;
    const { data } = texture.image as { data: Uint8Array };
    for (let i = 0; i < people.length; i++) {
      const density = people[i] / (cell * cell);
      const share = this.what === "density" ? density / DENSITY_TOP : speeds[i] / Math.max(people[i], 1e-6) / SPEED_TOP;
      const [r, g, b] = viridis(share);
      data[4 * i] = r;
      data[4 * i + 1] = g;
      data[4 * i + 2] = b;
      data[4 * i + 3] = 215 * Math.min(density / (this.what === "density" ? 0.35 : 0.15), 1);
    }
    texture.needsUpdate = true;
  }
}
