// What the colours of layers mean.

import { DENSITY_TOP, KIND_COLOURS, LAYER_COLOURS, SPEED_TOP } from "../scene/colours";
import type { Layer } from "../stage";
import { el } from "./dom";
import { shade } from "./theme";

const scale = `linear-gradient(90deg, ${Array.from({ length: 9 }, (_, n) => shade(n / 8)).join(", ")})`;

const several = `linear-gradient(90deg, ${[0, 1, 2].map((n) => `${KIND_COLOURS[n]} ${33 * n}% ${33 * (n + 1)}%`).join(", ")})`;

interface Legend {
  title: string;
  what: string;
  /** The swatch beside the name. */
  colour: string;
  /** Ends of a scale and what they are measured in. */
  scale?: { most: number; unit: string };
}

export const LEGENDS: Record<Layer, Legend> = {
  density: { title: "Density", what: "People for each square metre, smoothed over a metre.", colour: scale, scale: { most: DENSITY_TOP, unit: "people/m²" } },
  speed: { title: "Speed", what: "How fast people are where they are.", colour: scale, scale: { most: SPEED_TOP, unit: "m/s" } },
  trails: { title: "Trails", what: "Where everybody was in the last seconds.", colour: LAYER_COLOURS.trails },
  velocities: { title: "Velocities", what: "Arrows as long as the way of the next second.", colour: LAYER_COLOURS.velocities },
  desired: { title: "Desired velocities", what: "Where people would go if nobody was in their way.", colour: LAYER_COLOURS.desired },
  contacts: { title: "Contacts", what: "People whose outlines touch.", colour: LAYER_COLOURS.contacts },
  feet: { title: "Foot plants", what: "Feet that stand on the ground, of people near the camera.", colour: LAYER_COLOURS.feet },
  regions: { title: "Regions", what: "Where people come from and go to.", colour: LAYER_COLOURS.regions },
  situations: { title: "Situations", what: "Where a behaviour holds.", colour: LAYER_COLOURS.situations },
  cells: { title: "Cells", what: "Convex pieces that the planner divides the floor into.", colour: LAYER_COLOURS.cells },
  portals: { title: "Portals", what: "Edges between cells that people can cross.", colour: LAYER_COLOURS.portals },
  abstraction: { title: "Abstraction levels", what: "Cells that the planner joins for long ways. Colours only tell neighbours apart.", colour: several },
  path: { title: "Path", what: "The way that the selected person plans to go, to the goal.", colour: LAYER_COLOURS.path },
};

/** The part of a legend that is drawn: a scale, where something is measured. */
export function legend(layer: Layer): HTMLElement | null {
  const { scale: bar, colour } = LEGENDS[layer];
  if (!bar) return null;
  const steps = Array.from({ length: 5 }, (_, n) => el("span", {}, String((bar.most * n) / 4)));
  return el(
    "div",
    { class: "scale", role: "img", "aria-label": `Dark blue is 0, yellow is ${bar.most} ${bar.unit} and more` },
    el("div", { class: "scale-bar", style: `background:${colour}` }),
    el("div", { class: "scale-steps" }, ...steps),
    el("div", { class: "scale-unit" }, bar.unit),
  );
}
