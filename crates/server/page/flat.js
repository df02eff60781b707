// The scene from above on a plain canvas: what the program serves when it was built without the viewer in three dimensions.

import { FrameReader } from "./frames.js";

/** @param {string} id */
const part = (id) => /** @type {any} */ (document.getElementById(id));
const canvas = /** @type {HTMLCanvasElement} */ (part("view"));
const token = new URLSearchParams(location.search).get("token") ?? "";
// Okabe and Ito's colours: told apart by those who do not see red or green.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"];
/** Seconds of everybody's way that trails show, and seconds between the points of one. */
const TRAIL = 10;
const TRAIL_STEP = 0.5;
/** Trails of a large crowd are shorter: drawing more points than this would hold up the picture. */
const TRAIL_POINTS = 30_000;

/** @type {any} */
let scene = null;
/** @type {any} */
let clock = null;
let reader = new FrameReader(0);
/** @type {import("./frames.js").Frame | null} */
let frame = null;
/** @type {Map<number, { population: number, radius: number }>} */
const people = new Map();
/** @type {{ name: string, line: [number, number][], open: boolean }[]} */
let doors = [];
/** @type {{ polygon: [number, number][] }[]} */
let put = [];
/** Some earlier frames, the oldest first. @type {import("./frames.js").Frame[]} */
let past = [];
/** Trails as far as `past` goes; `of` tells for which past and view they were drawn. */
const trails = { canvas: document.createElement("canvas"), of: "" };
/** What is in the middle of the canvas, and how many pixels a metre has. */
const view = { x: 0, y: 0, scale: 20 };
/** @type {WebSocket | null} */
let socket = null;
let seeking = false;
let asked = false;
/** How many pictures with people there were. */
let drawn = 0;

