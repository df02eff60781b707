// The head of the page: which scene this is, how many are in it, and whether the server is still there.

import { el, fill, icon, say } from "./dom";
import { help } from "./help";
import type { Page } from "./page";

export function header(root: HTMLElement, { world, theme, keys }: Page): void {
  const name = el("h1", { class: "scene-name" }, "…");
  const kind = el("span", { class: "badge" }, "");
  const people = el("strong", {}, "0");
  const arrived = el("strong", {}, "0");
  const arrivals = el("span", { class: "count arrived" }, arrived, " arrived");
  const state = el("span", { class: "state", role: "status", "data-state": "waiting" }, "connecting");
  const shift = el("button", { class: "round", type: "button", click: () => theme.toggle() });
  const dialog = help(keys);
  const asked = el("button", { class: "round", type: "button", "aria-label": "Help: keys and gestures", title: "Keys and gestures (?)", click: () => dialog.showModal() }, icon("help"));

  root.append(
    el("span", { class: "brand" }, mark(), "Passerby"),
    name,
    kind,
    el("span", { class: "count" }, people, " people"),
    arrivals,
    el("span", { class: "gap" }),
    state,
    shift,
    asked,
  );
  document.body.append(dialog);

  theme.on((dark) => {
    fill(shift, icon(dark ? "sun" : "moon"));
    const to = dark ? "Switch to the light design" : "Switch to the dark design";
    shift.setAttribute("aria-label", to);
    shift.title = `${to} (T)`;
  });
  keys.add(["?"], "?", "This list", () => dialog.showModal());
  keys.add(["t"], "T", "Light or dark", () => theme.toggle());

  world.on("scene", (scene) => {
    name.textContent = scene.name;
    document.title = `${scene.name} · Passerby`;
    kind.textContent = scene.live ? "Live" : "Recorded";
    kind.dataset.kind = scene.live ? "live" : "recorded";
    kind.title = scene.live ? "Simulated at this moment" : "A recording is played";
  });
  world.on("clock", (clock) => {
    say(people, clock.people.toLocaleString("en"));
    arrivals.hidden = clock.arrived === null;
    say(arrived, (clock.arrived ?? 0).toLocaleString("en"));
  });
  world.on("connected", (on) => {
    state.dataset.state = on ? "on" : "off";
    say(state, on ? "connected" : "connection lost, trying again");
  });
}

/** The sign of the project: two who pass each other. */
function mark(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML =
    '<path d="M3 17C9 17 8 6.5 14 6.5M21 17c-6 0-5-10.5-11-10.5" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" opacity=".45"/><circle cx="16.8" cy="6.5" r="3.2"/><circle cx="7.2" cy="6.5" r="3.2" class="other"/>';
  return svg;
}
