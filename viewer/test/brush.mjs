// Painting into a live run changes where people go, and what was painted can be run again.

import { readFile } from "node:fs/promises";
import { check, expect, folder, open, passerby, pause, positions, send, until, view, written } from "./harness.mjs";
import { field } from "./scenes.mjs";

/** The stroke, and when people are looked for near it. */
const ALONG = 0;
const AT = 800;

export async function brush() {
  const scene = written("painted.toml", field);
  const server = await view(scene);
  const page = await open(server.address);
  await page.keyboard.press("4");
  await page.evaluate(() => globalThis.passerby.stage.lookAt([0, 0], 60, 1.57));
  await page.keyboard.press("b");
  await page.waitForTimeout(1200);

  await check("a stroke that is dragged over the ground becomes a situation", async () => {
    await page.click("#panel-brush [data-tool=paint]");
    await page.click("[data-kind=follow]");
    const box = await page.locator("#picture").boundingBox();
    const [from, to] = await page.evaluate((y) => [[-8, y], [20, y]].map((at) => globalThis.passerby.stage.project(at)), ALONG);
    await page.mouse.move(box.x + from[0], box.y + from[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 12 });
    await page.mouse.up();
    await until(page, () => /Painted/.test(document.querySelector("#panel-brush .changes").textContent));
    return await page.textContent("#panel-brush .changes");
  });

  await check("with a tool in hand the wheel zooms, the right button turns, and both leave the ground as it is", async () => {
    const before = await count(page);
    await page.keyboard.press("1");
    const box = await page.locator("#picture").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const scale = () => page.evaluate(() => Math.hypot(...[0, 1].map((axis) => globalThis.passerby.stage.project([1, 0])[axis] - globalThis.passerby.stage.project([-1, 0])[axis])));
    const way = () => page.evaluate(() => Math.atan2(...[1, 0].map((axis) => globalThis.passerby.stage.project([1, 0])[axis] - globalThis.passerby.stage.project([-1, 0])[axis])));
    await page.waitForTimeout(600);
    const far = await scale();
    await page.mouse.wheel(0, -240);
    await page.waitForTimeout(900);
    const near = await scale();
    expect(near > 1.2 * far, `2 m were ${far.toFixed(1)} pixels, and are ${near.toFixed(1)}`);
    const ahead = await way();
    await page.mouse.down({ button: "right" });
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up({ button: "right" });
    await page.waitForTimeout(900);
    const turned = Math.abs((await way()) - ahead);
    expect(turned > 0.2, `turned by ${turned.toFixed(2)} rad`);
    expect((await count(page)) === before && (await page.getAttribute("#picture", "data-tool")) === "paint", "something was painted, or the tool is gone");
    await page.keyboard.press("4");
    await page.evaluate(() => globalThis.passerby.stage.lookAt([0, 0], 60, 1.57));
    return `${(near / far).toFixed(2)} times as large, turned by ${turned.toFixed(2)} rad`;
  });

  await check("undo takes it back, redo makes it again", async () => {
    await page.keyboard.press("Escape");
    // What is done is an event, which the next tick brings about.
    const painted = (count) => globalThis.passerby.world.changed.situations.filter(({ painted, active }) => painted && active).length === count;
    await page.keyboard.press("Control+z");
    await until(page, () => globalThis.passerby.world.changed.redo !== null);
    await until(page, painted, 0);
    await until(page, () => !/Painted/.test(document.querySelector("#panel-brush .changes").textContent));
    await page.keyboard.press("Control+Shift+z");
    await until(page, () => globalThis.passerby.world.changed.undo !== null && globalThis.passerby.world.changed.redo === null);
    await until(page, painted, 1);
  });

  await check("people follow the stroke: they are nearer to it than without", async () => {
    const painted = await meanAway(page);
    const other = await view(scene);
    const without = await open(other.address);
    const plain = await meanAway(without);
    await without.context().close();
    other.stop();
    expect(painted < 0.75 * plain, `${painted.toFixed(1)} m with, ${plain.toFixed(1)} m without`);
    return `${painted.toFixed(1)} m away on average with it, ${plain.toFixed(1)} m without`;
  });

  await check("obstacles, people and goals can be painted as well, and what cannot be done is said", async () => {
    await send(page, { do: "speed", times: 1 });
    await send(page, { do: "play" });
    const edit = (change) => send(page, { do: "edit", edit: change });
    await edit({ put: { ring: [[-26, 10], [-22, 10], [-22, 14], [-26, 14]] } });
    await until(page, () => globalThis.passerby.world.changed.put.length === 1);
    await edit({ drop: { population: "people", at: [[-25, -15], [-24, -15]] } });
    await until(page, () => globalThis.passerby.world.clock.people === 82);
    await edit({ goal: { to: [25, -15], people: [0] } });
    await until(page, () => /journey/.test(globalThis.passerby.world.events.at(-1)?.what ?? "") || document.querySelector(".toast"));
    expect((await page.locator(".toast").count()) === 0, await page.locator("#toasts").textContent());
    await edit({ end: { situation: "no such" } });
    await page.waitForSelector(".toast");
    await pause(page);
    return await page.locator(".toast").first().textContent();
  });

  await check("\"save as scenario\" gives a file that `passerby run` repeats to the digest", async () => {
    const { tick, digest } = await page.evaluate(() => globalThis.passerby.world.clock);
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("[data-do=save]")]);
    expect(/\.toml$/.test(file.suggestedFilename()), file.suggestedFilename());
    const saved = written("saved.toml", await readFile(await file.path(), "utf8"));
    const seconds = tick * (await page.evaluate(() => globalThis.passerby.world.scene.tick));
    const again = JSON.parse(passerby("run", saved, "--until", String(Number(seconds.toFixed(6))), "--out", `${folder}/saved.parquet`, "--json", "-"));
    expect(again.steps === tick, `${again.steps} steps instead of ${tick}`);
    expect(again.digest === digest, `digest ${again.digest} instead of ${digest} after ${tick} ticks`);
    return `${digest} after ${tick} ticks`;
  });
  await check("keys paint as well: arrows move a mark, Enter sets points, Enter again ends it, Escape gives up", async () => {
    await send(page, { do: "play" });
    const put = () => page.evaluate(() => globalThis.passerby.world.changed.put.map(({ polygon }) => polygon));
    const before = (await put()).length;
    // The way to the picture is shown to who uses keys, as Tab tells.
    await page.keyboard.press("Tab");
    await page.locator("#panel-brush [data-tool=obstacle]").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-do=draw]");
    await page.locator("[data-do=draw]").focus();
    await page.keyboard.press("Enter");
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const right = await page.evaluate(() => globalThis.passerby.stage.project([1, 0])[0] - globalThis.passerby.stage.project([0, 0])[0]);
    // Given up once, then three steps of 12 pixels to the right.
    await press("ArrowUp", "Enter", "ArrowUp", "Escape");
    expect((await page.getAttribute("#picture", "data-tool")) === "obstacle", "Escape put the tool away");
    await press("Enter", "ArrowRight", "ArrowRight", "ArrowRight", "Enter", "Enter");
    await until(page, (count) => globalThis.passerby.world.changed.put.length === count, before + 1);
    await press("Escape");
    const ring = (await put()).at(-1);
    const radius = (Math.max(...ring.map(([x]) => x)) - Math.min(...ring.map(([x]) => x))) / 2;
    expect(Math.abs(radius - 36 / right) < 0.1 * radius, `a radius of ${radius.toFixed(2)} m instead of ${(36 / right).toFixed(2)} m`);
    return `a radius of ${radius.toFixed(2)} m`;
  });
  await check("the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();
  server.stop();

  await check("a run that has ended says so instead of offering tools, and that its recording can be viewed", async () => {
    const short = await view(written("short.toml", field.replace("until = 300", "until = 1").replace("count = 80", "count = 5")));
    const ended = await open(short.address);
    await ended.keyboard.press("b");
    await until(ended, () => globalThis.passerby.world.clock.ended);
    await until(ended, () => /has ended/.test(document.querySelector("#panel-brush .missing").textContent));
    expect(!(await ended.isVisible("#panel-brush .tools")) && (await ended.isVisible("[data-do=save]")), "tools are offered, or the scenario cannot be saved");
    await ended.click(".play");
    const said = await ended.locator(".toast").first().textContent();
    expect(/ended.*recording/.test(said), said);
    await ended.context().close();
    short.stop();
    return said;
  });
}

/** How many painted situations hold. */
const count = (page) => page.evaluate(() => globalThis.passerby.world.changed.situations.filter(({ painted, active }) => painted && active).length);

/** Plays fast to a tick, and gives how far people are from the stroke on average. */
async function meanAway(page) {
  await send(page, { do: "speed", times: 20 });
  await send(page, { do: "play" });
  await until(page, (tick) => globalThis.passerby.world.clock.tick >= tick, AT, 60_000);
  await pause(page);
  const { people } = await positions(page);
  const away = ([, x, y]) => Math.hypot(y - ALONG, Math.max(-8 - x, x - 20, 0));
  return people.reduce((sum, person) => sum + away(person), 0) / people.length;
}
