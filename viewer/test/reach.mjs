// The page can be used by keyboard, read aloud, and seen on a phone, in both designs.

import { check, expect, open, send, until, view, written } from "./harness.mjs";
import { field } from "./scenes.mjs";

export async function reach() {
  const server = await view(written("field.toml", field));
  const page = await open(server.address, { dark: true });
  const clock = () => page.evaluate(() => globalThis.passerby.world.clock);

  await check("space plays and pauses, a dot steps one frame, brackets change the speed", async () => {
    await page.locator("#picture").focus();
    await until(page, () => globalThis.passerby.world.clock.playing);
    await page.keyboard.press(" ");
    await until(page, () => !globalThis.passerby.world.clock.playing);
    await page.waitForTimeout(300);
    const before = await clock();
    await page.keyboard.press(".");
    await until(page, (tick) => globalThis.passerby.world.clock.tick > tick, before.tick);
    await page.waitForTimeout(300);
    const { tick } = await clock();
    const every = await page.evaluate(() => globalThis.passerby.world.scene.every);
    expect(tick - before.tick === every, `a step went from ${before.tick} to ${tick}, a frame is ${every}`);
    await page.keyboard.press("]");
    await until(page, () => globalThis.passerby.world.clock.speed === 2);
    await page.keyboard.press("[");
    await until(page, () => globalThis.passerby.world.clock.speed === 1);
  });
  await check("keys 1 to 4 choose the camera, T the design, ? the help, / finds a person, Escape lets go", async () => {
    for (const [key, camera] of [["2", "walk"], ["4", "top"], ["3", "follow"], ["1", "orbit"]]) {
      await page.keyboard.press(key);
      expect((await page.evaluate(() => globalThis.passerby.stage.camera)) === camera, `key ${key} did not choose ${camera}`);
      expect((await page.getAttribute(`[data-camera=${camera}]`, "aria-pressed")) === "true", `${camera} is not shown as chosen`);
    }
    expect((await page.getAttribute("html", "data-theme")) === "dark", "the dark design of the system was not taken");
    await page.keyboard.press("t");
    expect((await page.getAttribute("html", "data-theme")) === "light", "T did not switch");
    await page.keyboard.press("?");
    expect(await page.isVisible("dialog.help"), "no help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("0.3");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#panel-inspector h3").textContent === "Person 0.3");
    await page.keyboard.press("Escape");
    expect(!(await page.isVisible("#panel-inspector .facts")), "Escape did not let go");
  });
  await check("everything that can be used has a name", async () => {
    for (const key of ["l", "b", "p"]) await page.keyboard.press(key);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, summary, canvas, [role=img]")]
        .filter((part) => part.checkVisibility())
        .filter((part) => !(part.getAttribute("aria-label") || part.labels?.length || part.textContent.trim() || part.closest("[aria-hidden=true]")))
        .map((part) => part.outerHTML.slice(0, 100)),
    );
    expect(nameless.length === 0, nameless[0]);
  });
  await check("text can be read in both designs", async () => {
    for (const design of ["light", "dark"]) {
      if ((await page.getAttribute("html", "data-theme")) !== design) await page.keyboard.press("t");
      await page.waitForTimeout(900);
      const weak = await page.evaluate(contrasts);
      expect(weak.length === 0, `${design}: ${weak[0]}`);
    }
  });
  await check("plots can be taken away as CSV and SVG", async () => {
    await send(page, { do: "play" });
    await page.waitForTimeout(1200);
    for (const [button, holds] of [["People in the scene as CSV", /^time_s,people\n[\d.]+,80\n/], ["Speeds now as SVG", /^<svg .*speed, m\/s.*<\/svg>/s]]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByLabel(button).click()]);
      const text = await text_of(file);
      expect(holds.test(text), `${file.suggestedFilename()}: ${text.slice(0, 80)}`);
    }
  });
  await check("the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();

  await check("on a phone nothing sticks out, and panels come from below one at a time", async () => {
    const phone = await open(server.address, { window: { width: 390, height: 844 }, phone: true });
    expect((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, "it can be scrolled sideways");
    for (const name of ["layers", "brush", "inspector", "plots"]) {
      await phone.tap(`.tab[aria-controls=panel-${name}]`);
      expect((await phone.locator(".panel:visible").count()) === 1, `${name} is not alone`);
      const { y, height } = await phone.locator(`[data-panel=${name}]`).boundingBox();
      expect(height > 100 && y > 200, `${name} is ${height} high at ${y}`);
    }
    expect(phone.troubles.length === 0, phone.troubles[0]);
    await phone.context().close();
  });
  server.stop();
}

async function text_of(file) {
  const { readFile } = await import("node:fs/promises");
  return readFile(await file.path(), "utf8");
}

/** Texts whose contrast with what is behind them is below 4.5 (WCAG AA); runs in the page. */
function contrasts() {
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (part) => {
    for (let at = part; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.85) return colour;
    }
    return [255, 255, 255];
  };
  const weak = [];
  for (const part of document.querySelectorAll("button, span, p, h1, h2, h3, label, output, dt, dd, li, strong, text, kbd")) {
    const own = [...part.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !part.checkVisibility() || part.closest(":disabled, [data-missing=true], #overlay")) continue;
    const style = getComputedStyle(part);
    const [a, b] = [light(parts(part.tagName === "text" ? style.fill : style.color)), light(behind(part))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) weak.push(`"${part.textContent.trim().slice(0, 30)}" has a contrast of ${contrast.toFixed(1)}`);
  }
  return weak;
}
