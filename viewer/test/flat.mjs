// The page without three dimensions: plays, pauses, seeks, and shows people and layers.

import { changed, check, expect, folder, open, passerby, percent, picture, view, written } from "./harness.mjs";
import { door, field } from "./scenes.mjs";

export async function flat() {
  const scene = written("flat.toml", door);
  passerby("run", scene, "--out", `${folder}/flat.parquet`, "--quiet");
  const server = await view(`${folder}/flat.parquet`);
  const page = await open(server.address.replace("/?", "/flat?"), { people: false });
  const tick = () => page.evaluate(() => globalThis.passerby.clock.tick);
  /** Until a message has become a picture. */
  const shown = async () => {
    const before = await page.evaluate(() => globalThis.passerby.drawn);
    await page.waitForFunction((before) => globalThis.passerby.drawn > before, before);
  };

  await check("flat: people are there and move", async () => {
    await page.waitForFunction(() => globalThis.passerby?.drawn > 0 && /^[1-9]/.test(document.querySelector("#people").textContent));
    const before = await picture(page, "#view");
    await page.waitForTimeout(1200);
    const share = changed(before, await picture(page, "#view"));
    expect(share > 0.0005 && share < 0.5, percent(share));
    return `${await page.textContent("#people")}, ${percent(share)} changed`;
  });
  await check("flat: pause holds, step goes on by a frame, play goes on", async () => {
    await page.click("#play");
    await page.waitForFunction(() => document.querySelector("#play").textContent === "Play");
    await page.waitForTimeout(300);
    const held = await tick();
    await page.waitForTimeout(500);
    expect((await tick()) === held, "it went on");
    const said = await page.textContent("#clock");
    await page.click("#step");
    await page.waitForFunction((was) => globalThis.passerby.clock.tick > was, held);
    expect((await page.textContent("#clock")) !== said, `the clock still says ${said}`);
    await page.click("#play");
    await page.waitForFunction((was) => globalThis.passerby.clock.tick > was + 10, held);
  });
  await check("flat: the timeline seeks", async () => {
    await page.click("#play");
    await page.locator("#time").evaluate((time) => {
      time.value = 400;
      time.dispatchEvent(new Event("input"));
      time.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => Math.abs(parseFloat(document.querySelector("#clock").textContent) - 20) < 0.2 && globalThis.passerby.frame.tick < 410);
  });
  for (const layer of ["regions", "trails", "headings"]) {
    await check(`flat: ${layer} change the picture`, async () => {
      if (layer === "trails") {
        await page.click("#play");
        await page.waitForTimeout(1500);
        await page.click("#play");
      }
      await page.waitForTimeout(300);
      const before = await picture(page, "#view");
      await Promise.all([shown(), page.click(`#${layer}`)]);
      const share = changed(before, await picture(page, "#view"), 12);
      expect(share > 0.0002, percent(share));
      return percent(share);
    });
  }
  await check("flat: 200 trails do not hold up the picture, and go with the view", async () => {
    const busy = await view(written("many.toml", field.replace("count = 80", "count = 200")));
    const many = await open(busy.address.replace("/?", "/flat?"), { people: false });
    await many.click("#trails");
    await many.selectOption("#speed", "5");
    await many.waitForFunction(() => globalThis.passerby?.frame?.tick > 200);
    // How often the browser comes round, which it does only when the last picture is done.
    const pictures = await many.evaluate(async () => {
      const begun = performance.now();
      let rounds = 0;
      for (; performance.now() < begun + 2000; rounds++) await new Promise(requestAnimationFrame);
      return (1000 * rounds) / (performance.now() - begun);
    });
    await many.click("#play");
    await many.waitForFunction(() => !globalThis.passerby.clock.playing);
    await many.waitForTimeout(300);
    const before = await picture(many, "#view");
    for (const key of ["ArrowLeft", "ArrowRight", "+"]) await many.locator("#view").press(key);
    await many.waitForTimeout(300);
    const larger = changed(before, await picture(many, "#view"));
    await many.locator("#view").press("-");
    await many.waitForTimeout(300);
    const again = changed(before, await picture(many, "#view"));
    await many.context().close();
    busy.stop();
    expect(pictures > 20, `${pictures.toFixed(1)} pictures a second`);
    expect(larger > 0.02 && again < 0.002, `${percent(larger)} changed when it was made larger, ${percent(again)} when it was as before`);
    return `${pictures.toFixed(1)} pictures a second`;
  });
  await check("flat: the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();
  server.stop();
}
