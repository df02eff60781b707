// What the page knows: the scene, its people, and the last two frames, between which the picture moves.

import { FrameReader, type Frame } from "../../crates/server/page/frames.js";
import type {
  CellsMessage,
  ChangedMessage,
  ClientMessage,
  ClockMessage,
  EventNote,
  InspectedMessage,
  Person,
  ScenarioMessage,
  SceneMessage,
  ServerMessage,
} from "./protocol";

/** Everybody at one moment between two frames; columns may be longer than `count`. */
export interface Moment {
  count: number;
  /** Simulated seconds. */
  time: number;
  ids: Uint32Array;
  x: Float32Array;
  y: Float32Array;
  heading: Float32Array;
  /** m/s, from the two frames. */
  vx: Float32Array;
  vy: Float32Array;
  /** The frame behind it, for clips, phases, poses, desired velocities: row i there is row i here. */
  frame: Frame;
  /** Where the same person is in the frame before; -1 for newcomers. */
  before: Int32Array;
  previous: Frame | null;
  /** Share of the way from the previous frame to this one. */
  share: number;
}

type Told = {
  scene: SceneMessage;
  people: Person[];
  frame: Frame;
  clock: ClockMessage;
  event: EventNote;
  changed: ChangedMessage;
  inspected: InspectedMessage;
  cells: CellsMessage;
  scenario: ScenarioMessage;
  error: string;
  connected: boolean;
};

export class World {
  scene: SceneMessage | null = null;
  people = new Map<number, Person>();
  events: EventNote[] = [];
  clock: ClockMessage | null = null;
  changed: ChangedMessage | null = null;
  inspected: InspectedMessage | null = null;
  cells: CellsMessage | null = null;
  latest: Frame | null = null;
  previous: Frame | null = null;
  /** Bytes and frames that have come over the socket. */
  received = { bytes: 0, frames: 0 };

  private reader = new FrameReader(0);
  private listeners = new Map<string, ((told: never) => void)[]>();
  private before: Int32Array = new Int32Array(0);
  private arrivedAt = 0;
  /** Milliseconds between frames of late. */
  private interval = 50;
  private moment: Moment | null = null;

  /** Calls `listener` whenever there is something new. */
  on<K extends keyof Told>(what: K, listener: (told: Told[K]) => void): void {
    const listeners = this.listeners.get(what) ?? [];
    listeners.push(listener as (told: never) => void);
    this.listeners.set(what, listeners);
  }

  tell<K extends keyof Told>(what: K, told: Told[K]): void {
    for (const listener of this.listeners.get(what) ?? []) (listener as (told: Told[K]) => void)(told);
  }

  /** Takes a message of the server. */
  take(message: ServerMessage): void {
    switch (message.is) {
      case "scene":
        this.scene = message;
        this.people.clear();
        this.events = [...message.events];
        this.latest = this.previous = this.moment = null;
        this.cells = this.inspected = null;
        this.reader = new FrameReader(message.joints);
        this.tell("scene", message);
        break;
      case "people":
        for (const person of message.people) this.people.set(person.id, person);
        this.tell("people", message.people);
        break;
      case "clock":
        this.clock = message;
        this.tell("clock", message);
        break;
      case "event":
        this.events.push(message);
        this.tell("event", message);
        break;
      case "changed":
        this.changed = message;
        this.tell("changed", message);
        break;
      case "inspected":
        this.inspected = message;
        this.tell("inspected", message);
        break;
      case "cells":
        this.cells = message;
        this.tell("cells", message);
        break;
      case "scenario":
        this.tell("scenario", message);
        break;
      case "error":
        this.tell("error", message.what);
        break;
    }
  }

  /** Takes a frame. */
  takeFrame(buffer: ArrayBuffer, now: number): void {
    const frame = this.reader.read(buffer);
    this.received.bytes += buffer.byteLength;
    this.received.frames += 1;
    // The same moment again, as an edit of a paused run changed it: everybody still comes from where they were before.
    if (frame.tick !== this.latest?.tick) this.goOn(frame, now);
    this.latest = frame;
    this.before = matched(this.previous, frame);
    this.tell("frame", frame);
  }

