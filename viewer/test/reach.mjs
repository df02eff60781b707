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
    // At the size of a common laptop the person has two thirds of the column beside the plots.
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.click("[data-panel=plots] .panel-head");
    await until(page, () => document.querySelector("#panel-plots").checkVisibility());
    const [column, person] = await page.evaluate(() => ["#right", "[data-panel=inspector]"].map((part) => document.querySelector(part).clientHeight));
    expect(person >= 0.64 * column, `the person has ${person} of ${column} pixels`);
    await page.click("[data-panel=plots] .panel-head");
    await page.setViewportSize({ width: 800, height: 450 });
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
  await check("on a phone a tool's options stay until Draw is tapped, the hint follows the kind, two fingers are the camera's", async () => {
    const phone = await open(server.address, { window: { width: 390, height: 844 }, phone: true });
    await phone.tap(".tab[aria-controls=panel-brush]");
    await phone.tap("#panel-brush [data-tool=paint]");
    await phone.tap("[data-kind=gather]");
    expect(/gather/.test(await phone.textContent("#banner")), await phone.textContent("#banner"));
    await phone.tap("[data-do=draw]");
    expect(!(await phone.isVisible("#panel-brush")) && (await phone.isVisible("#banner")), "the sheet still lies over the picture");
    const scale = () => phone.evaluate(() => Math.hypot(...[0, 1].map((axis) => globalThis.passerby.stage.project([1, 0])[axis] - globalThis.passerby.stage.project([-1, 0])[axis])));
    const before = await scale();
    const session = await phone.context().newCDPSession(phone);
    const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    // A stroke is begun before the second finger comes.
    await touch("touchStart", [170, 330]);
    await touch("touchMove", [175, 340]);
    await touch("touchStart", [175, 340], [215, 340]);
    for (let n = 1; n <= 6; n++) await touch("touchMove", [175 - 10 * n, 340], [215 + 10 * n, 340]);
    await touch("touchEnd");
    await phone.waitForTimeout(900);
    const after = await scale();
    expect(after > 1.5 * before, `2 m were ${before.toFixed(1)} pixels, and are ${after.toFixed(1)}`);
    const painted = () => phone.evaluate(() => (globalThis.passerby.world.changed?.situations ?? []).filter(({ painted }) => painted).length);
    expect((await painted()) === 0, "the stroke that was given up was painted");
    await touch("touchStart", [170, 330]);
    await touch("touchMove", [200, 350]);
    await touch("touchEnd");
    await until(phone, () => globalThis.passerby.world.changed?.situations.some(({ painted, active }) => painted && active));
    await phone.context().close();
    return `${(after / before).toFixed(1)} times as large`;
  });
  server.stop();
  for (const scenario of ["demo", "street"]) {
    await check(`on a phone the first view shows all of the ${scenario}`, async () => {
      const other = await view(new URL(`../../scenarios/${scenario}.toml`, import.meta.url).pathname);
      const phone = await open(other.address, { window: { width: 390, height: 844 }, phone: true });
      const { corners, width, height } = await phone.evaluate(() => {
        const { stage, world } = globalThis.passerby;
        const { clientWidth: width, clientHeight: height } = document.querySelector("#picture");
        return { corners: world.scene.place.areas.flatMap(([ring]) => ring.map((at) => stage.project(at))), width, height };
      });
      const out = corners.filter((at) => !at || at[0] < 0 || at[1] < 0 || at[0] > width || at[1] > height);
      await phone.context().close();
      other.stop();
      expect(out.length === 0, `${out.length} of ${corners.length} corners are outside, such as ${out[0]}`);
      return `${corners.length} corners`;
    });
  }
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
