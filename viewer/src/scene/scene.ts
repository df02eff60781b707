// The picture: puts ground, walls, people and layers together and draws them.

import { ACESFilmicToneMapping, PCFShadowMap, Scene, WebGLRenderer } from "three";
import type { Body } from "../body";
import type { ChangedMessage, Point, Ring, SceneMessage } from "../protocol";
import type { CameraMode, Layer, Sketch, Stage } from "../stage";
import type { Moment, World } from "../world";
import { Cameras } from "./cameras";
import { DAY, DUSK, type Theme } from "./colours";
import { Controls } from "./controls";
import { Doors } from "./doors";
import { Ground } from "./ground";
import { Layers } from "./layers/layers";
import { Movers } from "./movers";
import { People, SKINNED_PIXELS } from "./people";
import { picked, projected } from "./picking";
import { Selection } from "./selection";
import { bounds } from "./shapes";
import { SketchView } from "./sketch";
import { Sky } from "./sky";
import { Walls } from "./walls";

export class Scene3D implements Stage {
  covered = (): [number, number] => [0, 0];
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private cameras = new Cameras();
  private controls: Controls;
  private sky = new Sky();
  private ground3d = new Ground();
  private walls = new Walls();
  private doors = new Doors();
  private movers = new Movers();
  private people: People;
  private layers: Layers;
  private selection = new Selection();
  private sketchView = new SketchView();
  private theme: Theme = DAY;
  private moment: Moment | null = null;
  private selected: number | null = null;
  private last = 0;
  private put = "";

  constructor(private canvas: HTMLCanvasElement, private world: World, body: Body) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // One frame is more than one pass; we say ourselves when counting begins.
    this.renderer.info.autoReset = false;
    this.people = new People(this.renderer, body, world);
    this.layers = new Layers(body, world);
    this.controls = new Controls(canvas, this.cameras, (x, y) => this.ground(x, y));
    this.scene.add(
      this.sky.group, this.ground3d.group, this.walls.group, this.doors.group, this.movers.group, this.people.group,
      this.layers.group, this.selection.group, this.sketchView.mesh,
    );
    this.setTheme(false);
    this.resize();
    world.on("scene", (scene) => this.build(scene));
    world.on("changed", (changed) => this.change(changed));
    if (world.scene) this.build(world.scene);
    if (world.changed) this.change(world.changed);
  }

  get camera(): CameraMode {
    return this.cameras.mode;
  }

  render(now: number): void {
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.renderer.info.reset();
    this.moment = this.world.at(now);
    this.controls.update(seconds);
    this.follow();
    this.cameras.update(seconds);
    const { x, y, distance } = this.cameras.target();
    const { camera } = this.cameras;
    this.sky.follow(camera.position, camera.far, x, y, distance);
    if (this.moment) {
      this.movers.drive(this.moment.time);
      this.people.update(this.moment, camera, this.canvas.clientHeight, this.sky);
      this.layers.update(this.moment, this.people.looks, now);
    }
    this.layers.spread((at, height) => this.project(at, height));
    this.renderer.render(this.scene, camera);
  }

  resize(): void {
    const [width, height] = [this.canvas.clientWidth || 1, this.canvas.clientHeight || 1];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.cameras.camera.aspect = width / height;
    this.layers.resize(width, height);
  }

  setCamera(mode: CameraMode): void {
    this.cameras.setMode(mode);
  }

  select(id: number | null): void {
    this.selected = id;
    if (id === null) this.layers.forgetPath();
  }

  pick(x: number, y: number): number | null {
    return this.moment && picked(this.moment, this.cameras.camera, this.canvas.clientWidth, this.canvas.clientHeight, x, y);
  }

  ground(x: number, y: number): Point | null {
    return this.cameras.ground((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
  }

  project(at: Point, height = 0): Point | null {
    return projected(this.cameras.camera, this.canvas.clientWidth, this.canvas.clientHeight, at[0], at[1], height);
  }

  setLayer(layer: Layer, on: boolean): void {
    this.layers.set(layer, on);
  }

  setLevel(level: number): void {
    this.layers.setLevel(level);
  }

  sketch(sketch: Sketch | null): void {
    this.sketchView.draw(sketch);
  }

  setTheme(dark: boolean): void {
    this.theme = dark ? DUSK : DAY;
    this.renderer.toneMappingExposure = this.theme.exposure;
    this.sky.setTheme(this.theme);
    for (const part of [this.ground3d, this.walls, this.doors, this.movers, this.layers]) part.setTheme(this.theme);
    this.people.setTheme(this.theme, this.sky);
  }

  hold(held: boolean): void {
    this.controls.hold(held);
  }

  lookAt(at: Point, distance: number, elevation?: number, azimuth?: number): void {
    this.cameras.lookAt(at, distance, elevation, azimuth);
  }

  interest(): { x: number; y: number; radius: number; most: number } {
    const { x, y, distance } = this.cameras.target();
    // So far away people are as low as that; half of the way to them is already behind the point that is looked at.
    const reach = (1.7 * distance * this.canvas.clientHeight) / (SKINNED_PIXELS * this.cameras.heightAt(distance));
    const radius = Math.max(reach - 0.6 * distance, 0);
    return { x, y, radius, most: radius > 0 ? Math.min(400, Math.round(40 * radius)) : 0 };
  }

  stats(): { calls: number; triangles: number; skinned: number; baked: number; impostors: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles, ...this.people.counts };
  }

  private build(scene: SceneMessage): void {
    const { place } = scene;
    this.put = "";
    this.ground3d.build(place.areas);
    this.walls.build(place, []);
    this.doors.build(place.doors);
    this.movers.build(place.movers);
    this.people.forget();
    const around = bounds(place.areas.map((rings) => rings[0]));
    this.layers.build(scene, around);
    const [left, right] = this.covered().map((pixels) => pixels / (this.canvas.clientWidth || 1));
    this.cameras.frame(around, [left, right]);
  }

  private change({ doors, put, situations }: ChangedMessage): void {
    this.doors.build(doors);
    this.layers.show(situations);
    // Walls are many; they are built again only when something was put or taken away.
    const rings: Ring[] = put.map(({ polygon }) => polygon);
    const text = JSON.stringify(rings);
    if (text === this.put || !this.world.scene) return;
    this.put = text;
    this.walls.build(this.world.scene.place, rings);
  }

  /** Marks and follows who is selected. */
  private follow(): void {
    const { moment, selected } = this;
    const row = moment && selected !== null ? moment.ids.indexOf(selected) : -1;
    if (!moment || row < 0) {
      this.cameras.follow(null);
      this.selection.mark(null, 0);
      return;
    }
    const at = { x: moment.x[row], y: moment.y[row], heading: moment.heading[row], stature: this.world.people.get(selected!)?.stature ?? 1.75 };
    this.cameras.follow(at);
    this.selection.mark(at, this.cameras.target().distance);
  }
}
