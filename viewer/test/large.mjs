// Many people: few draw calls and triangles, few bytes, and memory that does not grow.

import { brightness, check, expect, folder, open, passerby, percent, picture, positions, send, until, view, within, written } from "./harness.mjs";
import { close, crowd, long, wide } from "./scenes.mjs";

export async function large() {
  await check("10 000 people at the default camera: at most 60 draw calls and 3 million triangles", async () => {
    const server = await view(written("crowd.toml", crowd));
    const page = await open(server.address, { window: { width: 800, height: 450 } });
    await page.waitForTimeout(3000);
    const { calls, triangles, ...details } = await page.evaluate(() => globalThis.passerby.stage.stats());
    const note = `${calls} calls, ${(triangles / 1e6).toFixed(2)} million triangles, ${JSON.stringify(details)}`;
    expect(calls <= 60 && triangles <= 3e6 && details.skinned + details.baked + details.impostors > 5000, note);
    await check("10 000 people, 20 frames: less than 2 MB", async () => {
      const received = () => page.evaluate(() => ({ ...globalThis.passerby.world.received, count: globalThis.passerby.world.latest.count }));
      const before = await received();
      await until(page, (frames) => globalThis.passerby.world.received.frames >= frames + 15, before.frames, 60_000);
      const after = await received();
      const each = (after.bytes - before.bytes) / (after.frames - before.frames);
      const told = `${(each / 1000).toFixed(1)} kB a frame for ${after.count} people, ${((20 * each) / 1e6).toFixed(2)} MB for 20`;
      expect(after.count >= 9900 && 20 * each < 2e6, told);
      return told;
    });
    await page.context().close();
    server.stop();
    return note;
  });

  await check("a crowd is seen from any distance: dots from above a place of 600 m", async () => {
    const server = await view(written("wide.toml", wide));
    const page = await open(server.address);
    await page.keyboard.press("4");
    await page.evaluate(() => globalThis.passerby.stage.lookAt([0, 0], 800));
    await send(page, { do: "pause" });
    await page.waitForTimeout(2500);
    const { people } = await positions(page);
    const spots = (await page.evaluate((all) => all.map(([, x, y]) => globalThis.passerby.stage.project([x, y], 0.9)), people)).filter(Boolean);
    const shown = await picture(page);
    const free = spots.filter((at) => within(shown, ...at) && within(shown, at[0] + 12, at[1]) && !spots.some((other) => other !== at && Math.hypot(other[0] - at[0] - 12, other[1] - at[1]) < 6));
    // Against the floor beside them.
    const seen = free.filter((at) => Math.abs(brightness(shown, ...at) - brightness(shown, at[0] + 12, at[1])) > 20).length / free.length;
    await page.context().close();
    server.stop();
    expect(free.length > 20 && seen > 0.8, `${percent(seen)} of ${free.length} people`);
    return `${percent(seen)} of ${free.length} people`;
  });

  await check("1 000 people from near: at most 100 draw calls", async () => {
    const server = await view(written("close.toml", close));
    // Large enough that everybody is near; nobody looks at this picture.
    const page = await open(server.address, { window: { width: 1920, height: 1300 } });
    await page.evaluate(() => globalThis.passerby.stage.lookAt([1, 1], 24, 0.5));
    await page.waitForTimeout(4000);
    const { calls, triangles, ...details } = await page.evaluate(() => globalThis.passerby.stage.stats());
    const note = `${calls} calls, ${(triangles / 1e6).toFixed(2)} million triangles, ${JSON.stringify(details)}`;
    expect(calls <= 100 && details.skinned >= 900, note);
    await page.context().close();
    server.stop();
    return note;
  });

  await check("memory stays flat over ten recorded minutes at speed 20", async () => {
    passerby("run", written("long.toml", long), "--out", `${folder}/long.parquet`, "--quiet");
    const server = await view(`${folder}/long.parquet`);
    const page = await open(server.address, { window: { width: 400, height: 240 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await session.send("HeapProfiler.enable");
    const used = async () => {
      await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
    };
    await send(page, { do: "speed", times: 20 });
    await send(page, { do: "play" });
    // After two minutes all buffers have their size.
    await until(page, () => globalThis.passerby.world.clock.tick >= 2400, null, 60_000);
    const before = await used();
    await until(page, () => globalThis.passerby.world.clock.tick >= 11_800, null, 90_000);
    const after = await used();
    const note = `${before.toFixed(1)} MB after two minutes, ${after.toFixed(1)} MB after ten`;
    expect(after < before + 3, note);
    expect(page.troubles.length === 0, page.troubles[0]);
    await page.context().close();
    server.stop();
    return note;
  });
}
