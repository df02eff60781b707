// What the brush can do: each tool turns a drag over the ground into an edit of the run.

import type { Edit, KINDS, Point, Ring, SituationShape } from "../protocol";
import type { Sketch } from "../stage";
import type { Page } from "./page";
import type { Tool } from "./pointer";
import { box, centre, circle, distance, inside, simpler } from "./shapes";

/** What is set in the panel. */
export interface Settings {
  kind: (typeof KINDS)[number];
  /** Width of a stroke, m. */
  width: number;
  shape: "box" | "circle" | "free";
  /** How many a click drops, and of which population. */
  number: number;
  population: string;
  /** Who gets a goal: the selected person, or a population. */
  goes: "person" | "population";
}

/** Doors are opened from so near, m. */
const NEAR_A_DOOR = 1.5;
/** A stroke is made simpler by no more than this, m. */
const ROUGH = 0.15;
/** People who are dropped together stand so far apart, m. */
const ROOM = 0.7;

export function tools(page: Page, settings: Settings): Record<string, Tool> {
  const { world, connection, selection, toast } = page;
  const edit = (change: Edit) => connection.send({ do: "edit", edit: change });
  const closed = (points: Ring): Sketch => ({ points, closed: true, width: 0 });

  /** The painted situation under a point, and its ring; the smallest, so that one inside another can be had. Those that were removed are only no longer active. */
  function painted(at: Point): { situation: SituationShape; ring: Ring } | null {
    const active = (world.changed?.situations ?? world.scene?.situations ?? []).filter(({ active }) => active);
    const here = active.flatMap((situation) => situation.rings.filter((ring) => inside(at, ring)).map((ring) => ({ situation, ring })));
    const mine = here.filter(({ situation }) => situation.painted);
    if (here.length && !mine.length) toast(`"${here[0].situation.name}" belongs to the scenario; only painted situations can be changed.`);
    return mine.sort((a, b) => size(a.ring) - size(b.ring))[0] ?? null;
  }

  /** A tool that takes hold of a situation where the drag begins. */
  function grab(id: string, hint: string, ring: (ring: Ring, path: Point[]) => Ring, done: (situation: string, ring: Ring, path: Point[]) => void): Tool {
    let held: { situation: SituationShape; ring: Ring } | null = null;
    return {
      id,
      hint,
      click: id === "remove",
      draw(path) {
        if (path.length === 1) held = painted(path[0]);
        return held && closed(ring(held.ring, path));
      },
      finish(path) {
        held ??= painted(path[0]);
        if (held) done(held.situation.name, ring(held.ring, path), path);
        else toast("No painted situation is there.");
        held = null;
      },
    };
  }

  const ring = (path: Point[]): Ring => {
    if (settings.shape === "box") return box(path, 0.5);
    const free = simpler(path, ROUGH);
    return settings.shape === "free" && free.length > 2 ? free : circle(path);
  };
  const stroke = () => settings.kind === "follow";

  return {
    paint: {
      id: "paint",
      get hint() {
        return stroke() ? "Drag over the ground: people follow the stroke." : `Drag over the ground: "${settings.kind}" holds in that area.`;
      },
      options: true,
      draw: (path) => (stroke() ? { points: path, closed: false, width: settings.width } : closed(ring(path))),
      finish(path) {
        const line = simpler(path, ROUGH);
        if (!stroke()) edit({ paint: { kind: settings.kind, ring: ring(path) } });
        else if (line.length < 2) toast("A stroke to follow needs a drag, not a click.");
        else edit({ paint: { kind: settings.kind, line, width: settings.width } });
      },
    },
    move: grab(
      "move",
      "Drag a painted situation to another place.",
      (points, path) => shifted(points, by(path)),
      (situation, _, path) => edit({ move: { situation, by: by(path) } }),
    ),
    resize: grab("resize", "Drag a painted situation from its middle outwards or inwards.", scaled, (situation, points) => edit({ resize: { situation, ring: points } })),
    remove: grab(
      "remove",
      "Click a painted situation to take it away.",
      (points) => points,
      (situation) => edit({ end: { situation } }),
    ),
    obstacle: {
      id: "obstacle",
      hint: "Drag over the ground: nobody can walk there any more.",
      options: true,
      draw: (path) => closed(ring(path)),
      finish: (path) => edit({ put: { ring: ring(path) } }),
    },
    door: {
      id: "door",
      hint: "Click a door to open or close it.",
      click: true,
      draw: () => null,
      finish([at]) {
        const doors = [...(world.changed?.doors ?? world.scene?.place.doors ?? [])].sort((a, b) => distance(at, a.line) - distance(at, b.line));
        const door = doors[0];
        if (door && distance(at, door.line) <= NEAR_A_DOOR) edit({ door: { name: door.name, open: !door.open } });
        else toast(doors.length ? "No door is near that point." : "This place has no doors.");
      },
    },
    drop: {
      id: "drop",
      hint: "Click the ground: people of the chosen population begin there.",
      options: true,
      click: true,
      draw: ([at]) => closed(circle([at], Math.max(ROOM * Math.sqrt(settings.number), 0.4))),
      finish: ([at]) => edit({ drop: { population: settings.population, at: together(at, settings.number) } }),
    },
    goal: {
      id: "goal",
      hint: "Click where they shall go.",
      options: true,
      click: true,
      draw: ([at]) => closed(circle([at])),
      finish([to]) {
        if (settings.goes === "population") edit({ goal: { to, population: settings.population } });
        else if (selection.id === null) toast("Select a person first, or choose a population.");
        else edit({ goal: { to, people: [selection.id] } });
      },
    },
  };
}

const by = (path: Point[]): Point => [path[path.length - 1][0] - path[0][0], path[path.length - 1][1] - path[0][1]];

const shifted = (ring: Ring, [x, y]: Point): Ring => ring.map((at) => [at[0] + x, at[1] + y]);

/** A ring that grows as the pointer leaves its middle. */
function scaled(ring: Ring, path: Point[]): Ring {
  const [x, y] = centre(ring);
  const away = (at: Point) => Math.max(Math.hypot(at[0] - x, at[1] - y), 0.3);
  const times = Math.min(Math.max(away(path[path.length - 1]) / away(path[0]), 0.2), 8);
  return ring.map((at) => [x + times * (at[0] - x), y + times * (at[1] - y)]);
}

function size(ring: Ring): number {
  return Math.abs(ring.reduce((sum, [x, y], n) => sum + x * ring[(n + 1) % ring.length][1] - y * ring[(n + 1) % ring.length][0], 0));
}

/** Places for `count` people around a point, as seeds sit in a sunflower. */
function together([x, y]: Point, count: number): Point[] {
  return Array.from({ length: count }, (_, n) => {
    const [away, angle] = [ROOM * Math.sqrt(n), n * 2.39996];
    return [x + away * Math.cos(angle), y + away * Math.sin(angle)];
  });
}
