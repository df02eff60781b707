// A live run: it is there, it moves, its layers show, and somebody who is clicked is inspected.

import { changed, check, difference, expect, open, pause, percent, picture, positions, send, until, view, within, written } from "./harness.mjs";
import { door } from "./scenes.mjs";

const LAYERS = ["regions", "situations", "cells", "portals", "abstraction", "path", "velocities", "desired", "density", "speed", "trails", "contacts", "feet"];

export async function live() {
  const server = await view(written("door.toml", door));
  const page = await open(server.address);

  await check("a live scene shows its name, its people and that it is live", async () => {
    await until(page, () => Number(document.querySelector(".count strong").textContent) > 50);
    const head = await page.textContent("#header");
    expect(/door/.test(head) && /Live/.test(head) && /connected/.test(head), head);
    return head.replace(/\s+/g, " ").slice(0, 80);
  });

  await check("people move, and the picture changes where they are", async () => {
    await page.evaluate(() => globalThis.passerby.stage.lookAt([0, 0], 26, 0.8));
    await page.waitForTimeout(1200);
    const [before, then] = [await picture(page), await positions(page)];
    await page.waitForTimeout(1500);
    const [after, now] = [await picture(page), await positions(page)];
    const was = new Map(then.people.map(([id, x, y]) => [id, [x, y]]));
    const moved = now.people.filter(([id, x, y]) => was.has(id) && Math.hypot(was.get(id)[0] - x, was.get(id)[1] - y) > 0.5);
    expect(moved.length > 10, `only ${moved.length} moved`);
    const seen = await page.evaluate((people) => people.map(([, x, y]) => globalThis.passerby.stage.project([x, y], 1)), moved);
    const spots = seen.filter((at) => at && within(after, ...at));
    const differing = spots.filter((at) => difference(before, after, ...at) > 30).length / spots.length;
    expect(differing > 0.4, `only ${percent(differing)} of the places where people are now differ`);
    expect(changed(before, after) < 0.7, "all of the picture changed, not only where people are");
    return `${percent(differing)} of ${spots.length} places`;
  });

  await pause(page);
  await check("the person that is clicked is inspected, with the reasons of the last step", async () => {
    await page.keyboard.press("4");
    await page.evaluate(() => globalThis.passerby.stage.lookAt([0, 0], 40, 1.57));
    await page.waitForTimeout(1500);
    const { people } = await positions(page);
    const aims = await page.evaluate((all) => all.map(([, x, y]) => globalThis.passerby.stage.project([x, y], 0.9)), people);
    const box = await page.locator("#picture").boundingBox();
    const free = await page.evaluate((points) => points.map(([x, y]) => document.elementFromPoint(x, y)?.id === "picture"), aims.map((at) => (at ? [box.x + at[0], box.y + at[1]] : [-1, -1])));
    // Somebody with a body, alone enough that the click cannot mean somebody else.
    const alone = ([, x, y]) => people.filter(([, a, b]) => Math.hypot(a - x, b - y) < 1).length === 1;
    const n = people.findIndex((person, n) => free[n] && alone(person));
    expect(n >= 0, "nobody can be clicked");
    await page.mouse.click(box.x + aims[n][0], box.y + aims[n][1]);
    await until(page, () => globalThis.passerby.world.inspected !== null);
    const { id, at } = await page.evaluate(() => ({ id: globalThis.passerby.world.inspected.id, at: globalThis.passerby.world.latest }));
    const [, x, y] = people.find(([other]) => other === id) ?? [];
    const off = Math.hypot(x - people[n][1], y - people[n][2]);
    expect(at && off < 0.6, `clicked ${people[n][0]}, got ${id}, ${off.toFixed(2)} m away`);
    await until(page, (name) => document.querySelector("#panel-inspector h3").textContent === name, `Person ${id >>> 22}.${id & 4194303}`);
    // Reasons are those of a step, so a run that stands still has to take one.
    await page.keyboard.press(".");
    await until(page, () => document.querySelectorAll("#panel-inspector .facts dt").length >= 3 && document.querySelector("#panel-inspector .why:not([hidden]) canvas"));
    return `person ${id >>> 22}.${id & 4194303}, ${await page.locator("#panel-inspector .facts dt").count()} facts`;
  });

  await check("a painted situation is there to be seen", async () => {
    await send(page, { do: "edit", edit: { paint: { kind: "wait", ring: [[6, -5], [12, -5], [12, -1], [6, -1]] } } });
    await send(page, { do: "step", frames: 1 });
    await until(page, () => globalThis.passerby.world.changed?.situations.some(({ painted, rings }) => painted && rings.length));
  });

  await page.keyboard.press("1");
  await page.evaluate(() => globalThis.passerby.stage.lookAt([-1, 0], 22, 0.9));
  // Trails need a past, poses a camera that was told of.
  await send(page, { do: "play" });
  await page.waitForTimeout(2500);
  await pause(page);
  if (!(await page.locator("#layer-density").isVisible())) await page.keyboard.press("l");
  for (const layer of LAYERS) {
    await check(`layer ${layer} changes the picture`, async () => {
      if (layer === "feet") await lookAtBody(page);
      if (layer === "contacts") await untilTouching(page);
      const box = page.locator(`#layer-${layer}`);
      if (await box.isChecked()) await box.uncheck({ force: true });
      await page.waitForTimeout(300);
      const before = await picture(page);
      await box.check({ force: true });
      if (layer === "desired") {
        await send(page, { do: "step", frames: 1 });
        await page.waitForTimeout(300);
        await until(page, () => globalThis.passerby.world.latest.desired !== null);
        await box.uncheck({ force: true });
        await page.waitForTimeout(300);
      }
      if (["cells", "portals", "abstraction"].includes(layer)) await until(page, () => globalThis.passerby.world.cells !== null);
      if (layer === "feet") {
        await send(page, { do: "step", frames: 1 });
        await until(page, () => globalThis.passerby.world.latest.poses !== null);
        await box.uncheck({ force: true });
        await page.waitForTimeout(300);
      }
      const reference = ["desired", "feet"].includes(layer) ? await picture(page) : before;
      if (!(await box.isChecked())) await box.check({ force: true });
      await page.waitForTimeout(300);
      const share = changed(reference, await picture(page), 12);
      const legend = await page.isVisible(`#legend-${layer}`);
      await box.uncheck({ force: true });
      expect(share > 0.0002, `only ${percent(share)} of the pixels differ`);
      expect(legend, "no legend is shown");
      return percent(share);
    });
  }

  await check("a reload catches up with the run", async () => {
    await send(page, { do: "play" });
    const before = await page.evaluate(() => globalThis.passerby.world.clock.tick);
    await page.reload();
    await until(page, (tick) => globalThis.passerby?.world.latest?.count > 0 && globalThis.passerby.world.latest.tick >= tick, before);
    return `from tick ${before} to ${await page.evaluate(() => globalThis.passerby.world.latest.tick)}`;
  });
  await check("the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();
  server.stop();
}

/** Goes on until some of the press touch each other, and stops there. */
async function untilTouching(page) {
  await send(page, { do: "play" });
  await until(page, () => {
    const { latest: { x, y, ids, count }, people } = globalThis.passerby.world;
    const radius = (row) => people.get(ids[row])?.radius ?? 0.25;
    let pairs = 0;
    for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) pairs += Math.hypot(x[a] - x[b], y[a] - y[b]) < radius(a) + radius(b) + 0.002;
    return pairs > 2;
  }, null, 40_000);
  await pause(page);
}

/** From near, so that the server sends full poses. */
async function lookAtBody(page) {
  await page.evaluate(() => {
    const { world, stage } = globalThis.passerby;
    const row = world.latest.ids.findIndex((id) => id >>> 22 === 2);
    stage.lookAt([world.latest.x[row], world.latest.y[row]], 7, 0.7);
  });
  await page.waitForTimeout(800);
}