  /** Time goes on, or elsewhere, with a frame. */
  private goOn(frame: Frame, now: number): void {
    // Going back, or far ahead, is no movement.
    const dt = this.scene?.tick ?? 0.05;
    const jumped = !this.latest || frame.tick < this.latest.tick || (frame.tick - this.latest.tick) * dt > 2.5;
    this.previous = jumped ? null : this.latest;
    const passed = now - this.arrivedAt;
    if (passed < 1000) this.interval += 0.2 * (Math.max(passed, 5) - this.interval);
    this.arrivedAt = now;
  }

  /** Everybody as they are at this moment of the page's clock: one frame behind, and smooth. */
  at(now: number): Moment | null {
    const { latest: frame, previous } = this;
    if (!frame) return null;
    // A picture is of the moment at which it was begun, and a frame may have come since: nobody goes back for that.
    const share = previous ? Math.min(Math.max((now - this.arrivedAt) / this.interval, 0), 1) : 1;
    const count = frame.count;
    const grown = !this.moment || this.moment.x.length < count;
    const column = (old: Float32Array | undefined) => (grown || !old ? new Float32Array(Math.ceil(count * 1.5) + 64) : old);
    const old = this.moment;
    const [x, y, heading] = [column(old?.x), column(old?.y), column(old?.heading)];
    const [vx, vy] = [column(old?.vx), column(old?.vy)];
    const tick = this.scene?.tick ?? 0.05;
    const seconds = previous ? Math.max((frame.tick - previous.tick) * tick, tick) : tick;
    for (let row = 0; row < count; row++) {
      const from = previous ? this.before[row] : -1;
      if (from < 0 || !previous) {
        x[row] = frame.x[row];
        y[row] = frame.y[row];
        heading[row] = frame.heading[row];
        vx[row] = vy[row] = 0;
        continue;
      }
      const dx = frame.x[row] - previous.x[from];
      const dy = frame.y[row] - previous.y[from];
      x[row] = previous.x[from] + dx * share;
      y[row] = previous.y[from] + dy * share;
      heading[row] = previous.heading[from] + turn(previous.heading[from], frame.heading[row]) * share;
      vx[row] = dx / seconds;
      vy[row] = dy / seconds;
    }
    const from = previous ? previous.tick : frame.tick;
    const time = (from + (frame.tick - from) * share) * tick;
    this.moment = { count, time, ids: frame.ids, x, y, heading, vx, vy, frame, before: this.before, previous, share };
    return this.moment;
  }

  /** Seconds of a tick. */
  seconds(tick: number): number {
    return tick * (this.scene?.tick ?? 0.05);
  }
}

/** The shorter way round from one direction to another, rad. */
export function turn(from: number, to: number): number {
  const way = (to - from) % (2 * Math.PI);
  return way > Math.PI ? way - 2 * Math.PI : way < -Math.PI ? way + 2 * Math.PI : way;
}

/** For everybody in a frame their row in the one before. */
function matched(previous: Frame | null, frame: Frame): Int32Array {
  const rows = new Int32Array(frame.count).fill(-1);
  if (!previous) return rows;
  let other = 0;
  for (let row = 0; row < frame.count; row++) {
    while (other < previous.count && previous.ids[other] < frame.ids[row]) other++;
    if (other < previous.count && previous.ids[other] === frame.ids[row]) rows[row] = other;
  }
  return rows;
}

/** The socket: takes what comes, sends what is to be done, and comes back when it was cut. */
export class Connection {
  private socket: WebSocket | null = null;
  private pause = 500;
  private first: ClientMessage[] = [];

  constructor(
    private world: World,
    private token: string,
  ) {
    this.open();
  }

  send(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends it now and after every time the connection had to be made again. */
  always(message: ClientMessage): void {
    this.first = this.first.filter((other) => other.do !== message.do).concat(message);
    this.send(message);
  }

  private open(): void {
    const socket = new WebSocket(`ws://${location.host}/ws?token=${encodeURIComponent(this.token)}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 500;
      this.world.tell("connected", true);
      for (const message of this.first) this.send(message);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.world.takeFrame(data, performance.now());
      else this.world.take(JSON.parse(data as string) as ServerMessage);
    };
    socket.onclose = () => {
      this.world.tell("connected", false);
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, 8000);
    };
  }
}
