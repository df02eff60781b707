// A recording: it can be searched, it agrees with the live run, people stand upright and have shadows.

import { brightness, check, difference, expect, folder, open, passerby, pause, percent, picture, positions, seek, send, until, view, within, written } from "./harness.mjs";
import { door } from "./scenes.mjs";

export async function replay() {
  const scene = written("replay.toml", door);
  passerby("run", scene, "--out", `${folder}/replay.parquet`, "--quiet");
  const server = await view(`${folder}/replay.parquet`);
  const page = await open(server.address);
  await pause(page);
  const every = await page.evaluate(() => globalThis.passerby.world.scene.every);
  const ticks = [100, 200].map((tick) => tick - (tick % every));

  await check("the timeline goes anywhere in a recording, and shows its events", async () => {
    for (const tick of [...ticks, ticks[0]]) await seek(page, tick);
    await page.evaluate((tick) => {
      const scrubber = document.querySelector(".scrubber");
      scrubber.value = tick;
      scrubber.dispatchEvent(new Event("input"));
      scrubber.dispatchEvent(new Event("change"));
    }, ticks[1]);
    await until(page, (tick) => globalThis.passerby.world.latest.tick === tick, ticks[1]);
    const marks = await page.locator(".event-mark").count();
    expect(marks >= 2, `${marks} marks`);
    return `${marks} marks`;
  });

  await check("replay and live agree", async () => {
    const running = await view(scene);
    const live = await open(running.address, { people: false });
    await until(live, () => globalThis.passerby?.world);
    await live.evaluate((wanted) => {
      globalThis.kept = {};
      const keep = (frame) => wanted.includes(frame.tick) && (globalThis.kept[frame.tick] = Array.from(frame.ids, (id, row) => [id, frame.x[row], frame.y[row]]));
      globalThis.passerby.world.on("frame", keep);
    }, ticks);
    await until(live, (last) => globalThis.passerby.world.clock?.tick > last, ticks.at(-1), 40_000);
    const kept = await live.evaluate(() => globalThis.kept);
    await live.context().close();
    running.stop();
    let most = 0;
    let compared = 0;
    for (const tick of ticks.filter((tick) => kept[tick])) {
      await seek(page, tick);
      const { people } = await positions(page);
      const same = new Map(people.map(([id, x, y]) => [id, [x, y]]));
      expect(same.size === kept[tick].length, `${same.size} people recorded, ${kept[tick].length} live at tick ${tick}`);
      for (const [id, x, y] of kept[tick]) most = Math.max(most, Math.hypot(same.get(id)[0] - x, same.get(id)[1] - y));
      compared++;
    }
    expect(compared > 0, "no frame of the live run was at one of the ticks");
    expect(most < 0.01, `somebody is ${most.toFixed(3)} m elsewhere`);
    return `${compared} moments, ${most.toFixed(4)} m apart at the most`;
  });

  // Two moments of the same place: where somebody stood and nobody stands any more, the difference is the person.
  await page.evaluate(() => globalThis.passerby.stage.lookAt([-11, 0], 19, 0.45, 0.3));
  await page.waitForTimeout(1500);
  await seek(page, 20 - (20 % every));
  const [first, here] = [await picture(page), (await positions(page)).people];
  await seek(page, 1000 - (1000 % every));
  const [last, there] = [await picture(page), (await positions(page)).people];
  const gone = here.filter(([, x, y]) => x < -4 && !there.some(([, a, b]) => Math.hypot(a - x, b - y) < 3));

  await check("people are upright: something stands from the ground to the head, nothing above", async () => {
    expect(gone.length > 3, `only ${gone.length} people have left`);
    const columns = (people) => page.evaluate((people) => people.map(([, x, y]) => [0.5, 1, 1.4, 2.3, 0, 2].map((height) => globalThis.passerby.stage.project([x, y], height))), people);
    const [all, later] = [await columns(here), await columns(there)];
    // Only those points that nobody else is before or behind, in either picture: a body is half a metre wide and less than 2 m high.
    const covers = (column, [x, y]) => column[4] && column[5] && y < column[4][1] && y > column[5][1] && Math.abs(x - column[1][0]) < 0.25 * (column[4][1] - column[5][1]);
    const clear = (column, at) => at && within(first, ...at) && ![...all, ...later].some((other) => other !== column && covers(other, at));
    const free = all.filter((column, n) => gone.includes(here[n]) && column.slice(0, 4).every((at) => clear(column, at)));
    expect(free.length > 3, `only ${free.length} people stand free`);
    const share = (n) => free.filter((column) => difference(first, last, ...column[n]) > 30).length / free.length;
    const [low, middle, high, above] = [0, 1, 2, 3].map(share);
    const note = `${free.length} people, body ${percent((low + middle + high) / 3)}, above ${percent(above)}`;
    expect(middle > 0.7 && high > 0.6 && above < 0.5 * middle, note);
    return note;
  });

  await check("people have shadows on the ground, all on the same side", async () => {
    const sides = 12;
    const spots = await page.evaluate(
      ({ people, sides }) => people.map(([, x, y]) => Array.from({ length: sides }, (_, n) => globalThis.passerby.stage.project([x + 0.8 * Math.cos((n / sides) * 2 * Math.PI), y + 0.8 * Math.sin((n / sides) * 2 * Math.PI)]))),
      { people: gone, sides },
    );
    const darker = Array.from({ length: sides }, (_, n) => {
      const seen = spots.map((around) => around[n]).filter((at) => at && within(first, ...at));
      return seen.reduce((sum, at) => sum + brightness(last, ...at) - brightness(first, ...at), 0) / Math.max(seen.length, 1);
    });
    const [most, least] = [Math.max(...darker), Math.min(...darker)];
    const note = `${most.toFixed(0)} darker on one side, ${least.toFixed(0)} on the other`;
    expect(most > 15 && most > 2 * Math.max(least, 0), note);
    return note;
  });

  await check("the brush is off in a recording, and says why", async () => {
    await page.keyboard.press("b");
    expect(/recording cannot be changed/i.test(await page.textContent("#panel-brush .missing")), "no reason");
    expect(!(await page.isVisible("#panel-brush .tools")), "tools are shown");
  });
  await check("a page that is loaded again goes on where it was, as fast, and stands if it stood", async () => {
    await seek(page, ticks[1]);
    await send(page, { do: "speed", times: 0.5 });
    await until(page, () => globalThis.passerby.world.clock.speed === 0.5);
    await page.reload();
    await until(page, (tick) => globalThis.passerby?.world.clock?.tick === tick && globalThis.passerby.world.clock.speed === 0.5 && !globalThis.passerby.world.clock.playing, ticks[1]);
    await send(page, { do: "play" });
    await until(page, (tick) => globalThis.passerby.world.clock.tick > tick + 5, ticks[1]);
    await page.reload();
    await until(page, (tick) => globalThis.passerby?.world.clock?.tick > tick + 5 && globalThis.passerby.world.clock.playing, ticks[1]);
  });
  await check("a recording that has ended plays again from its beginning", async () => {
    const { first, last } = await page.evaluate(() => globalThis.passerby.world.scene);
    await send(page, { do: "seek", tick: last });
    await until(page, () => globalThis.passerby.world.clock.ended);
    await page.click(".play");
    await until(page, (last) => !globalThis.passerby.world.clock.ended && globalThis.passerby.world.latest.tick < last / 2, last - first);
  });
  await check("the console has nothing to complain about", () => expect(page.troubles.length === 0, page.troubles[0]));
  await page.context().close();
  server.stop();
}
