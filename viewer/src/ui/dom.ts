// Making elements without a framework.

type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
type Child = Node | string | number | null | false | undefined;

/** An element with attributes (functions are listeners, `true` is an attribute without a value) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    // A strict content security policy forbids the attribute, not the property.
    if (name === "style") element.style.cssText = String(value);
    else if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}

/** Puts children in place of those that are there. */
export function fill(element: Element, ...children: Child[]): void {
  const there = children.filter((child) => child !== null && child !== false && child !== undefined);
  element.replaceChildren(...there.map((child) => (child instanceof Node ? child : String(child))));
}

/** Sets a text only where it changed: screen readers read live regions again otherwise. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5v14l9-7zM18 5v14",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  help: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.6v.2M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4z",
  fold: "M6 9.5l6 6 6-6",
  close: "M6 6l12 12M18 6L6 18",
  layers: "M12 3.5l9 5-9 5-9-5zM3 12.5l9 5 9-5M3 16.2l9 5 9-5",
  brush: "M14.5 4.5l5 5-8.5 8.5-5-5zM6 13c-2.5.5-2.5 4-3.5 6.5 3 .8 7 .5 8.5-1.5",
  plots: "M4 4v16h16M8 15l3.5-5 3 3L19.5 7",
  person: "M12 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6 20.5c0-5 2-8 6-8s6 3 6 8",
  orbit: "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM3 12c0-2.5 4-4.5 9-4.5s9 2 9 4.5-4 4.5-9 4.5-9-2-9-4.5z",
  walk: "M13 3.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12.5 9l-1 5.5 3 2.5 1 4M11.5 14.5l-1.5 3-3 3M12.5 9l-3 1.5-1.5 3M12.5 9l2.5 3 3 .5",
  follow: "M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM4 20c0-5 2-7.5 6-7.5 1.5 0 2.7.4 3.6 1M15 20h6M18.5 17.5L21 20l-2.5 2.5",
  top: "M4 4h16v16H4zM4 10h6V4M14 20v-6h6",
  events: "M5 4v17M5 5h12l-2.5 4L17 13H5",
  download: "M12 4v11M7.5 11l4.5 4.5L16.5 11M4.5 20h15",
  undo: "M9 6L4.5 10.5 9 15M4.5 10.5H14a5 5 0 0 1 0 10h-3",
  redo: "M15 6l4.5 4.5L15 15M19.5 10.5H10a5 5 0 0 0 0 10h3",
  move: "M12 3v18M3 12h18M9 5.5L12 3l3 2.5M9 18.5l3 2.5 3-2.5M5.5 9L3 12l2.5 3M18.5 9l2.5 3-2.5 3",
  resize: "M4 10V4h6M20 14v6h-6M4 4l6.5 6.5M20 20l-6.5-6.5",
  remove: "M5 7h14M9.5 7V4h5v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  obstacle: "M3 6h18v12H3zM3 12h18M9 6v6M15 6v6M12 12v6M6 12v6M18 12v6",
  door: "M6 21V3.5h12V21M3 21h18M14.5 12v1.5",
  drop: "M9 4a2.7 2.7 0 1 0 0 5.400A2.7 2.7 0 0 0 9 4zM3.5 20c0-4.5 1.8-7.5 5.5-7.5s5.5 3 5.5 7.5M18.5 7v6M15.5 10h6",
  goal: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 11.5v1",
  line: "M4 19L20 5M2.5 16.5l4 4.5M17.5 3l4 4.5",
  box: "M4 6h16v12H4z",
} as const;
export type Icon = keyof typeof ICONS;

/** A line drawing in the colour of the text around it; words beside it say the same, so readers skip it. */
export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Calls `act` soon, however often it is asked, and at most once in `ms` milliseconds. */
export function seldom(ms: number, act: () => void): () => void {
  let waiting = false;
  let last = -Infinity;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(
      () => {
        waiting = false;
        last = performance.now();
        act();
      },
      Math.max(0, last + ms - performance.now()),
    );
  };
}

/** Gives somebody a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What this browser remembered; nothing where it may not. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`passerby.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`passerby.${key}`, value);
  } catch {
    // Private windows forget; the page works all the same.
  }
}
