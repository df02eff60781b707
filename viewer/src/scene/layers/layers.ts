// All layers: which are shown, and what they are fed with.

import { Group } from "three";
import type { Body } from "../../body";
import type { Point, SceneMessage, SituationShape } from "../../protocol";
import type { Layer } from "../../stage";
import type { Moment, World } from "../../world";
import { KIND_COLOURS, LAYER_COLOURS, type Theme } from "../colours";
import type { Box } from "../labels";
import type { Looks } from "../looks";
import type { Bounds } from "../shapes";
import { Areas } from "./areas";
import { Arrows } from "./arrows";
import { Cells } from "./cells";
import { Contacts } from "./contacts";
import { Feet } from "./feet";
import { Heat } from "./heat";
import { Path } from "./path";
import { Trails } from "./trails";

export class Layers {
  readonly group = new Group();
  private regions = new Areas(3, 0.014);
  private situations = new Areas(4, 0.02);
  private cells = new Cells();
  private path = new Path();
  private velocities = new Arrows(LAYER_COLOURS.velocities, 10, 0.05);
  private desired = new Arrows(LAYER_COLOURS.desired, 9, 0.04);
  private density = new Heat("density");
  private speed = new Heat("speed");
  private trails = new Trails();
  private contacts = new Contacts();
  private feet: Feet;
  private shapes = "";

  constructor(body: Body, world: World) {
    this.feet = new Feet(body, world);
    this.group.add(
      this.regions.group, this.situations.group, this.cells.cells, this.cells.portals, this.cells.abstraction, this.path.mesh,
      this.velocities.mesh, this.desired.mesh, this.density.mesh, this.speed.mesh, this.trails.mesh, this.contacts.mesh, this.feet.mesh,
    );
    world.on("cells", (cells) => this.cells.build(cells));
    world.on("inspected", (inspected) => this.path.build(inspected));
    if (world.cells) this.cells.build(world.cells);
    if (world.inspected) this.path.build(world.inspected);
  }

  set(layer: Layer, on: boolean): void {
    switch (layer) {
      case "regions":
      case "situations":
        this[layer].group.visible = on;
        break;
      case "cells":
      case "portals":
      case "abstraction":
        this.cells[layer].visible = on;
        break;
      case "path":
        this.path.visible = on;
        break;
      default:
        this[layer].on = on;
    }
  }

  setLevel(level: number): void {
    this.cells.setLevel(level);
  }

  setTheme(theme: Theme): void {
    this.regions.setTheme(theme);
    this.situations.setTheme(theme);
  }

  resize(width: number, height: number): void {
    this.regions.labels.resize(width, height);
    this.situations.labels.resize(width, height);
  }

  /** Hides names that would lie on others. */
  spread(project: (at: Point, height: number) => Point | null): void {
    const taken: Box[] = [];
    for (const { group, labels } of [this.situations, this.regions]) if (group.visible) labels.spread(project, taken);
  }

  /** Another scene. */
  build({ place, situations }: SceneMessage, bounds: Bounds): void {
    this.regions.build(place.regions.map(({ name, polygon }) => ({ name, rings: [polygon], colour: LAYER_COLOURS.regions, asleep: false })));
    this.show(situations);
    this.cells.build(null);
    this.path.build(null);
    this.density.build(bounds);
    this.speed.build(bounds);
    this.trails.clear();
    this.feet.clear();
  }

  /** Situations as they are now. */
  show(situations: SituationShape[]): void {
    const shapes = JSON.stringify(situations.map(({ name, rings, active }) => [name, rings, active]));
    if (shapes === this.shapes) return;
    this.shapes = shapes;
    const colour = (i: number) => KIND_COLOURS[(i + 1) % KIND_COLOURS.length];
    this.situations.build(situations.map(({ name, rings, active }, i) => ({ name, rings, colour: colour(i), asleep: !active })));
  }

  /** Nobody is inspected any more. */
  forgetPath(): void {
    this.path.build(null);
  }

  update(moment: Moment, looks: Looks, now: number): void {
    const { count, x, y, vx, vy, frame } = moment;
    this.velocities.update(count, x, y, vx, vy, 1);
    const wanted = frame.desired;
    this.desired.update(count, x, y, wanted, wanted && wanted.subarray(1), 2);
    this.density.update(moment, now);
    this.speed.update(moment, now);
    this.trails.update(moment, looks.places, looks.size);
    this.contacts.update(moment, looks);
    this.feet.update(moment.time);
  }
}
