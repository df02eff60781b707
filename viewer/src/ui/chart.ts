// Charts as SVG text: the same for the page and for the file that is downloaded.

import type { Inks } from "./theme";

export interface Axis {
  title: string;
  from: number;
  to: number;
}

export interface Chart {
  title: string;
  x: Axis;
  y: Axis;
  lines?: { name: string; points: [number, number][]; ink: "first" | "second" | "third" }[];
  bars?: { width: number; heights: number[] };
  dots?: [number, number][];
}

const [WIDTH, HEIGHT] = [300, 168];
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 292, 12, 130];

/** Round numbers for an axis: about four of them. */
export function ticks(from: number, to: number): number[] {
  const rough = Math.max(to - from, 1e-9) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((times) => times * power >= rough * 0.99) ?? 10);
  const found: number[] = [];
  for (let n = Math.ceil(from / step - 1e-6); n * step <= to + 1e-6 * step; n++) found.push(Number((n * step).toPrecision(8)));
  return found;
}

/** The next round number above. */
export function roundUp(most: number): number {
  const steps = ticks(0, Math.max(most, 1e-6));
  const step = steps[1] - steps[0];
  return Math.ceil(most / step - 1e-9) * step || 1;
}

export function svg(chart: Chart, inks: Inks, background: string | null): string {
  const { x, y } = chart;
  const right = (value: number) => LEFT + ((value - x.from) / Math.max(x.to - x.from, 1e-9)) * (RIGHT - LEFT);
  const up = (value: number) => BOTTOM - ((Math.min(value, y.to) - y.from) / Math.max(y.to - y.from, 1e-9)) * (BOTTOM - TOP);
  const at = ([a, b]: [number, number]) => `${right(a).toFixed(1)} ${up(b).toFixed(1)}`;
  const text = (words: string, left: number, top: number, more = "") => `<text x="${left.toFixed(1)}" y="${top.toFixed(1)}" fill="${inks.faint}" ${more}>${escaped(words)}</text>`;
  const parts = [background ? `<rect width="${WIDTH}" height="${HEIGHT}" fill="${background}"/>` : ""];

  for (const value of ticks(y.from, y.to)) {
    parts.push(`<path d="M${LEFT} ${up(value).toFixed(1)}H${RIGHT}" stroke="${inks.line}"/>`, text(String(value), LEFT - 5, up(value) + 3.5, 'text-anchor="end"'));
  }
  for (const value of ticks(x.from, x.to)) {
    parts.push(`<path d="M${right(value).toFixed(1)} ${BOTTOM}v4" stroke="${inks.faint}"/>`, text(String(value), right(value), BOTTOM + 15, 'text-anchor="middle"'));
  }
  parts.push(text(x.title, (LEFT + RIGHT) / 2, BOTTOM + 31, 'text-anchor="middle"'));
  parts.push(text(y.title, 0, 0, `text-anchor="middle" transform="translate(11 ${(TOP + BOTTOM) / 2}) rotate(-90)"`));

  chart.bars?.heights.forEach((height, n) => {
    const [a, b] = [right(x.from + n * chart.bars!.width), right(x.from + (n + 1) * chart.bars!.width)];
    if (height > 0) parts.push(`<rect x="${(a + 0.5).toFixed(1)}" y="${up(height).toFixed(1)}" width="${(b - a - 1).toFixed(1)}" height="${(BOTTOM - up(height)).toFixed(1)}" fill="${inks.first}"/>`);
  });
  if (chart.dots?.length) {
    // Round ends of lines without length are dots: one element instead of thousands.
    const inside = chart.dots.filter(([a]) => a <= x.to);
    parts.push(`<path d="${inside.map((point) => `M${at(point)}h0`).join("")}" stroke="${inks.first}" stroke-width="2.4" stroke-linecap="round" stroke-opacity=".35"/>`);
  }
  chart.lines?.forEach(({ name, points, ink }, n) => {
    // The second line is dashed as well, for those who see no colours.
    const dash = n === 1 ? ' stroke-dasharray="5 3"' : n === 2 ? ' stroke-dasharray="1.5 3"' : "";
    if (points.length > 1) parts.push(`<path d="M${points.map(at).join("L")}" fill="none" stroke="${inks[ink]}" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"${dash}/>`);
    if (chart.lines!.length < 2) return;
    const left = LEFT + 8 + n * 84;
    parts.push(`<path d="M${left} ${TOP - 4}h16" stroke="${inks[ink]}" stroke-width="2"${dash}/>`, text(name, left + 20, TOP - 0.5));
  });
  parts.push(`<path d="M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}" fill="none" stroke="${inks.faint}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="10.5"><title>${escaped(chart.title)}</title>${parts.join("")}</svg>\n`;
}

function escaped(words: string): string {
  return words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
