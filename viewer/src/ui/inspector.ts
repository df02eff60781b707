// Who is selected, what is known of them, and why they walk as they do.

import type { InspectedMessage } from "../protocol";
import { el, fill, icon, say, seldom } from "./dom";
import { idOf, nameOf } from "./names";
import type { Page } from "./page";
import type { Panel } from "./panel";
import { drawAround } from "./why_around";
import { drawVelocities } from "./why_velocities";
import { drawView } from "./why_view";

/** Neighbours that are listed. */
const LISTED = 12;

export function inspector(panel: Panel, page: Page): void {
  const { world, selection, keys, theme, toast, pointer } = page;
  const find = el("input", { type: "text", inputmode: "decimal", placeholder: "2.17", "aria-label": "Person by population and number, such as 2.17" });
  const form = el("form", { class: "find", submit: (event: Event) => (event.preventDefault(), search()) }, el("label", {}, "Person ", find), el("button", { type: "submit", class: "plain" }, "Find"));
  const close = el("button", { type: "button", class: "plain", "aria-label": "Let go of the person", title: "Escape", click: () => selection.choose(null) }, icon("close"));
  const empty = el("p", { class: "hint" }, "Click a person on the picture, or find one by name, to see who they are and why they walk as they do.");
  const title = el("h3", { "aria-live": "polite" });
  const head = el("div", { class: "row" }, title, close);
  const facts = el("dl", { class: "facts" });
  const note = el("p", { class: "hint" });
  const around = figure("What they see");
  const velocities = figure("What they weigh");
  const view = { box: el("div", { class: "view" }), rate: figure("Bearing rate"), tti: figure("Time to interaction") };
  view.box.append(view.rate.root, view.tti.root);
  const neighbours = el("div", { class: "neighbours" });
  const known = el("div", { class: "known", hidden: true }, head, facts, note, around.root, velocities.root, view.box, neighbours);
  panel.body.append(form, empty, known);

  function search(): void {
    const id = idOf(find.value);
    if (id === null) toast("People are called by population and number, such as 2.17.");
    else if (!world.latest?.ids.includes(id)) toast(`Nobody called ${find.value} is in the scene.`);
    else selection.choose(id);
  }

  const draw = seldom(150, () => {
    const person = world.inspected;
    if (!person || person.id !== selection.id || !panel.visible) return;
    show(person);
  });

  function show(person: InspectedMessage): void {
    fill(facts, ...person.facts.map(([what, value]) => el("div", {}, el("dt", {}, what), el("dd", {}, value))));
    const { why, goal } = person;
    say(note, person.note ?? "");
    for (const part of [around.root, velocities.root, view.box, neighbours]) part.hidden = true;
    if (!why) return;
    around.root.hidden = false;
    drawAround(around, why, goal, theme.inks);
    const weighed = why.lines.length + why.candidates.length + why.sections.length > 0;
    velocities.root.hidden = !weighed;
    if (weighed) drawVelocities(velocities, why, theme.inks);
    view.box.hidden = !why.view;
    if (why.view) drawView(view, why.view, theme.inks);
    showNeighbours(why.seen, why.me.position);
  }

  function showNeighbours(seen: NonNullable<InspectedMessage["why"]>["seen"], [x, y]: [number, number]): void {
    neighbours.hidden = false;
    const away = (at: [number, number]) => Math.hypot(at[0] - x, at[1] - y);
    const near = [...seen].sort((a, b) => away(a.position) - away(b.position));
    const focused = neighbours.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.id : null;
    const rows = near.slice(0, LISTED).map(({ id, position }) => el("li", {}, el("button", { type: "button", class: "chip", "data-id": id, title: `Select person ${nameOf(id)}`, click: () => selection.choose(id) }, nameOf(id), el("small", {}, `${away(position).toFixed(1)} m`))));
    const more = near.length > LISTED && el("li", { class: "hint" }, `and ${near.length - LISTED} more`);
    fill(neighbours, el("h3", {}, `Neighbours considered: ${seen.length}`), el("ul", { class: "chips" }, ...rows, more));
    if (focused) neighbours.querySelector<HTMLElement>(`[data-id="${focused}"]`)?.focus();
  }

  selection.on((id) => {
    empty.hidden = id !== null;
    known.hidden = id === null;
    if (id === null) return;
    panel.show();
    say(title, `Person ${nameOf(id)}`);
    fill(facts, el("div", {}, el("dt", {}, "…"), el("dd", {})));
    for (const part of [around.root, velocities.root, view.box, neighbours]) part.hidden = true;
    say(note, "");
    draw();
  });
  world.on("inspected", draw);
  theme.on(draw);
  keys.add(["escape"], "Escape", "Give up a drawing, put the tool away, or let go of the person", () => {
    if (pointer.cancel()) return;
    if (pointer.tool) pointer.use(null);
    else selection.choose(null);
  });
  keys.add(["/"], "/", "Find a person by name", () => {
    panel.show();
    find.focus();
  });
}

/** A small picture with a name, words below, and a text for those who cannot see it. */
export interface Figure {
  root: HTMLElement;
  canvas: HTMLCanvasElement;
  legend: HTMLElement;
}

function figure(title: string): Figure {
  const canvas = el("canvas", { role: "img", "aria-label": title });
  const legend = el("div", { class: "figure-legend" });
  return { root: el("figure", { class: "why", hidden: true }, el("figcaption", {}, title), canvas, legend), canvas, legend };
}
