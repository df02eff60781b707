// Names in the picture: all on one texture and in one draw call, always as large as text should be.

import { BufferAttribute, BufferGeometry, CanvasTexture, LinearFilter, ShaderMaterial, SRGBColorSpace, Vector2 } from "three";
import type { Point } from "../protocol";
import type { Theme } from "./colours";
import { Figures } from "./figures";

/** Left, top, right and bottom on the page. */
export type Box = [number, number, number, number];

export interface Label {
  text: string;
  at: Point;
  z: number;
  colour: string;
}

const LETTER = 26;
const LINE = 42;
const ATLAS = 2048;
/** Texels for a pixel of the page. */
const SHARPNESS = 2;
const LONGEST = 36;

export class Labels {
  readonly figures: Figures;
  private labels: Label[] = [];
  /** Where each is on the atlas: left, top, width. */
  private spots: [number, number, number][] = [];
  private hidden: boolean[] = [];
  private written = "[]";
  private theme: Theme | null = null;
  private canvas = document.createElement("canvas");
  private material: ShaderMaterial;
  private texture: CanvasTexture;

  constructor() {
    this.canvas.width = this.canvas.height = 4;
    this.texture = this.make();
    this.material = new ShaderMaterial({
      transparent: true,
      depthTest: false,
      depthWrite: false,
      uniforms: { atlas: { value: this.texture }, view: { value: new Vector2(1, 1) }, size: { value: new Vector2(1, 1) } },
      // stand: x, y, z and nothing; play: left, top, width, height on the atlas, in texels.
      vertexShader: `
        attribute vec4 stand, play;
        uniform vec2 view, size;
        varying vec2 on;
        void main() {
          vec2 corner = position.xy;
          on = vec2(play.x + corner.x * play.z, play.y + (1.0 - corner.y) * play.w) / size;
          on.y = 1.0 - on.y;
          gl_Position = projectionMatrix * viewMatrix * vec4(stand.xyz, 1.0);
          // On whole pixels: text between them is blurred.
          vec2 pixels = floor((gl_Position.xy / gl_Position.w * 0.5 + 0.5) * view) + (corner - vec2(0.5, 0.0)) * play.zw / ${SHARPNESS}.0;
          gl_Position.xy = (pixels / view * 2.0 - 1.0) * gl_Position.w;
        }`,
      fragmentShader: `
        uniform sampler2D atlas;
        varying vec2 on;
        void main() {
          gl_FragColor = texture2D(atlas, on);
          #include <colorspace_fragment>
        }`,
    });
    const card = new BufferGeometry();
    card.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), 3));
    card.setIndex([0, 1, 2, 0, 2, 3]);
    this.figures = new Figures(card, this.material);
    this.figures.mesh.renderOrder = 30;
  }

  set(labels: Label[]): void {
    const written = JSON.stringify(labels.map(({ text, colour }) => [text, colour]));
    this.labels = labels;
    // What only moved needs no new letters.
    if (written === this.written) labels.slice(0, this.figures.count).forEach(({ at, z }, i) => this.figures.move(i, at[0], at[1], z));
    else if (this.theme) this.draw(this.theme);
    this.written = written;
    this.figures.send();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.draw(theme);
  }

  /** Hides those that would lie on one that is taken already; the others take their place. */
  spread(project: (at: Point, height: number) => Point | null, taken: Box[]): void {
    let changed = false;
    this.spots.forEach(([left, top, width], i) => {
      const { at, z } = this.labels[i];
      const spot = project(at, z);
      const half = width / SHARPNESS / 2;
      const box: Box | null = spot && [spot[0] - half, spot[1] - LINE / SHARPNESS, spot[0] + half, spot[1]];
      const hides = !box || taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
      if (box && !hides) taken.push(box);
      if (hides === this.hidden[i]) return;
      this.hidden[i] = hides;
      this.figures.set(i, at[0], at[1], z, 0, left, top, hides ? 0 : width, LINE);
      changed = true;
    });
    if (changed) this.figures.send();
  }

  resize(width: number, height: number): void {
    this.material.uniforms.view.value.set(width, height);
  }

  private draw(theme: Theme): void {
    const { figures, canvas } = this;
    figures.clear();
    const paint = canvas.getContext("2d")!;
    const font = `600 ${LETTER}px system-ui, sans-serif`;
    paint.font = font;
    const texts = this.labels.map(({ text }) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text));
    const widths = texts.map((text) => Math.ceil(paint.measureText(text).width) + 44);
    let [x, y] = [0, 0];
    const spots = widths.map((width): Point => {
      if (x + width > ATLAS) [x, y] = [0, y + LINE];
      x += width;
      return [x - width, y];
    });
    // As many as there is room for.
    const fitting = spots.filter(([, top]) => top + LINE <= ATLAS).length;
    this.spots = spots.slice(0, fitting).map(([left, top], i) => [left, top, widths[i]]);
    this.hidden = this.spots.map(() => false);
    canvas.width = ATLAS;
    canvas.height = 2 ** Math.ceil(Math.log2(Math.min(y + LINE, ATLAS)));
    paint.font = font;
    paint.textBaseline = "middle";
    for (let i = 0; i < fitting; i++) {
      const [left, top] = spots[i];
      const { at, z, colour } = this.labels[i];
      paint.fillStyle = theme.paper;
      paint.globalAlpha = 0.86;
      paint.beginPath();
      paint.roundRect(left + 2, top + 3, widths[i] - 4, LINE - 6, 10);
      paint.fill();
      paint.globalAlpha = 1;
      paint.fillStyle = colour;
      paint.beginPath();
      paint.arc(left + 18, top + LINE / 2, 7, 0, 2 * Math.PI);
      paint.fill();
      paint.fillStyle = theme.ink;
      paint.fillText(texts[i], left + 33, top + LINE / 2 + 1);
      figures.add(at[0], at[1], z, 0, left, top, widths[i], LINE);
    }
    this.texture.dispose();
    this.texture = this.make();
    this.material.uniforms.atlas.value = this.texture;
    this.material.uniforms.size.value.set(canvas.width, canvas.height);
    figures.send();
  }

  private make(): CanvasTexture {
    const texture = new CanvasTexture(this.canvas);
    texture.minFilter = texture.magFilter = LinearFilter;
    texture.generateMipmaps = false;
    texture.colorSpace = SRGBColorSpace;
    return texture;
  }
}
