// What every panel is given: the world, the picture, the connection, and who is selected.

import type { Stage } from "../stage";
import type { Connection, World } from "../world";
import type { Shortcuts } from "./keys";
import type { Pointer } from "./pointer";
import type { Theme } from "./theme";

export interface Page {
  world: World;
  stage: Stage;
  connection: Connection;
  canvas: HTMLCanvasElement;
  keys: Shortcuts;
  theme: Theme;
  selection: Selection;
  pointer: Pointer;
  /** Tells something in passing, without taking the focus. */
  toast(text: string): void;
}

/** The one person that is marked, followed and inspected. */
export class Selection {
  id: number | null = null;
  private listeners: ((id: number | null) => void)[] = [];

  constructor(
    private stage: Stage,
    private connection: Connection,
  ) {}

  on(listener: (id: number | null) => void): void {
    this.listeners.push(listener);
  }

  choose(id: number | null): void {
    if (id === this.id) return;
    this.id = id;
    this.stage.select(id);
    this.connection.always({ do: "inspect", id });
    for (const listener of this.listeners) listener(id);
  }
}
