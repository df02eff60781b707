// Playing: on and off, one step, how fast, and where.

import { el, fill, icon, say } from "./dom";
import type { Page } from "./page";
import { timeline } from "./timeline";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const MARKS = [0.1, 0.5, 1, 5, 20];
/** Shares of the slider that are as good as a speed with a name. */
const SNAP = 0.02;

/** Where a speed is on the slider, 0 to 1: every tenfold is as far. */
const share = (speed: number) => Math.log(speed / 0.1) / Math.log(200);

export function time(root: HTMLElement, page: Page): void {
  const { world, connection, keys, toast } = page;
  const play = el("button", { class: "play", type: "button", click: toggle });
  const step = el("button", { class: "round", type: "button", title: "One frame on (.)", "aria-label": "One frame on", click: forward }, icon("step"));
  const now = el("output", { class: "now", "aria-label": "Time" }, "0:00.0");
  const whole = el("span", { class: "whole" });
  const slider = el("input", { type: "range", min: 0, max: 1, step: 0.005, value: share(1), "aria-label": "Speed of playing", input: slid });
  const shown = el("output", { class: "speed-value" }, "1×");
  const marks = MARKS.map((speed) =>
    el("button", { type: "button", tabindex: -1, style: `left:${100 * share(speed)}%`, "aria-label": `${speed} times`, click: () => setSpeed(speed) }, String(speed)),
  );
  const speed = el("div", { class: "speed" }, el("span", { class: "speed-name" }, "Speed ", shown), el("div", { class: "slider" }, slider, el("div", { class: "marks", "aria-hidden": "true" }, ...marks)));

  root.append(el("div", { class: "transport" }, play, step, el("div", { class: "clock" }, now, whole)), timeline(page), speed);

  function toggle(): void {
    const clock = world.clock;
    if (!clock) return;
    if (clock.ended && world.scene?.live) return toast("The run has ended. `passerby view` shows its recording, forwards and backwards; it is in passerby-out/ unless --out said otherwise.");
    // At the end of a recording there is nothing more to play, so it starts again.
    if (clock.ended && world.scene?.can.seek) connection.send({ do: "seek", tick: world.scene.first });
    connection.send({ do: clock.playing && !clock.ended ? "pause" : "play" });
  }

  function forward(): void {
    if (world.clock?.playing) connection.send({ do: "pause" });
    connection.send({ do: "step", frames: 1 });
  }

  function setSpeed(times: number): void {
    connection.send({ do: "speed", times });
    showSpeed(times);
  }

  function slid(): void {
    const at = Number(slider.value);
    const near = SPEEDS.find((named) => Math.abs(share(named) - at) < SNAP);
    setSpeed(near ?? Number((0.1 * 200 ** at).toPrecision(2)));
  }

  function showSpeed(times: number): void {
    say(shown, `${Number(times.toPrecision(2))}×`);
    slider.value = String(share(times));
    slider.setAttribute("aria-valuetext", `${Number(times.toPrecision(2))} times real time`);
  }

  /** The next speed of the list, upwards or downwards. */
  function shift(up: boolean): void {
    const times = world.clock?.speed ?? 1;
    const next = up ? SPEEDS.find((other) => other > times * 1.01) : SPEEDS.findLast((other) => other < times * 0.99);
    if (next) setSpeed(next);
  }

  function showPlaying(playing: boolean): void {
    if (play.dataset.playing === String(playing)) return;
    play.dataset.playing = String(playing);
    fill(play, icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause (space)" : "Play (space)";
  }

  showPlaying(false);
  keys.add([" "], "Space", "Play, pause", toggle);
  keys.add(["."], ".", "One frame on", forward);
  keys.add(["["], "[", "Slower", () => shift(false));
  keys.add(["]"], "]", "Faster", () => shift(true));
  world.on("clock", (clock) => {
    showPlaying(clock.playing && !clock.ended);
    if (document.activeElement !== slider || !slider.matches(":active")) showSpeed(clock.speed);
    say(now, clockTime(world.seconds(clock.tick), 1));
    say(whole, clock.ended ? "ended" : `of ${clockTime(world.seconds(clock.last), 0)}`);
  });
}

/** Minutes and seconds, with hours where there are some. */
export function clockTime(seconds: number, digits: number): string {
  const whole = Number(Math.max(seconds, 0).toFixed(digits));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = (whole % 60).toFixed(digits).padStart(digits ? 3 + digits : 2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
