// What page and server tell each other. `docs/viewer-protocol.md` says it in words.
//
// Frames are binary (crates/server/page/frames.js), everything else is JSON with `is` (from the server) or `do` (from the page).
// Positions are metres from the scene's origin: x and y on the ground, z up.

export type Point = [number, number];
export type Ring = Point[];

/** The first message: what there is to see, and what can be done with it. */
export interface SceneMessage {
  is: "scene";
  name: string;
  seed: number;
  /** Whether it is being simulated now; otherwise a recording is played. */
  live: boolean;
  /** Seconds of a tick. */
  tick: number;
  /** Ticks between two frames. */
  every: number;
  /** First and last tick there is to see; a live run's last is where its scenario ends. */
  first: number;
  last: number;
  /** The place's coordinates of (0, 0). */
  origin: Point;
  /** Joints of a body, as frames have them. */
  joints: number;
  place: Place;
  populations: { name: string; model: string }[];
  situations: SituationShape[];
  events: EventNote[];
  can: { edit: boolean; explain: boolean; seek: boolean; desired: boolean; cells: boolean };
}

export interface Place {
  /** Walkable areas: an outer ring, then its holes. */
  areas: Ring[][];
  obstacles: Ring[];
  doors: { name: string; line: [Point, Point]; open: boolean }[];
  regions: { name: string; polygon: Ring }[];
  /** What moves: a polygon around its first point, and where it is at which second. */
  movers: { name: string; polygon: Ring; path: [number, number, number][]; repeat: boolean }[];
}

export interface SituationShape {
  name: string;
  active: boolean;
  /** Where it is now; empty for those that hold between people instead of somewhere. */
  rings: Ring[];
  behaviours: string[];
  members: number;
  capacity: number | null;
  /** Whether it was painted in this run, and so can be taken away. */
  painted: boolean;
}

export interface EventNote {
  tick: number;
  what: string;
}

/** People who have come; once for each person, before the first frame that has them. */
export interface PeopleMessage {
  is: "people";
  people: Person[];
}

export interface Person {
  id: number;
  /** Its number in `populations`. */
  population: number;
  radius: number;
  /** Speed they like to walk at, m/s. */
  speed: number;
  stature: number;
  build: number;
  female: number;
  /** Red, green, blue of each of the body's slots, 0 to 255, one after another. */
  colours: number[];
}

/** Where the clock is; sent whenever something about it changes, and with every frame that is sent. */
export interface ClockMessage {
  is: "clock";
  playing: boolean;
  /** Times real time. */
  speed: number;
  tick: number;
  last: number;
  /** Whether there will be no further frame unless somebody seeks. */
  ended: boolean;
  people: number;
  arrived: number | null;
  /** A live run's digest so far, in hexadecimal. */
  digest: string | null;
}

export interface EventMessage extends EventNote {
  is: "event";
}

/** Doors, obstacles and situations as they are now; after every change. */
export interface ChangedMessage {
  is: "changed";
  doors: Place["doors"];
  /** Obstacles that events have put. */
  put: { name: string; polygon: Ring }[];
  situations: SituationShape[];
  undo: string | null;
  redo: string | null;
}

/** What is known of the person that is inspected, and why they walk as they do. */
export interface InspectedMessage {
  is: "inspected";
  id: number;
  tick: number;
  /** Lines for a table: what, value. */
  facts: [string, string][];
  goal: Point | null;
  path: Point[];
  /** As `passerby plot --explain --json` has it, positions from the scene's origin; null where nothing can be explained. */
  why: Explanation | null;
  /** Why there is none. */
  note: string | null;
}

export interface Explanation {
  model: string;
  me: { id: number; position: Point; velocity: Point; radius: number; speed_max: number; heading: number };
  desired: Point;
  chosen: Point;
  seen: { id: number; position: Point; velocity: Point; radius: number; share: number }[];
  walls: [Point, Point][];
  sections: { from: number; to: number; behind: number | null; before: number | null; cost: number }[];
  lines: { point: Point; direction: Point; of: number | null }[];
  forces: { what: string; vector: Point; of: number | null }[];
  candidates: { what: string; velocity: Point; rating: number | null; collides_in: number | null; of: number | null }[];
  view: null | {
    columns: number;
    rows: number;
    bearing_rate: (number | null)[];
    tti: (number | null)[];
    collides: boolean[];
    threat: null | { right: number; left: number; soonest: number };
  };
}

export interface CellsMessage {
  is: "cells";
  /** Convex cells. */
  cells: Ring[];
  /** Which abstract cell each belongs to, level by level from the finest; the last level has the fewest. */
  levels: number[][];
  /** Segments between cells that people can cross. */
  portals: [Point, Point][];
}

export interface ScenarioMessage {
  is: "scenario";
  name: string;
  text: string;
}

export interface ErrorMessage {
  is: "error";
  what: string;
}

export type ServerMessage =
  | SceneMessage
  | PeopleMessage
  | ClockMessage
  | EventMessage
  | ChangedMessage
  | InspectedMessage
  | CellsMessage
  | ScenarioMessage
  | ErrorMessage;

/** What is painted into a live run. Every edit becomes an event of the run. */
export type Edit =
  /** A situation along a stroke, or in a ring. */
  | { paint: { kind: string; line?: Point[]; width?: number; ring?: Ring } }
  | { move: { situation: string; by: Point } }
  | { resize: { situation: string; ring: Ring } }
  | { end: { situation: string } }
  | { put: { ring: Ring } }
  | { take: { name: string } }
  | { door: { name: string; open: boolean } }
  | { drop: { population: string; at: Point[] } }
  /** Those people go there and then leave; nobody named: all of a population. */
  | { goal: { to: Point; people?: number[]; population?: string } };

export type ClientMessage =
  | { do: "play" }
  | { do: "pause" }
  | { do: "step"; frames: number }
  | { do: "speed"; times: number }
  | { do: "seek"; tick: number }
  /** Where the camera looks, and how far around it people are wanted with full poses. */
  | { do: "look"; x: number; y: number; radius: number; most: number }
  | { do: "desired"; on: boolean }
  | { do: "inspect"; id: number | null }
  | { do: "cells" }
  | { do: "edit"; edit: Edit }
  | { do: "undo" }
  | { do: "redo" }
  | { do: "scenario" };

/** Kinds of situations that can be painted, and what is painted for them. */
export const KINDS = ["follow", "gather", "wait", "hurry", "stop", "talk"] as const;
