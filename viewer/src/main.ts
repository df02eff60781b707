// The page of `passerby view`: connects, and puts the picture and the panels together.

import { readBody } from "./body";
import { Scene3D } from "./scene/scene";
import type { Stage } from "./stage";
import { banner } from "./ui/banner";
import { brush } from "./ui/brush";
import { cameras } from "./ui/cameras";
import { el, fill } from "./ui/dom";
import { header } from "./ui/header";
import { inspector } from "./ui/inspector";
import { Shortcuts } from "./ui/keys";
import { layers } from "./ui/layers";
import { Overlay } from "./ui/overlay";
import { Selection, type Page } from "./ui/page";
import { Panel } from "./ui/panel";
import { plots } from "./ui/plots";
import { Pointer } from "./ui/pointer";
import { resume } from "./ui/resume";
import { Theme } from "./ui/theme";
import { time } from "./ui/time";
import { toasts } from "./ui/toast";
import { Connection, World } from "./world";

declare global {
  interface Window {
    /** For tests, and for the curious at the console. */
    passerby?: { world: World; stage: Stage; connection: Connection };
  }
}

/** The server is told at most this often where the camera looks, ms. */
const LOOK_EVERY = 250;

const part = <T extends Element>(id: string) => document.getElementById(id) as Element as T;

async function start(): Promise<void> {
  const token = new URLSearchParams(location.search).get("token");
  if (!token) throw new Error("The address lacks its token. Open the whole address that `passerby view` printed.");
  const theme = new Theme();
  const answer = await fetch(`/body.bin?token=${encodeURIComponent(token)}`);
  if (!answer.ok) throw new Error(`The server did not give the bodies (${answer.status}). Open the address that \`passerby view\` printed last.`);
  const world = new World();
  const canvas = part<HTMLCanvasElement>("picture");
  const stage: Stage = new Scene3D(canvas, world, readBody(await answer.arrayBuffer()));
  const connection = new Connection(world, token);
  const selection = new Selection(stage, connection);
  const pointer = new Pointer(canvas, stage, (id) => selection.choose(id));
  const page: Page = { world, stage, connection, canvas, keys: new Shortcuts(), theme, selection, pointer, toast: toasts(part("toasts")) };
  window.passerby = { world, stage, connection };

  const overlay = new Overlay(part("overlay"), stage);
  panels(page, overlay);
  stage.covered = () => [covered("left"), covered("right")];
  theme.on((dark) => stage.setTheme(dark));
  world.on("error", page.toast);
  new ResizeObserver(() => stage.resize()).observe(canvas);
  resume(world, connection, token);
  tellLook(page);
  const draw = (now: number) => {
    stage.render(now);
    overlay.update();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  document.body.dataset.ready = "true";
}

/** Panels in the order in which Tab goes through them. */
function panels(page: Page, overlay: Overlay): void {
  const [left, right, tabs] = [part<HTMLElement>("left"), part<HTMLElement>("right"), part<HTMLElement>("tabs")];
  const roomy = window.matchMedia("(min-width: 1100px)").matches;
  header(part("header"), page);
  time(part("time"), page);
  cameras(part("cameras"), page);
  banner(part("banner"), page);
  const all = {
    l: new Panel("layers", "Layers", "layers", left, tabs, roomy),
    b: new Panel("brush", "Brush", "brush", left, tabs, false),
    i: new Panel("inspector", "Person", "person", right, tabs, false),
    p: new Panel("plots", "Plots", "plots", right, tabs, roomy),
  };
  layers(all.l, page);
  brush(all.b, page);
  inspector(all.i, page);
  plots(all.p, page, overlay);
  for (const [key, panel] of Object.entries(all)) page.keys.add([key], key.toUpperCase(), `Unfold or fold: ${panel.name}`, () => panel.toggle());
}

/** How much an unfolded panel on this side takes from the picture; sheets on a phone come and go. */
function covered(side: string): number {
  const open = part(side).querySelector<HTMLElement>(".panel[data-open=true]");
  const wide = getComputedStyle(part(side)).display !== "contents";
  return open && wide ? open.offsetWidth + 12 : 0;
}

/** Keeps the server told where full poses are wanted. */
function tellLook({ stage, connection }: Page): void {
  let told = "";
  setInterval(() => {
    const { x, y, radius, most } = stage.interest();
    const near = (value: number) => Math.round(value * 10) / 10;
    const look = { do: "look", x: near(x), y: near(y), radius: near(radius), most } as const;
    const text = JSON.stringify(look);
    if (text === told) return;
    told = text;
    connection.always(look);
  }, LOOK_EVERY);
}

start().catch((error: Error) => {
  console.error(error);
  const flat = el("a", { href: `/flat${location.search}` }, "Try the flat page instead.");
  fill(part("trouble"), el("h1", {}, "The picture cannot be shown"), el("p", {}, error.message), el("p", {}, flat));
  part<HTMLElement>("trouble").hidden = false;
});
