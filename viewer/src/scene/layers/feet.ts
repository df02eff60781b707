// Footprints: where a foot came to stand, for people whose whole pose is known.

import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three";
import type { Frame } from "../../../../crates/server/page/frames.js";
import type { Body } from "../../body";
import type { World } from "../../world";
import { LAYER_COLOURS } from "../colours";
import { Figures } from "../figures";
import { Pose, Skeleton } from "../skeleton";

const SECONDS = 20;
const PRINTS = 4096;

export class Feet {
  private figures: Figures;
  readonly mesh: Figures["mesh"];
  private material: ShaderMaterial;
  private skeleton: Skeleton;
  private pose: Pose;
  private shown = false;
  private next = 0;
  private time = -1;
  /** Who had which feet on the ground in the last frame. */
  private stood = new Map<number, number>();
  private standing = new Map<number, number>();

  constructor(private body: Body, private world: World) {
    this.skeleton = new Skeleton(body);
    this.pose = new Pose(body);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -4,
      polygonOffsetUnits: -8,
      uniforms: { colour: { value: new Color(LAYER_COLOURS.feet) }, now: { value: 0 } },
      // stand: x, y, direction, when; play: half the length, and the side (1 left, -1 right).
      vertexShader: `
        attribute vec4 stand, play;
        uniform float now;
        varying vec2 off;
        varying float fresh;
        void main() {
          float age = now - stand.w;
          fresh = age < -0.5 ? 0.0 : clamp(1.0 - age / ${SECONDS}.0, 0.0, 1.0);
          off = vec2(position.x, position.y * play.y);
          vec2 along = vec2(cos(stand.z), sin(stand.z)) * play.x;
          vec2 at = stand.xy + along * position.x + vec2(-along.y, along.x) * position.y * 0.45;
          gl_Position = projectionMatrix * viewMatrix * vec4(at, 0.028, 1.0);
        }`,
      fragmentShader: `
        uniform vec3 colour;
        varying vec2 off;
        varying float fresh;
        void main() {
          // A sole and a heel.
          float sole = length((off - vec2(0.38, 0.08)) / vec2(0.58, 0.8));
          float heel = length((off - vec2(-0.62, 0.0)) / vec2(0.34, 0.6));
          float shown = smoothstep(1.05, 0.9, min(sole, heel));
          gl_FragColor = vec4(colour, shown * fresh * 0.9);
          #include <colorspace_fragment>
        }`,
    });
    this.figures = new Figures(geometry, this.material);
    this.mesh = this.figures.mesh;
    this.mesh.renderOrder = 7;
    world.on("frame", (frame) => this.take(frame));
  }

  set on(on: boolean) {
    this.shown = on;
    this.mesh.visible = on && this.figures.count > 0;
  }

  clear(): void {
    this.figures.clear();
    this.stood.clear();
    this.next = 0;
    this.time = -1;
  }

  update(time: number): void {
    this.material.uniforms.now.value = time;
    if (this.shown) this.figures.send();
  }

  private take(frame: Frame): void {
    const time = this.world.seconds(frame.tick);
    if (time < this.time) this.clear();
    this.time = time;
    const { poses } = frame;
    this.standing.clear();
    for (let i = 0; poses && i < poses.count; i++) {
      const row = poses.rows[i];
      const id = frame.ids[row];
      const before = this.stood.get(id) ?? 0;
      const fresh = poses.planted[i] & ~before;
      this.standing.set(id, poses.planted[i]);
      if (!fresh) continue;
      this.pose.mix(poses.hips, i, poses.rotations, poses.hips, i, poses.rotations, 0);
      this.skeleton.stand(this.pose);
      if (fresh & 1) this.print(frame, row, "left", time);
      if (fresh & 2) this.print(frame, row, "right", time);
    }
    [this.stood, this.standing] = [this.standing, this.stood];
  }

  private print(frame: Frame, row: number, side: "left" | "right", time: number): void {
    const { places } = this.skeleton;
    const { roles, stature } = this.body;
    const [foot, toe] = [roles[`${side}Foot`], roles[`${side}Toe`]];
    const scale = (this.world.people.get(frame.ids[row])?.stature ?? stature) / stature;
    const heading = frame.heading[row];
    const [cos, sin] = [Math.cos(heading) * scale, Math.sin(heading) * scale];
    const [dx, dy] = [places[3 * toe] - places[3 * foot], places[3 * toe + 1] - places[3 * foot + 1]];
    const [x, y] = [places[3 * foot] + 0.3 * dx, places[3 * foot + 1] + 0.3 * dy];
    const at = [frame.x[row] + cos * x - sin * y, frame.y[row] + sin * x + cos * y];
    this.figures.set(this.next, at[0], at[1], heading + Math.atan2(dy, dx), time, 0.15 * scale, side === "left" ? 1 : -1, 0, 0);
    this.next = (this.next + 1) % PRINTS;
  }
}
