// What the chosen tool wants, over the picture, and a button to put it away.

import { el, fill } from "./dom";
import type { Page } from "./page";
import { lowerSheets } from "./panel";

export function banner(root: HTMLElement, { pointer }: Page): void {
  pointer.on((tool) => {
    root.hidden = !tool;
    if (!tool) return;
    // On a phone the sheet with the tools lies over the ground that is to be drawn on; who has options to choose lowers it afterwards.
    if (!tool.options) lowerSheets();
    const keys = tool.click ? "Arrows move the mark, Enter uses it." : "Arrows move the mark, Enter sets a point, and again at the same spot ends it.";
    fill(root, el("span", {}, tool.hint, el("span", { class: "with-keys" }, ` ${keys}`)), el("button", { type: "button", class: "plain", title: "Escape", click: () => pointer.use(null) }, "Done"));
  });
}
