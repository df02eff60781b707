// Keys, and the list of them that the help shows: one table, so that they cannot differ.

export interface Shortcut {
  /** As `event.key` says it, in small letters; "ctrl+" before it where Ctrl or Cmd is held, "shift+" likewise. */
  keys: string[];
  /** As the help shows it. */
  shown: string;
  what: string;
  run(): void;
}

export class Shortcuts {
  readonly all: Shortcut[] = [];

  constructor() {
    window.addEventListener("keydown", (event) => this.pressed(event));
  }

  add(keys: string[], shown: string, what: string, run: () => void): void {
    this.all.push({ keys, shown, what, run });
  }

  private pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=range], [type=checkbox], [type=radio]), select, textarea");
    if (event.altKey || (typing && event.key !== "Escape") || document.querySelector("dialog[open]")) return;
    // Out of a field, letters are keys again.
    if (typing) target.blur();
    // Buttons and boxes are pressed with the space bar.
    if (event.key === " " && target.matches("button, input, summary, a")) return;
    const control = event.ctrlKey || event.metaKey;
    // Signs such as ? say by themselves that Shift is held; letters with Ctrl and names of keys do not.
    const shift = event.shiftKey && (control || event.key.length > 1);
    const name = `${control ? "ctrl+" : ""}${shift ? "shift+" : ""}${event.key.toLowerCase()}`;
    const shortcut = this.all.find(({ keys }) => keys.includes(name));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  }
}
