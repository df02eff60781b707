// Starts the program and a browser, looks at pictures, and tells what was checked.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PASSERBY = process.env.PASSERBY ?? new URL("../../target/release/passerby", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = "--no-sandbox --headless --ignore-gpu-blocklist --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-sandbox --disable-background-networking --disable-component-update --disable-sync --no-first-run --enable-precise-memory-info";
/** A folder with a newer page than the one in the program, so that a change to it need not be compiled in to be tested.
 *  The browser does not know that those files come from this machine, and would not let them talk to it. */
const BUNDLE = process.env.BUNDLE;
/** Small, because software draws it; wide enough for the page's layout with panels. */
const WINDOW = { width: 800, height: 450 };

export const folder = mkdtempSync(join(tmpdir(), "passerby-viewer-"));
const running = new Set();
let [passed, failed] = [0, 0];
let browser;

/** Does one check and prints one line about it. What is thrown is what is wrong; what is returned is worth knowing. */
export async function check(name, act) {
  const begun = Date.now();
  try {
    const note = await act();
    passed++;
    console.log(`ok    ${name}${note ? `: ${note}` : ""} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    fail(`${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`, error);
  }
}

/** Counts and prints something that does not hold. */
export function fail(name, error) {
  failed++;
  console.log(`FAIL  ${name}: ${String(error.message ?? error).split("\n")[0]}`);
}

export function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

/** Ends everything that was started; gives how many checks held and failed. */
export async function end() {
  await browser?.close();
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true, force: true });
  return { passed, failed };
}

/** Writes a file into the folder of this run. */
export function written(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Runs the program to its end; gives what it printed. */
export function passerby(...args) {
  const { status, stdout, stderr } = spawnSync(PASSERBY, args, { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28 });
  expect(status === 0, `passerby ${args.join(" ")} ended with ${status}: ${stderr.slice(0, 300)}`);
  return stdout;
}

/** Starts `passerby view` and waits for its address. */
export function view(...args) {
  const child = spawn(PASSERBY, ["view", ...args, "--no-open", "--port", "0"], { cwd: folder });
  running.add(child);
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const address = /http:\/\/\S+\?token=\w+/.exec(said)?.[0];
      if (address) resolve({ address, stop: () => (running.delete(child), child.kill()) });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`passerby view ended with ${code}: ${said.slice(0, 300)}`)));
  });
}

/** Opens a page and waits until it has people; `page.troubles` collects what the console complains about. */
export async function open(address, { window = WINDOW, dark = false, phone = false, people = true } = {}) {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS.split(" "), ...(BUNDLE ? ["--disable-features=LocalNetworkAccessChecks"] : [])] });
  const context = await browser.newContext({ viewport: window, colorScheme: dark ? "dark" : "light", hasTouch: phone, isMobile: phone, deviceScaleFactor: 1, acceptDownloads: true });
  if (BUNDLE) await context.route(/\/(app\.js|style\.css)?(\?.*)?$/, (route) => route.fulfill({ path: join(BUNDLE, new URL(route.request().url()).pathname.slice(1) || "index.html") }));
  // The plain page lies beside the bundle.
  if (BUNDLE) await context.route(/\/(flat|flat\.js|frames\.js)(\?.*)?$/, (route) => route.fulfill({ path: join(BUNDLE, "../page", new URL(route.request().url()).pathname.slice(1).replace(/flat$/, "flat.html")) }));
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("console", (message) => {
    // Software drawing is slow, and the browser says so; that is not the page's fault.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|ReadPixels|swiftshader/i.test(message.text())) page.troubles.push(message.text());
  });
  await page.goto(address);
  if (people) await until(page, () => globalThis.passerby?.world.latest?.count > 0, null, 30_000);
  return page;
}

export function until(page, holds, argument = null, timeout = 20_000) {
  return page.waitForFunction(holds, argument, { timeout, polling: 50 });
}

export const send = (page, message) => page.evaluate((told) => globalThis.passerby.connection.send(told), message);

/** Stops the clock and waits until the last frame has come and the picture stands. */
export async function pause(page) {
  await send(page, { do: "pause" });
  await until(page, () => globalThis.passerby.world.clock.playing === false);
  await page.waitForTimeout(400);
}

/** Goes to a tick of a recording. */
export async function seek(page, tick) {
  await send(page, { do: "seek", tick });
  await until(page, (wanted) => globalThis.passerby.world.latest?.tick === wanted, tick);
  await page.waitForTimeout(300);
}

/** Everybody in the last frame, by id. */
export const positions = (page) =>
  page.evaluate(() => {
    const { ids, x, y, tick, count } = globalThis.passerby.world.latest;
    return { tick, people: Array.from({ length: count }, (_, row) => [ids[row], x[row], y[row]]) };
  });

/** What a canvas shows now: red, green, blue, alpha of every pixel. */
export async function picture(page, canvas = "#picture") {
  const { width, height, text } = await page.evaluate((selector) => {
    const from = document.querySelector(selector);
    // What WebGL drew is only there until the browser shows it, so it is drawn again in the same breath.
    globalThis.passerby?.stage?.render(performance.now());
    const to = document.createElement("canvas");
    [to.width, to.height] = [from.clientWidth, from.clientHeight];
    const pen = to.getContext("2d");
    pen.drawImage(from, 0, 0, to.width, to.height);
    const { data } = pen.getImageData(0, 0, to.width, to.height);
    let text = "";
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return { width: to.width, height: to.height, text: btoa(text) };
  }, canvas);
  return { width, height, data: Buffer.from(text, "base64") };
}

/** How much two pictures differ at a pixel, 0 to 765. */
export function difference(a, b, x, y) {
  const at = 4 * (Math.round(y) * a.width + Math.round(x));
  return Math.abs(a.data[at] - b.data[at]) + Math.abs(a.data[at + 1] - b.data[at + 1]) + Math.abs(a.data[at + 2] - b.data[at + 2]);
}

export function brightness(a, x, y) {
  const at = 4 * (Math.round(y) * a.width + Math.round(x));
  return a.data[at] + a.data[at + 1] + a.data[at + 2];
}

export const within = (a, x, y) => x >= 0 && y >= 0 && Math.round(x) < a.width && Math.round(y) < a.height;

/** Share of pixels that differ clearly. */
export function changed(a, b, clearly = 24) {
  expect(a.width === b.width && a.height === b.height, "pictures of different sizes");
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    if (Math.abs(a.data[at] - b.data[at]) + Math.abs(a.data[at + 1] - b.data[at + 1]) + Math.abs(a.data[at + 2] - b.data[at + 2]) > clearly) count++;
  }
  return count / (a.width * a.height);
}

export const percent = (share) => `${(100 * share).toFixed(2)} %`;