/** @param {object} message */
function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/ws?token=${encodeURIComponent(token)}`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      const next = reader.read(data);
      if (frame && next.tick < frame.tick) past = [];
      keep(next);
      frame = next;
    } else take(JSON.parse(data));
    show();
  };
  socket.onclose = () => {
    part("kind").textContent = "not connected: the program has ended, or will be back";
    setTimeout(connect, 1000);
  };
}

/** Keeps a frame for the trails, if the last one that was kept is old enough. @param {import("./frames.js").Frame} next */
function keep(next) {
  const oldest = next.tick - TRAIL / scene.tick;
  while (past.length > 0 && past[0].tick < oldest) past.shift();
  if (past.length > 0 && next.tick - past[past.length - 1].tick < TRAIL_STEP / scene.tick) return;
  past.push(next);
  while (past.length * next.count > TRAIL_POINTS && past.length > 2) past.shift();
}

/** @param {any} message */
function take(message) {
  switch (message.is) {
    case "scene":
      scene = message;
      reader = new FrameReader(message.joints);
      people.clear();
      frame = null;
      past = [];
      doors = message.place.doors;
      put = [];
      part("name").textContent = message.name;
      document.title = `${message.name} - Passerby`;
      part("kind").textContent = message.live ? "live" : "recorded";
      part("time").disabled = !message.can.seek;
      part("time").min = message.first;
      part("time").max = message.last;
      fit();
      break;
    case "people":
      for (const person of message.people) people.set(person.id, person);
      break;
    case "changed":
      ({ doors, put } = message);
      break;
    case "clock":
      clock = message;
      part("play").textContent = message.playing && !message.ended ? "Pause" : "Play";
      part("people").textContent = `${message.people} people`;
      if (!seeking) part("time").value = message.tick;
      part("clock").textContent = `${(message.tick * scene.tick).toFixed(2)} s`;
      part("speed").value = String(message.speed);
      break;
    case "error":
      part("status").textContent = message.what;
      break;
  }
}

/** Puts the whole place in view. */
function fit() {
  const rings = scene.place.areas.map((/** @type {any} */ area) => area[0]).flat();
  const [xs, ys] = [0, 1].map((axis) => rings.map((/** @type {number[]} */ at) => at[axis]));
  const { clientWidth: width, clientHeight: height } = canvas;
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  view.x = (left + right) / 2;
  view.y = (low + high) / 2;
  view.scale = 0.94 * Math.min(width / Math.max(right - left, 1), height / Math.max(high - low, 1));
}

/** Draws soon; many messages come between two pictures. */
function show() {
  if (!asked) requestAnimationFrame(draw);
  asked = true;
}

function draw() {
  asked = false;
  if (!scene) return;
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint.fillStyle = colour("paper");
  paint.fillRect(0, 0, width, height);
  /** @type {(at: ArrayLike<number>) => [number, number]} */
  const on = (at) => [width / 2 + (at[0] - view.x) * view.scale, height / 2 - (at[1] - view.y) * view.scale];
  /** @param {[number, number][][]} rings */
  const trace = (rings) => {
    paint.beginPath();
    for (const ring of rings) {
      ring.forEach((at, i) => (i ? paint.lineTo(...on(at)) : paint.moveTo(...on(at))));
      paint.closePath();
    }
  };
  paint.lineWidth = 1.5;
  paint.strokeStyle = colour("wall");
  for (const area of scene.place.areas) {
    trace(area);
    paint.fillStyle = colour("floor");
    paint.fill("evenodd");
    paint.stroke();
  }
  if (part("regions").checked) {
    paint.font = "12px system-ui, sans-serif";
    paint.textAlign = "center";
    for (const region of scene.place.regions) {
      trace([region.polygon]);
      paint.fillStyle = colour("accent") + "22";
      paint.fill();
      const middle = [0, 1].map((axis) => region.polygon.reduce((/** @type {number} */ sum, /** @type {number[]} */ at) => sum + at[axis], 0) / region.polygon.length);
      paint.fillStyle = colour("quiet");
      paint.fillText(region.name, ...on(middle));
    }
  }
  paint.fillStyle = colour("wall");
  trace([...scene.place.obstacles, ...put.map((block) => block.polygon)]);
  paint.fill();
  for (const door of doors) {
    paint.beginPath();
    paint.moveTo(...on(door.line[0]));
    paint.lineTo(...on(door.line[1]));
    paint.strokeStyle = door.open ? colour("accent") : colour("wall");
    paint.lineWidth = door.open ? 1.5 : 4;
    paint.setLineDash(door.open ? [4, 4] : []);
    paint.stroke();
    paint.setLineDash([]);
  }
  if (!frame) return;
  drawPeople(paint, frame, on, colour);
  drawn++;
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./frames.js").Frame} frame
 * @param {(at: ArrayLike<number>) => [number, number]} on
 * @param {(name: string) => string} colour
 */
function drawPeople(paint, frame, on, colour) {
  if (part("trails").checked) drawTrails(paint, frame, on);
  const headings = part("headings").checked;
  for (let row = 0; row < frame.count; row++) {
    const person = people.get(frame.ids[row]);
    const [x, y] = on([frame.x[row], frame.y[row]]);
    const radius = Math.max((person?.radius ?? 0.25) * view.scale, 1.5);
    paint.fillStyle = COLOURS[(person?.population ?? 0) % COLOURS.length];
    paint.beginPath();
    paint.arc(x, y, radius, 0, 2 * Math.PI);
    paint.fill();
    if (headings && radius > 3) {
      paint.strokeStyle = colour("floor");
      paint.lineWidth = Math.max(radius / 4, 1);
      paint.beginPath();
      paint.moveTo(x, y);
      paint.lineTo(x + radius * Math.cos(frame.heading[row]), y - radius * Math.sin(frame.heading[row]));
      paint.stroke();
    }
  }
}

/**
 * Trails up to the last frame that was kept are drawn only when they or the view change; from there to now it is one line for everybody.
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./frames.js").Frame} frame
 * @param {(at: ArrayLike<number>) => [number, number]} on
 */
function drawTrails(paint, frame, on) {
  const { width, height } = canvas;
  const of = [past[0]?.tick, past[past.length - 1]?.tick, view.x, view.y, view.scale, width, height].join();
  if (of !== trails.of) {
    trails.of = of;
    // This also wipes it.
    [trails.canvas.width, trails.canvas.height] = [width, height];
    // The processor draws thousands of thin lines in an instant; a graphics card, let alone one that is only software, takes each for a shape.
    const ink = /** @type {CanvasRenderingContext2D} */ (trails.canvas.getContext("2d", { willReadFrequently: true }));
    ink.setTransform(paint.getTransform());
    drawWays(ink, past, on);
  }
  paint.save();
  paint.globalAlpha = 0.5;
  drawWays(paint, [...past.slice(-1), frame], on);
  paint.resetTransform();
  paint.drawImage(trails.canvas, 0, 0);
  paint.restore();
}

/**
 * Everybody's way through some moments.
 * @param {CanvasRenderingContext2D} paint
 * @param {import("./frames.js").Frame[]} moments
 * @param {(at: ArrayLike<number>) => [number, number]} on
 */
function drawWays(paint, moments, on) {
  /** @type {Map<number, [number, number][]>} */
  const ways = new Map();
  for (const moment of moments) {
    for (let row = 0; row < moment.count; row++) {
      const at = on([moment.x[row], moment.y[row]]);
      const way = ways.get(moment.ids[row]);
      if (way) way.push(at);
      else ways.set(moment.ids[row], [at]);
    }
  }
  paint.lineWidth = 1;
  for (const [id, way] of ways) {
    paint.strokeStyle = COLOURS[(people.get(id)?.population ?? 0) % COLOURS.length];
    paint.beginPath();
    way.forEach((at, i) => (i ? paint.lineTo(...at) : paint.moveTo(...at)));
    paint.stroke();
  }
}

part("play").onclick = () => send({ do: clock?.playing && !clock.ended ? "pause" : "play" });
part("step").onclick = () => send({ do: "step", frames: 1 });
part("speed").onchange = () => send({ do: "speed", times: Number(part("speed").value) });
part("time").oninput = () => {
  seeking = true;
  send({ do: "seek", tick: Number(part("time").value) });
};
part("time").onchange = () => (seeking = false);
for (const layer of ["regions", "trails", "headings"]) part(layer).onchange = show;

canvas.onwheel = (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
};
/** @type {Map<number, [number, number]>} */
const fingers = new Map();
canvas.onpointerdown = (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
};
canvas.onpointermove = (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const now = /** @type {[number, number]} */ ([event.offsetX, event.offsetY]);
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (other) {
    /** @param {[number, number]} at */
    const away = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
    zoom(away(now) / Math.max(away(before), 1), other[0], other[1]);
  } else {
    view.x -= (now[0] - before[0]) / view.scale;
    view.y += (now[1] - before[1]) / view.scale;
    show();
  }
  fingers.set(event.pointerId, now);
};
canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
/** Makes the picture larger around a point of the canvas. @type {(times: number, x: number, y: number) => void} */
function zoom(times, x, y) {
  const [dx, dy] = [x - canvas.clientWidth / 2, canvas.clientHeight / 2 - y];
  const scale = Math.min(Math.max(view.scale * times, 0.05), 2000);
  view.x += dx / view.scale - dx / scale;
  view.y += dy / view.scale - dy / scale;
  view.scale = scale;
  show();
}
document.onkeydown = (event) => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  const far = 60 / view.scale;
  const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2];
  /** @type {Record<string, () => void>} */
  const keys = {
    " ": () => part("play").click(),
    ".": () => part("step").click(),
    "+": () => zoom(1.25, middle[0], middle[1]),
    "-": () => zoom(0.8, middle[0], middle[1]),
    ArrowLeft: () => (view.x -= far),
    ArrowRight: () => (view.x += far),
    ArrowUp: () => (view.y += far),
    ArrowDown: () => (view.y -= far),
  };
  const act = keys[event.key];
  if (!act || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  act();
  show();
};
new ResizeObserver(draw).observe(canvas);
// For tests and the curious.
Object.assign(window, { passerby: { get frame() { return frame; }, get clock() { return clock; }, get scene() { return scene; }, get drawn() { return drawn; }, people, send } });
connect();
