// What drives through the place on timed paths: a bus, a cart.

import { Group, Mesh } from "three";
import type { Place, Point } from "../protocol";
import type { Theme } from "./colours";
import { counterClockwise, doubleArea, Triangles } from "./shapes";
import { prism, solidMaterial } from "./walls";

type Mover = Place["movers"][number];

export class Movers {
  readonly group = new Group();
  private material = solidMaterial();
  private movers: Mover[] = [];

  build(movers: Mover[]): void {
    for (const mesh of this.group.children.splice(0)) (mesh as Mesh).geometry.dispose();
    this.movers = movers;
    for (const { polygon } of movers) {
      const solid = new Triangles();
      const ring = counterClockwise(polygon);
      prism(ring, doubleArea(ring) / 2 > 8 ? 2.9 : 1.3, solid);
      const mesh = new Mesh(solid.build(), this.material);
      mesh.castShadow = mesh.receiveShadow = true;
      this.group.add(mesh);
    }
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.mover);
  }

  /** Drives them to where they are at this simulated second. */
  drive(time: number): void {
    this.movers.forEach((mover, i) => {
      const at = placeAt(mover, time);
      const mesh = this.group.children[i];
      mesh.visible = at !== null;
      if (at) mesh.position.set(at[0], at[1], 0);
    });
  }
}

/** Where a mover's origin is; it is there from its path's first second to the last. */
function placeAt({ path, repeat }: Mover, time: number): Point | null {
  const [start, end] = [path[0][0], path[path.length - 1][0]];
  if (time < start || (time > end && !repeat)) return null;
  const at = repeat ? start + ((time - start) % (end - start)) : time;
  const next = Math.max(path.findIndex(([second]) => second > at), 1);
  const [from, to] = at >= end ? [path[path.length - 2], path[path.length - 1]] : [path[next - 1], path[next]];
  const share = (at - from[0]) / (to[0] - from[0]);
  return [from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share];
}
