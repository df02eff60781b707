// Which camera is looked through.

import type { CameraMode } from "../stage";
import { el, icon, say } from "./dom";
import type { Page } from "./page";

const CAMERAS: { mode: CameraMode; title: string; what: string }[] = [
  { mode: "orbit", title: "Orbit", what: "Around a point of the scene" },
  { mode: "walk", title: "Walk", what: "At eye height, with W A S D or the arrows" },
  { mode: "follow", title: "Follow", what: "Behind the selected person" },
  { mode: "top", title: "Top", what: "From above, as a map" },
];

export function cameras(root: HTMLElement, page: Page): void {
  const hint = el("span", { class: "camera-hint", role: "status" });
  const buttons = CAMERAS.map(({ mode, title, what }, n) => {
    const choose = () => {
      page.stage.setCamera(mode);
      show();
    };
    page.keys.add([String(n + 1)], String(n + 1), `${title} camera: ${what[0].toLowerCase()}${what.slice(1)}`, choose);
    return el("button", { type: "button", "data-camera": mode, title: `${what} (${n + 1})`, click: choose }, icon(mode), el("span", {}, title));
  });
  function show(): void {
    const camera = page.stage.camera;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.camera === camera));
    say(hint, camera === "follow" && page.selection.id === null ? "Click the person to follow" : "");
  }
  root.append(el("div", { class: "segments", role: "group", "aria-label": "Camera" }, ...buttons), hint);
  page.selection.on(show);
  show();
}
