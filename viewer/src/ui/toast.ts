// Short notes in passing. Screen readers read them when they have a moment.

import { el } from "./dom";

const SECONDS = 7;
const MOST = 3;

/** A function that shows a note in `corner`. */
export function toasts(corner: HTMLElement): (text: string) => void {
  return (text) => {
    while (corner.children.length >= MOST) corner.firstElementChild?.remove();
    const note = el("div", { class: "toast" }, text);
    corner.append(note);
    setTimeout(() => note.remove(), SECONDS * 1000);
  };
}
