// The brush: tools to change a live run, what was changed, and the scenario that repeats it.

import { KINDS } from "../protocol";
import { download, el, fill, icon, say, type Icon } from "./dom";
import type { Page } from "./page";
import { lowerSheets, type Panel } from "./panel";
import { tools, type Settings } from "./tools";

const TOOLS: [string, string, Icon][] = [
  ["paint", "Paint", "brush"],
  ["move", "Move", "move"],
  ["resize", "Resize", "resize"],
  ["remove", "Remove", "remove"],
  ["obstacle", "Obstacle", "obstacle"],
  ["door", "Door", "door"],
  ["drop", "Drop", "drop"],
  ["goal", "Goal", "goal"],
];
const KIND_WORDS: Record<(typeof KINDS)[number], string> = {
  follow: "walk along a stroke",
  gather: "come together here",
  wait: "wait a while here",
  hurry: "walk faster here",
  stop: "stand still here",
  talk: "stop and talk here",
};

export function brush(panel: Panel, page: Page): void {
  const { world, connection, pointer, keys, toast } = page;
  const settings: Settings = { kind: "follow", width: 4, shape: "circle", number: 1, population: "", goes: "person" };
  const all = tools(page, settings);
  const refusal = el("p", { class: "missing" });
  const options = el("div", { class: "options" });
  const buttons = TOOLS.map(([id, title, picture]) => el("button", { type: "button", "data-tool": id, "aria-pressed": "false", click: () => pointer.use(all[id]) }, icon(picture), el("span", {}, title)));
  const undo = el("button", { type: "button", class: "plain", disabled: true, click: () => connection.send({ do: "undo" }) }, icon("undo"), "Undo");
  const redo = el("button", { type: "button", class: "plain", disabled: true, click: () => connection.send({ do: "redo" }) }, icon("redo"), "Redo");
  const save = el("button", { type: "button", class: "plain wide", "data-do": "save", click: () => connection.send({ do: "scenario" }) }, icon("download"), "Save as scenario");
  const changes = el("div", { class: "changes" });
  // Not `:has(:focus-visible)`: between two of them nothing has the focus, and what is hidden then cannot get it.
  const focused = (event: FocusEvent) => (work.dataset.keys = String((event.target as Element).matches(":focus-visible")));
  const work = el("div", { class: "work", focusin: focused }, el("div", { class: "tools", role: "group", "aria-label": "Tools" }, ...buttons), options, el("div", { class: "row" }, undo, redo), changes);
  panel.body.append(refusal, work, save);

  function choice(label: string, values: [string, string][], chosen: string, set: (value: string) => void): HTMLElement {
    const select = el("select", { change: () => set(select.value) }, ...values.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
    return el("label", { class: "field" }, el("span", {}, label), select);
  }

  function number(label: string, unit: string, [low, high, step]: number[], value: number, set: (value: number) => void): HTMLElement {
    const shown = el("output", {}, `${value}${unit}`);
    const input = el("input", { type: "range", min: low, max: high, step, value, input: () => (set(Number(input.value)), say(shown, `${input.value}${unit}`)) });
    return el("label", { class: "field" }, el("span", {}, label), input, shown);
  }

  function shape(): HTMLElement {
    const shapes: [string, string][] = [["circle", "circle"], ["box", "rectangle"], ["free", "freehand"]];
    return choice("Shape", shapes, settings.shape, (value) => (settings.shape = value as Settings["shape"]));
  }

  function population(): HTMLElement {
    const names = world.scene?.populations.map(({ name }): [string, string] => [name, name]) ?? [];
    return choice("Population", names, settings.population, (value) => (settings.population = value));
  }

  /** On a phone, where the sheet with the options lies over the ground that is to be drawn on, and for those who use keys. */
  function away(): HTMLElement {
    return el("button", { type: "button", class: "plain wide sheet-only", "data-do": "draw", click: () => (lowerSheets(), page.canvas.focus()) }, icon("brush"), "Draw");
  }

  function showOptions(id: string | undefined): void {
    if (id === "paint") {
      const choose = (kind: Settings["kind"]) => {
        settings.kind = kind;
        pointer.tell();
        options.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
      };
      const kinds = KINDS.map((kind) => el("button", { type: "button", class: "plain", "data-kind": kind, "aria-pressed": String(kind === settings.kind), title: KIND_WORDS[kind], click: () => choose(kind) }, kind));
      const words = el("p", { class: "hint" }, `People ${KIND_WORDS[settings.kind]}.`);
      const width = number("Width", " m", [1, 20, 0.5], settings.width, (value) => (settings.width = value));
      fill(options, el("div", { class: "kinds", role: "group", "aria-label": "Situation" }, ...kinds), words, settings.kind === "follow" ? width : shape());
    } else if (id === "obstacle") fill(options, shape());
    else if (id === "drop") fill(options, population(), number("How many", "", [1, 30, 1], settings.number, (value) => (settings.number = value)));
    else if (id === "goal") {
      const who: [string, string][] = [["person", "the selected person"], ["population", "a whole population"]];
      const goes = choice("For", who, settings.goes, (value) => ((settings.goes = value as Settings["goes"]), showOptions("goal")));
      fill(options, goes, settings.goes === "population" && population());
    } else fill(options);
    if (id && all[id]?.options) options.append(away());
  }

  /** What can be changed, or why nothing can. */
  function showWork(): void {
    const recorded = world.scene !== null && !world.scene.can.edit;
    const ended = !recorded && world.clock?.ended === true;
    work.hidden = recorded || ended;
    save.hidden = recorded;
    say(refusal, recorded ? "A recording cannot be changed. Watch its scenario live to paint into it." : ended ? "The run has ended: nothing can be changed any more. What was painted can still be saved." : "");
    // Plots are drawn also when nothing happens any more.
    if (work.hidden && pointer.tool && pointer.tool === all[pointer.tool.id]) pointer.use(null);
  }

  /** What was changed, for those who would rather press a button than hit something on the ground. */
  function showChanges(): void {
    const edit = (label: string, what: string, change: Parameters<typeof connection.send>[0]) => el("button", { type: "button", class: "plain", "aria-label": what, click: () => connection.send(change) }, label);
    const doors = world.changed?.doors ?? world.scene?.place.doors ?? [];
    const situations = (world.changed?.situations ?? world.scene?.situations ?? []).filter(({ painted, active }) => painted && active);
    const list = (title: string, rows: HTMLElement[]) => rows.length > 0 && el("div", {}, el("h3", {}, title), el("ul", {}, ...rows));
    fill(
      changes,
      list("Doors", doors.map(({ name, open }) => el("li", {}, `${name}: ${open ? "open" : "closed"}`, edit(open ? "Close" : "Open", `${open ? "Close" : "Open"} door ${name}`, { do: "edit", edit: { door: { name, open: !open } } })))),
      list("Painted", situations.map(({ name, members }) => el("li", {}, `${name} (${members})`, edit("Remove", `Remove ${name}`, { do: "edit", edit: { end: { situation: name } } })))),
      list("Obstacles", (world.changed?.put ?? []).map(({ name }) => el("li", {}, name, edit("Remove", `Remove ${name}`, { do: "edit", edit: { take: { name } } })))),
    );
  }

  pointer.on((tool) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.tool === tool?.id));
    showOptions(tool?.id);
  });
  keys.add(["ctrl+z"], "Ctrl+Z", "Take the last change back", () => connection.send({ do: "undo" }));
  keys.add(["ctrl+shift+z", "ctrl+y"], "Ctrl+Shift+Z", "Make it again", () => connection.send({ do: "redo" }));
  world.on("clock", showWork);
  world.on("scene", ({ populations }) => {
    showWork();
    settings.population = populations[0]?.name ?? "";
    showChanges();
  });
  world.on("changed", (changed) => {
    for (const [button, word, what] of [[undo, "Undo", changed.undo], [redo, "Redo", changed.redo]] as const) {
      button.disabled = what === null;
      button.title = what ? `${word}: ${what}` : `Nothing to ${word.toLowerCase()}`;
    }
    showChanges();
  });
  world.on("scenario", ({ name, text }) => {
    download(`${name.replace(/[^\p{L}\p{N} _-]+/gu, "_") || "scenario"}.toml`, "application/toml", text);
    toast("Saved. `passerby run` repeats it to the digest.");
  });
}
