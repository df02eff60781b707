// Plots beside the picture: measured on the frames that come, drawn a few times a second.

import type { Point, Ring } from "../protocol";
import { roundUp, svg, type Chart } from "./chart";
import { download, el, icon, say, seldom } from "./dom";
import { Flow } from "./flow";
import { densityIn, fundamental, histogram, speeds } from "./measures";
import type { Overlay } from "./overlay";
import type { Page } from "./page";
import type { Panel } from "./panel";
import type { Tool } from "./pointer";
import { Cloud, Series } from "./series";
import { box } from "./shapes";
import { LIGHT } from "./theme";

/** Neighbours within this, m, make the local density. */
const REACH = 2;
/** People of a frame that go into the fundamental diagram. */
const SAMPLED = 150;
const BIN = 0.1;
const BINS = 25;

interface Plot {
  name: string;
  title: string;
  chart(): Chart;
  csv(): string;
  /** The number that matters, beside the title. */
  now(): string;
  /** What draws the figure that is measured on, and whether there is one. */
  tool?: Tool;
  drawn?(): boolean;
}

export function plots(panel: Panel, page: Page, overlay: Overlay): void {
  const { world, theme, pointer } = page;
  const people = new Series(["people"]);
  const flow = new Series(["to_left_per_s", "to_right_per_s"]);
  const density = new Series(["people_per_m2"]);
  const cloud = new Cloud();
  let counts = new Array<number>(BINS).fill(0);
  let line: [Point, Point] | null = null;
  let square: Ring | null = null;
  const crossed = new Flow();
  let sampledAt = -Infinity;

  function measure(): void {
    const { latest: frame, previous, scene } = world;
    if (!frame || !scene) return;
    const time = world.seconds(frame.tick);
    people.add(time, frame.count);
    if (square) density.add(time, densityIn(frame, square));
    const rates = line && crossed.count(previous, frame, line, (tick) => world.seconds(tick));
    if (rates) flow.add(time, ...rates);
    if (!previous) return;
    const seconds = world.seconds(frame.tick - previous.tick);
    // Sorting everybody into cells is worth it only now and then, and only while somebody can see it.
    if (performance.now() - sampledAt < 300 || !panel.visible) return;
    sampledAt = performance.now();
    const speed = speeds(previous, frame, seconds);
    counts = histogram(speed, BIN, BINS);
    fundamental(frame, speed, REACH, SAMPLED, (d, v) => cloud.add(d, v));
  }

  /** A chart over time that goes up to `least` at least. */
  const over = (series: Series, title: string, y: string, least: number, lines: { name: string; ink: "first" | "second" }[]): Chart => {
    const most = Math.max(least, ...series.values.map((column) => column.reduce((a, b) => Math.max(a, b), 0)));
    const [from, to] = [series.time[0] ?? 0, series.time[series.time.length - 1] ?? 1];
    return {
      title,
      x: { title: "time, s", from, to: Math.max(to, from + 5) },
      y: { title: y, from: 0, to: roundUp(most) },
      lines: lines.map(({ name, ink }, n) => ({ name, ink, points: series.time.map((time, row): [number, number] => [time, series.values[n][row]]) })),
    };
  };

  const lineTool: Tool = {
    id: "flow-line",
    hint: "Drag a line across the way that people go.",
    draw: (path) => ({ points: [path[0], path[path.length - 1]], closed: false, width: 0 }),
    finish(path) {
      const [a, b] = [path[0], path[path.length - 1]];
      if (Math.hypot(b[0] - a[0], b[1] - a[1]) < 0.3) return page.toast("A line needs a drag, not a click.");
      line = [a, b];
      flow.clear();
      crossed.clear();
      overlay.mark("line", line, "flow");
      pointer.use(null);
      draw();
    },
  };
  const boxTool: Tool = {
    id: "density-box",
    hint: "Drag a box over the ground.",
    draw: (path) => ({ points: box(path), closed: true, width: 0 }),
    finish(path) {
      square = box(path, 0.5);
      density.clear();
      overlay.mark("box", square, "density");
      pointer.use(null);
      draw();
    },
  };

  const all: Plot[] = [
    {
      name: "people",
      title: "People in the scene",
      chart: () => over(people, "People in the scene", "people", 4, [{ name: "people", ink: "first" }]),
      csv: () => people.csv(),
      now: () => String(people.last[0]),
    },
    {
      name: "flow",
      title: "Flow through a line",
      tool: lineTool,
      drawn: () => line !== null,
      chart: () => over(flow, "Flow through a line", "people/s", 1, [{ name: "to its left", ink: "first" }, { name: "to its right", ink: "second" }]),
      csv: () => flow.csv(),
      now: () => (line ? `${crossed.total[0]} left, ${crossed.total[1]} right` : ""),
    },
    {
      name: "density",
      title: "Density in a box",
      tool: boxTool,
      drawn: () => square !== null,
      chart: () => over(density, "Density in a box", "people/m²", 1, [{ name: "density", ink: "first" }]),
      csv: () => density.csv(),
      now: () => (square ? `${density.last[0].toFixed(2)} /m²` : ""),
    },
    {
      name: "speed",
      title: "Speeds now",
      chart: () => ({ title: "Speeds", x: { title: "speed, m/s", from: 0, to: BIN * BINS }, y: { title: "people", from: 0, to: roundUp(Math.max(...counts, 4)) }, bars: { width: BIN, heights: counts } }),
      csv: () => ["speed_from_m_per_s,people", ...counts.map((count, n) => `${(n * BIN).toFixed(1)},${count}`)].join("\n") + "\n",
      now: () => "",
    },
    {
      name: "fundamental",
      title: "Speed against density",
      chart: () => ({ title: "Fundamental diagram", x: { title: `people/m² within ${REACH} m`, from: 0, to: 4 }, y: { title: "speed, m/s", from: 0, to: 2.5 }, dots: cloud.points() }),
      csv: () => ["people_per_m2,speed_m_per_s", ...cloud.points().map(([d, v]) => `${d.toFixed(4)},${v.toFixed(4)}`)].join("\n") + "\n",
      now: () => "",
    },
  ];

  const cards = all.map((plot) => card(plot, page));
  panel.body.append(...cards.map(({ root }) => root));
  const draw = seldom(300, () => {
    if (panel.visible) for (const { show } of cards) show();
  });

  world.on("frame", () => {
    measure();
    draw();
  });
  world.on("scene", () => {
    for (const series of [people, flow, density]) series.clear();
    cloud.clear();
    crossed.clear();
  });
  theme.on(draw);
  draw();
}

