// Light or dark: as the system says, until somebody switches.

import { OKABE, viridis } from "../scene/colours";
import { recall, remember } from "./dom";

/** Colours of what is drawn on canvases and in charts. */
export interface Inks {
  text: string;
  faint: string;
  line: string;
  paper: string;
  first: string;
  second: string;
  third: string;
  /** People around somebody: unlike `first`, in brightness as well. */
  others: string;
}

const { blue, vermilion, green, sky, orange, yellow } = OKABE;
export const LIGHT: Inks = { text: "#1b2028", faint: "#5b6472", line: "#dde1e7", paper: "#ffffff", first: blue, second: vermilion, third: green, others: sky };
const DARK: Inks = { text: "#e8ebf0", faint: "#a3adba", line: "#343c48", paper: "#181c23", first: sky, second: orange, third: "#2bc59b", others: yellow };

export class Theme {
  private readonly system = window.matchMedia("(prefers-color-scheme: dark)");
  private chosen = recall("theme");
  private listeners: ((dark: boolean) => void)[] = [];

  constructor() {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  get inks(): Inks {
    return this.dark ? DARK : LIGHT;
  }

  /** Calls `listener` now and whenever the theme changes. */
  on(listener: (dark: boolean) => void): void {
    this.listeners.push(listener);
    listener(this.dark);
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    remember("theme", this.chosen);
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    for (const listener of this.listeners) listener(this.dark);
  }
}

/** A colour of viridis for a share from 0 to 1: as bright as it is much, in grey as well. */
export function shade(share: number): string {
  return `rgb(${viridis(share).map(Math.round).join(" ")})`;
}
