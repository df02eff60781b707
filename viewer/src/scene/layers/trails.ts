// Where everybody was in the last seconds: lines that fade. However many walk, there are only so many pieces of line.

import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three";
import type { Moment } from "../../world";
import { LAYER_COLOURS } from "../colours";
import { Figures } from "../figures";

const SECONDS = 20;
const PIECES = 1 << 17;

export class Trails {
  private figures: Figures;
  readonly mesh: Figures["mesh"];
  private material: ShaderMaterial;
  private shown = false;
  private unsent = false;
  private next = 0;
  private time = -1;
  // By a person's place in the looks: who it was, and where.
  private ids = new Uint32Array(0);
  private x = new Float32Array(0);
  private y = new Float32Array(0);

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -3,
      polygonOffsetUnits: -6,
      uniforms: { colour: { value: new Color(LAYER_COLOURS.trails) }, now: { value: 0 } },
      // stand: from where to where; play: when.
      vertexShader: `
        attribute vec4 stand, play;
        uniform float now;
        varying float fresh;
        void main() {
          vec2 way = stand.zw - stand.xy;
          vec2 along = way / max(length(way), 1e-4);
          vec2 at = mix(stand.xy, stand.zw, position.x);
          float age = now - mix(play.x, play.y, position.x);
          fresh = age < -0.5 ? 0.0 : clamp(1.0 - age / ${SECONDS}.0, 0.0, 1.0);
          float far = (projectionMatrix * viewMatrix * vec4(at, 0.0, 1.0)).w;
          float half_width = max(0.03, far * 0.0014 * 2.4 / projectionMatrix[1][1]);
          at += vec2(-along.y, along.x) * position.y * half_width;
          gl_Position = fresh > 0.0 ? projectionMatrix * viewMatrix * vec4(at, 0.025, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
        }`,
      fragmentShader: `
        uniform vec3 colour;
        varying float fresh;
        void main() {
          gl_FragColor = vec4(colour, 0.95 * fresh);
          #include <colorspace_fragment>
        }`,
    });
    this.figures = new Figures(geometry, this.material);
    this.mesh = this.figures.mesh;
    this.mesh.renderOrder = 5;
  }

  set on(on: boolean) {
    this.shown = on;
    this.unsent = true;
    this.mesh.visible = on && this.figures.count > 0;
  }

  clear(): void {
    this.figures.clear();
    this.next = 0;
    this.time = -1;
    this.ids.fill(0);
    this.unsent = true;
  }

  /** Remembers also while nothing is shown, so that who turns it on sees the past at once. */
  update(moment: Moment, places: Int32Array, size: number): void {
    if (moment.time < this.time) this.clear();
    // So seldom that everybody's twenty seconds fit.
    const pause = Math.max(0.4, (SECONDS * moment.count) / PIECES);
    if (moment.time - this.time >= pause) this.sample(moment, places, size);
    this.material.uniforms.now.value = moment.time;
    if (this.shown && this.unsent) {
      this.figures.send();
      this.unsent = false;
    }
  }

  private sample({ count, ids, x, y, time }: Moment, places: Int32Array, size: number): void {
    if (this.ids.length < size) {
      const longer = new Uint32Array(size);
      longer.set(this.ids);
      this.ids = longer;
      const [xs, ys] = [new Float32Array(size), new Float32Array(size)];
      xs.set(this.x);
      ys.set(this.y);
      [this.x, this.y] = [xs, ys];
    }
    for (let row = 0; row < count; row++) {
      const place = places[row];
      const known = this.ids[place] === ids[row] + 1 && this.time >= 0;
      const [dx, dy] = [x[row] - this.x[place], y[row] - this.y[place]];
      // Who stands leaves no trail.
      if (known && dx * dx + dy * dy < 0.01) continue;
      if (known) {
        this.figures.set(this.next, this.x[place], this.y[place], x[row], y[row], this.time, time, 0, 0);
        this.next = (this.next + 1) % PIECES;
      }
      this.ids[place] = ids[row] + 1;
      this.x[place] = x[row];
      this.y[place] = y[row];
    }
    this.time = time;
    this.unsent = true;
  }
}
