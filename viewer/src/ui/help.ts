// A dialog with all keys and gestures.

import { el, fill, icon } from "./dom";
import type { Shortcuts } from "./keys";

const GESTURES: [string, string][] = [
  ["Drag, or one finger", "Turn the camera"],
  ["Wheel, or pinch", "Closer, farther"],
  ["Right button, or two fingers", "Shift the view"],
  ["Wheel, right button, two fingers", "Move the camera while a tool is in hand"],
  ["W A S D, arrows", "Walk, in the walk camera"],
  ["Click or tap a person", "Inspect them"],
  ["Arrows on the picture", "Move the mark of the tool in hand; farther with Shift"],
  ["Enter on the picture", "Set a point there; again at the same spot: done. Escape gives up"],
];

export function help(keys: Shortcuts): HTMLDialogElement {
  const list = el("div", { class: "help-columns" });
  const close = el("button", { class: "round", type: "button", "aria-label": "Close", click: () => dialog.close() }, icon("close"));
  const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title" }, el("header", {}, el("h2", { id: "help-title" }, "Keys and gestures"), close), list);
  // A click beside the dialog hits the dialog itself, one inside hits what is in it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    const rows = (pairs: [string, string][]) => el("dl", {}, ...pairs.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what))));
    fill(list, rows(keys.all.map(({ shown, what }) => [shown, what])), rows(GESTURES));
    show();
  };
  return dialog;
}
