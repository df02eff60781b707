// What makes people differ: stature, build, figure and colours, in a texture that all shaders of people read. Everybody who is there
// has a place in it for as long as they are.

import { Color, DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import type { Frame } from "../../../crates/server/page/frames.js";
import type { Body } from "../body";
import type { Person } from "../protocol";

/** People in a row of the texture. */
const ACROSS = 32;

export class Looks {
  /** Texels of a person: shape, then one colour for each slot of the body. */
  readonly stride: number;
  readonly texture: { value: DataTexture };
  /** For every row of the last frame the person's place here. */
  places = new Int32Array(0);
  /** Places there are. */
  size = 256;

  private data: Float32Array = new Float32Array(0);
  private placeOf = new Map<number, number>();
  private free: number[] = [];
  private seen: Uint32Array = new Uint32Array(256);
  private stamp = 0;
  private colour = new Color();

  constructor(body: Body) {
    this.stride = 1 + body.slots.length;
    this.texture = { value: this.make(this.size) };
    this.forget();
  }

  forget(): void {
    this.placeOf.clear();
    this.free = Array.from({ length: this.size }, (_, i) => this.size - 1 - i);
  }

  /** Gives newcomers a place and takes it from those who have left. */
  admit(frame: Frame, people: Map<number, Person>, came: (place: number, row: number) => void): void {
    if (this.places.length < frame.count) this.places = new Int32Array(Math.ceil(1.5 * frame.count) + 64);
    this.stamp++;
    for (let row = 0; row < frame.count; row++) {
      const id = frame.ids[row];
      let place = this.placeOf.get(id);
      if (place === undefined) {
        if (this.free.length === 0) this.grow();
        place = this.free.pop()!;
        this.placeOf.set(id, place);
        this.write(place, people.get(id));
        came(place, row);
      }
      this.places[row] = place;
      this.seen[place] = this.stamp;
    }
    if (this.placeOf.size === frame.count) return;
    for (const [id, place] of this.placeOf) {
      if (this.seen[place] === this.stamp) continue;
      this.placeOf.delete(id);
      this.free.push(place);
    }
  }

  stature(place: number): number {
    return this.data[4 * this.stride * place];
  }

  radius(place: number): number {
    return this.data[4 * this.stride * place + 3];
  }

  private write(place: number, person: Person | undefined): void {
    const { data } = this;
    const at = 4 * this.stride * place;
    data.set([person?.stature ?? 1.72, person?.build ?? 1, person?.female ?? 0, person?.radius ?? 0.25], at);
    for (let slot = 0; slot + 1 < this.stride; slot++) {
      const [r, g, b] = person?.colours.slice(3 * slot, 3 * slot + 3) ?? [150, 150, 150];
      this.colour.setRGB((r ?? 150) / 255, (g ?? 150) / 255, (b ?? 150) / 255, "srgb");
      this.colour.toArray(data, at + 4 * (slot + 1));
    }
    this.texture.value.needsUpdate = true;
  }

  private grow(): void {
    const [old, texture] = [this.data, this.texture.value];
    const before = this.size;
    this.size *= 2;
    this.texture.value = this.make(this.size);
    this.data.set(old);
    texture.dispose();
    for (let place = this.size - 1; place >= before; place--) this.free.push(place);
    const seen = new Uint32Array(this.size);
    seen.set(this.seen);
    this.seen = seen;
  }

  private make(size: number): DataTexture {
    const [width, height] = [this.stride * ACROSS, size / ACROSS];
    this.data = new Float32Array(4 * width * height);
    const texture = new DataTexture(this.data, width, height, RGBAFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
  }

  /** For shaders: `look(place, 0)` is stature, build, figure, radius; `look(place, 1 + slot)` a colour. */
  get shader(): string {
    return `
      uniform highp sampler2D looks;
      vec4 look(float place, float part) {
        int at = int(place + 0.5);
        return texelFetch(looks, ivec2((at % ${ACROSS}) * ${this.stride} + int(part + 0.5), at / ${ACROSS}), 0);
      }`;
  }
}
