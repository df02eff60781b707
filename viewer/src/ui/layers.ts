// What can be drawn over the scene, each with a legend.

import type { SceneMessage } from "../protocol";
import { LAYERS, type Layer } from "../stage";
import { el, say } from "./dom";
import { LEGENDS, legend } from "./legends";
import type { Page } from "./page";
import type { Panel } from "./panel";

const GROUPS: [string, Layer[]][] = [
  ["Crowd", ["density", "speed", "trails", "velocities", "desired", "contacts", "feet"]],
  ["Place", ["regions", "situations", "cells", "portals", "abstraction"]],
  ["Selected person", ["path"]],
];
const FROM_THE_START: Layer[] = ["regions", "situations"];
const OF_CELLS: Layer[] = ["cells", "portals", "abstraction"];

/** Why a layer has nothing to show in this scene. */
function missing(layer: Layer, { can, live }: SceneMessage): string | null {
  if (OF_CELLS.includes(layer) && !can.cells) return "This scene has no map of cells.";
  if (layer === "desired" && !can.desired) return live ? "Nobody here wishes to walk." : "Recordings do not hold wishes; watch the scenario live.";
  return null;
}

export function layers(panel: Panel, page: Page): void {
  const { world, stage, connection } = page;
  const on = new Set<Layer>(FROM_THE_START);
  const rows = new Map<Layer, { box: HTMLInputElement; note: HTMLElement; row: HTMLElement }>();
  const level = el("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": "Level of abstraction", input: showLevel });
  const levelName = el("output", {}, "0");
  let askedForCells = false;

  function set(layer: Layer, shown: boolean): void {
    if (shown) on.add(layer);
    else on.delete(layer);
    stage.setLayer(layer, shown);
    rows.get(layer)!.row.dataset.on = String(shown);
    if (layer === "desired") connection.always({ do: "desired", on: shown });
    if (shown && OF_CELLS.includes(layer)) askForCells();
  }

  function askForCells(): void {
    if (askedForCells || !world.scene?.can.cells) return;
    askedForCells = true;
    connection.send({ do: "cells" });
  }

  function showLevel(): void {
    stage.setLevel(Number(level.value));
    const cells = world.cells?.levels[Number(level.value)];
    say(levelName, cells ? `${level.value} of ${level.max}: ${new Set(cells).size} cells` : level.value);
  }

  function row(layer: Layer): HTMLElement {
    const { title, what } = LEGENDS[layer];
    const box = el("input", { type: "checkbox", id: `layer-${layer}`, role: "switch", checked: on.has(layer), "aria-describedby": `legend-${layer}`, change: () => set(layer, box.checked) });
    const note = el("p", { class: "missing" });
    const extra = layer === "abstraction" ? el("label", { class: "level" }, "Level ", level, levelName) : null;
    const detail = el("div", { class: "legend", id: `legend-${layer}` }, el("p", {}, what), legend(layer), extra);
    const root = el("li", { class: "layer", "data-layer": layer, "data-on": String(on.has(layer)) }, el("label", { class: "switch" }, swatch(layer), el("span", {}, title), box), note, detail);
    rows.set(layer, { box, note, row: root });
    return root;
  }

  for (const [name, members] of GROUPS) {
    panel.body.append(el("h3", {}, name), el("ul", { class: "layer-list", "aria-label": name }, ...members.map(row)));
  }
  for (const layer of LAYERS) stage.setLayer(layer, on.has(layer));

  world.on("scene", (scene) => {
    for (const [layer, { box, note, row }] of rows) {
      const why = missing(layer, scene);
      box.disabled = why !== null;
      row.dataset.missing = String(why !== null);
      say(note, why ?? "");
      if (why && on.has(layer)) set(layer, (box.checked = false));
    }
    // After a reconnection the page knows no cells.
    askedForCells = false;
    if (OF_CELLS.some((layer) => on.has(layer))) askForCells();
  });
  world.on("cells", ({ levels }) => {
    level.max = String(Math.max(levels.length - 1, 0));
    showLevel();
  });
}

function swatch(layer: Layer): HTMLElement {
  const { colour } = LEGENDS[layer];
  return el("span", { class: "swatch", style: `background:${colour}`, "aria-hidden": "true" });
}
