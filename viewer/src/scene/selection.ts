// The mark of who is selected: a ring round their feet, and an arrow head over them that is found in any crowd.

import { ConeGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry } from "three";
import { OKABE } from "./colours";

export class Selection {
  readonly group = new Group();
  private ring: Mesh;
  private cone: Mesh;

  constructor() {
    const flat = { transparent: true, depthWrite: false, toneMapped: false, side: DoubleSide } as const;
    this.ring = new Mesh(new RingGeometry(0.4, 0.5, 48), new MeshBasicMaterial({ ...flat, color: OKABE.vermilion, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -8 }));
    this.ring.position.z = 0.03;
    this.ring.renderOrder = 13;
    this.cone = new Mesh(new ConeGeometry(0.11, 0.2, 4), new MeshBasicMaterial({ color: OKABE.vermilion, toneMapped: false }));
    this.cone.rotation.x = -Math.PI / 2;
    this.group.add(this.ring, this.cone);
    this.group.visible = false;
  }

  /** Marks somebody who is so tall and so far from the camera, or nobody. */
  mark(at: { x: number; y: number; stature: number } | null, far: number): void {
    this.group.visible = at !== null;
    if (!at) return;
    // Never too small to be seen.
    const scale = Math.max(1, far / 28);
    this.group.position.set(at.x, at.y, 0);
    this.ring.scale.setScalar(scale);
    this.cone.scale.setScalar(scale);
    this.cone.position.z = at.stature + 0.12 + 0.14 * scale;
  }
}
