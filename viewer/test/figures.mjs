// Pictures of the page for docs/: PASSERBY=target/release/passerby node viewer/test/figures.mjs FOLDER

import { end, open, pause, send, until, view, written } from "./harness.mjs";
import { door } from "./scenes.mjs";

const folder = process.argv[2];
const window = { width: 1280, height: 720 };

/** A press before a closed door, people who wander behind it. */
async function press() {
  const server = await view(written("door.toml", door));
  const page = await open(server.address, { window });
  await page.evaluate(() => globalThis.passerby.stage.lookAt([-0.5, 0.5], 21, 0.6, -1.2));
  for (const layer of ["density", "trails"]) await page.locator(`#layer-${layer}`).check({ force: true });
  await until(page, () => globalThis.passerby.world.clock.tick > 200, null, 60_000);
  await pause(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${folder}/viewer.png` });
  server.stop();
}

/** Somebody who walks by what they see, and the two images they see. */
async function reasons() {
  const scene = door.replace('journey = ["east"]', 'model = "vision"\njourney = ["east"]').replace("count = 60", "count = 25").replaceAll("at = 14", "at = 4");
  const server = await view(written("vision.toml", scene));
  const page = await open(server.address, { window });
  await send(page, { do: "speed", times: 2 });
  await until(page, () => globalThis.passerby.world.clock.tick > 120, null, 60_000);
  await pause(page);
  await page.keyboard.press("p");
  // The camera goes to somebody on their way to the door, and then they are clicked.
  await page.evaluate(() => {
    const { world: { latest }, stage } = globalThis.passerby;
    const rows = Array.from(latest.ids.keys()).filter((row) => latest.ids[row] >>> 22 === 0 && latest.x[row] < -3);
    const [row] = rows.sort((a, b) => latest.x[b] - latest.x[a]);
    globalThis.whom = [latest.x[row], latest.y[row]];
    stage.lookAt([latest.x[row] + 1, latest.y[row]], 12, 0.5, -2);
  });
  await page.waitForTimeout(1000);
  const box = await page.locator("#picture").boundingBox();
  const at = await page.evaluate(() => globalThis.passerby.stage.project(globalThis.whom, 1.2));
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  await page.keyboard.press(".");
  await until(page, () => document.querySelector("#panel-inspector .why:not([hidden]) canvas"));
  await page.waitForTimeout(1500);
  await page.evaluate(() => (document.querySelector("#panel-inspector").scrollTop = 10_000));
  await page.waitForTimeout(1000);
  await page.screenshot({ path: `${folder}/viewer-why.png` });
  server.stop();
}

await press();
await reasons();
await end();
process.exit();
