// Flat drawings on the ground, one above another in a fixed order, which hide nothing that stands.

import { type BufferGeometry, Color, DoubleSide, Mesh, MeshBasicMaterial } from "three";
import type { Triangles } from "./shapes";

/** A colour as corners of triangles have it, with opacity. */
export function tinted(hex: string, opacity: number): number[] {
  const { r, g, b } = new Color(hex);
  return [r, g, b, opacity];
}

const material = new MeshBasicMaterial({
  vertexColors: true,
  transparent: true,
  depthWrite: false,
  side: DoubleSide,
  toneMapped: false,
  polygonOffset: true,
  polygonOffsetFactor: -2,
  polygonOffsetUnits: -4,
});

/** A mesh whose drawing can be replaced. */
export class Overlay {
  readonly mesh: Mesh<BufferGeometry>;

  constructor(order: number) {
    this.mesh = new Mesh(undefined, material);
    this.mesh.renderOrder = order;
    this.mesh.visible = false;
  }

  draw(triangles: Triangles): void {
    this.mesh.geometry.dispose();
    this.mesh.geometry = triangles.build();
    this.mesh.visible = !triangles.empty;
  }
}
