// The page without three dimensions: plays, pauses, seeks, and shows people and layers.

import { changed, check, expect, folder, open, passerby, percent, picture, view, written } from "./harness.mjs";
import { door } from "./scenes.mjs";

export async function flat() {
  const scene = written("flat.toml", door);
  passerby("run", scene, "--out", `${folder}/flat.parquet`, "--quiet");
  const server = await view(`${folder}/flat.parquet`);
  const page = await open(server.address.replace("/?", "/flat?"), { people: false });
  const seconds = async () => parseFloat(await page.textContent("#clock"));

  await check("flat: people are there and move", async () => {
    await page.waitForFunction(() => /^[1-9]/.test(document.querySelector("#people").textContent));
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
    const held = await seconds();
    await page.waitForTimeout(500);
    expect((await seconds()) === held, "it went on");
    await page.click("#step");
    await page.waitForFunction((was) => parseFloat(document.querySelector("#clock").textContent) > was, held);
    await page.click("#play");
    await page.waitForFunction((was) => parseFloat(document.querySelector("#clock").textContent) > was + 0.5, held);
  });
  await check("flat: the timeline seeks", async () => {
    await page.click("#play");
    await page.locator("#time").evaluate((time) => {
      time.value = 400;
      time.dispatchEvent(new Event("input"));
      time.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => Math.abs(parseFloat(document.querySelector("#clock").textContent) - 20) < 0.2);
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
      await page.click(`#${layer}`);
      await page.waitForTimeout(200);
      const share = changed(before, await picture(page, "#view"), 12);
      expect(share > 0.0002, percent(share));
      return percent(share);
    });
  }
  await check("flat: the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();
  server.stop();
}
