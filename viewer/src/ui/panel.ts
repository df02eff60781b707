// A panel that can be folded; on a phone it is a sheet that comes from below, one at a time.

import { el, icon, recall, remember, type Icon } from "./dom";

export class Panel {
  readonly body = el("div", { class: "panel-body" });
  readonly tab: HTMLButtonElement;
  private readonly root: HTMLElement;
  private readonly handle: HTMLButtonElement;

  constructor(
    readonly name: string,
    title: string,
    picture: Icon,
    side: HTMLElement,
    tabs: HTMLElement,
    open: boolean,
  ) {
    const id = `panel-${name}`;
    this.body.id = id;
    this.handle = el("button", { class: "panel-head", type: "button", "aria-controls": id, click: () => this.toggle() }, icon(picture), title, icon("fold"));
    const close = el("button", { class: "sheet-close", type: "button", "aria-label": `Close ${title}`, click: () => this.sheet(false) }, icon("close"));
    this.root = el("section", { class: "panel", "data-panel": name, "aria-label": title }, el("h2", {}, this.handle), close, this.body);
    this.tab = el("button", { class: "tab", type: "button", "aria-controls": id, click: () => this.sheet(!this.onSheet) }, icon(picture), title);
    side.append(this.root);
    tabs.append(this.tab);
    const before = recall(`panel.${name}`);
    this.fold(before ? before === "open" : open);
    this.sheet(false);
  }

  get open(): boolean {
    return this.root.dataset.open === "true";
  }

  private get onSheet(): boolean {
    return this.root.dataset.sheet === "true";
  }

  /** Whether anybody can see what is inside; what is hidden need not be drawn. */
  get visible(): boolean {
    return this.body.offsetParent !== null;
  }

  /** Brings it up, unfolded, on any kind of screen. */
  show(): void {
    this.fold(true);
    this.sheet(true);
  }

  toggle(): void {
    this.fold(!this.open);
    this.sheet(!this.onSheet);
    remember(`panel.${this.name}`, this.open ? "open" : "folded");
  }

  private fold(open: boolean): void {
    this.root.dataset.open = String(open);
    this.handle.setAttribute("aria-expanded", String(open));
  }

  private sheet(up: boolean): void {
    if (up) lowerSheets();
    this.root.dataset.sheet = String(up);
    this.tab.setAttribute("aria-expanded", String(up));
  }
}

/** Makes room for the picture on a phone. */
export function lowerSheets(): void {
  for (const panel of document.querySelectorAll<HTMLElement>(".panel[data-sheet=true]")) {
    panel.dataset.sheet = "false";
    document.querySelector(`.tab[aria-controls="panel-${panel.dataset.panel}"]`)?.setAttribute("aria-expanded", "false");
  }
}