function card({ name, title, chart, csv, now, tool, drawn }: Plot, { theme, pointer, world }: Page): { root: HTMLElement; show: () => void } {
  const picture = el("div", { class: "chart", role: "img", "aria-label": title });
  const value = el("output", {});
  const file = () => `${world.scene?.name ?? "passerby"}-${name}`.replace(/[^\p{L}\p{N}_-]+/gu, "-");
  const draws = tool && el("button", { type: "button", class: "plain", "data-tool": tool.id, "aria-pressed": "false", click: () => pointer.use(tool) }, icon(tool.id === "flow-line" ? "line" : "box"), "Draw");
  const hint = el("p", { class: "hint", hidden: true }, "Nothing is measured yet: press Draw, then drag over the ground.");
  const root = el(
    "section",
    { class: "plot", "data-plot": name, "aria-label": title },
    el("div", { class: "row" }, el("h3", {}, title), value),
    picture,
    hint,
    el(
      "div",
      { class: "row small" },
      draws,
      el("span", { class: "gap" }),
      el("button", { type: "button", class: "plain", "aria-label": `${title} as CSV`, click: () => download(`${file()}.csv`, "text/csv", csv()) }, "CSV"),
      el("button", { type: "button", class: "plain", "aria-label": `${title} as SVG`, click: () => download(`${file()}.svg`, "image/svg+xml", svg(chart(), LIGHT, LIGHT.paper)) }, "SVG"),
    ),
  );
  if (draws) pointer.on((used) => draws.setAttribute("aria-pressed", String(used?.id === tool.id)));
  function show(): void {
    picture.hidden = drawn?.() === false;
    hint.hidden = !picture.hidden;
    if (picture.hidden) return;
    picture.innerHTML = svg(chart(), theme.inks, null);
    say(value, now());
    picture.setAttribute("aria-label", `${title}${now() ? `: ${now()}` : ""}`);
  }
  return { root, show };
}
