// The line of time: where it is, what happened when, and, in recordings, a handle to go elsewhere.

import type { EventNote } from "../protocol";
import { el, fill, icon, say, seldom } from "./dom";
import type { Page } from "./page";
import { clockTime } from "./time";

/** Marks nearer to one another than this share of the line are one mark. */
const TOGETHER = 0.008;
/** As many rows of the list as anybody reads. */
const LISTED = 300;

export function timeline(page: Page): HTMLElement {
  const { world, connection } = page;
  const track = el("div", { class: "track", "aria-hidden": "true" }, el("div", { class: "passed" }));
  const passed = track.firstElementChild as HTMLElement;
  const ticks = el("div", { class: "ticks", "aria-hidden": "true" });
  const marks = el("div", { class: "event-marks" });
  const scrubber = el("input", { type: "range", class: "scrubber", min: 0, max: 1, step: 1, value: 0, "aria-label": "Time", input: scrubbed, change: released });
  const reason = el("p", { class: "reason", id: "seek-reason" });
  const list = el("ol", { class: "event-list" });
  const count = el("span", {}, "0");
  const listed = el("details", { class: "events" }, el("summary", { title: "What happened when" }, icon("events"), el("span", { class: "events-word" }, "Events"), count), list);
  const root = el("div", { class: "timeline" }, el("div", { class: "line" }, ticks, track, scrubber, marks), reason, listed);

  let span = { first: 0, last: 1 };
  let dragging = false;
  const seek = seldom(90, () => connection.send({ do: "seek", tick: Number(scrubber.value) }));

  function scrubbed(): void {
    dragging = true;
    showPassed(Number(scrubber.value));
    seek();
  }

  function released(): void {
    // The clock that comes next is that of the new place.
    setTimeout(() => (dragging = false), 300);
  }

  const share = (tick: number) => Math.min(Math.max((tick - span.first) / Math.max(span.last - span.first, 1), 0), 1);

  function showPassed(tick: number): void {
    passed.style.width = `${100 * share(tick)}%`;
    scrubber.setAttribute("aria-valuetext", `${clockTime(world.seconds(tick), 1)} of ${clockTime(world.seconds(span.last), 0)}`);
  }

  function goTo(tick: number): void {
    if (world.scene?.can.seek) connection.send({ do: "seek", tick });
  }

  function showTicks(): void {
    const seconds = world.seconds(span.last - span.first);
    const every = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400].find((step) => seconds / step <= 8) ?? seconds;
    const at: HTMLElement[] = [];
    for (let second = 0; second <= seconds; second += every) {
      at.push(el("span", { style: `left:${(100 * second) / Math.max(seconds, 1e-9)}%` }, clockTime(second + world.seconds(span.first), 0)));
    }
    fill(ticks, ...at);
  }

  const showEvents = seldom(250, () => {
    const events = [...world.events].sort((a, b) => a.tick - b.tick);
    const groups: EventNote[][] = [];
    for (const event of events) {
      const last = groups.at(-1);
      if (last && share(event.tick) - share(last[0].tick) < TOGETHER) last.push(event);
      else groups.push([event]);
    }
    const words = (event: EventNote) => `${clockTime(world.seconds(event.tick), 1)} ${event.what}`;
    fill(
      marks,
      ...groups.map((group) => {
        const text = group.slice(0, 6).map(words).join("\n") + (group.length > 6 ? `\nand ${group.length - 6} more` : "");
        return el("button", { type: "button", class: "event-mark", tabindex: -1, style: `left:${100 * share(group[0].tick)}%`, "data-tip": text, "aria-label": text, click: () => goTo(group[0].tick) });
      }),
    );
    const canSeek = world.scene?.can.seek;
    fill(
      list,
      ...events.slice(-LISTED).map((event) => {
        const row = [el("time", {}, clockTime(world.seconds(event.tick), 1)), event.what];
        return el("li", {}, canSeek ? el("button", { type: "button", click: () => goTo(event.tick) }, ...row) : el("span", {}, ...row));
      }),
    );
    if (!events.length) fill(list, el("li", { class: "none" }, "Nothing happened yet."));
    say(count, String(events.length));
  });

  world.on("scene", (scene) => {
    span = { first: scene.first, last: scene.last };
    scrubber.min = String(scene.first);
    scrubber.max = String(scene.last);
    scrubber.step = String(Math.max(scene.every, 1));
    scrubber.disabled = !scene.can.seek;
    const why = scene.can.seek ? "" : scene.live ? "A live run goes only forward. Its recording can be searched when it has ended." : "This recording cannot be searched.";
    say(reason, why);
    scrubber.title = why;
    scrubber.setAttribute("aria-describedby", "seek-reason");
    showTicks();
    showEvents();
  });
  world.on("clock", (clock) => {
    if (clock.last !== span.last) {
      span.last = clock.last;
      scrubber.max = String(clock.last);
      showTicks();
      showEvents();
    }
    if (dragging) return;
    scrubber.value = String(clock.tick);
    showPassed(clock.tick);
  });
  world.on("event", showEvents);
  document.addEventListener("pointerdown", (event) => {
    if (!listed.contains(event.target as Node)) listed.open = false;
  });
  return root;
}
