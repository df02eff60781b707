// Parts of the page that need no page.

import assert from "node:assert/strict";
import { build } from "esbuild";
import { check, written } from "./harness.mjs";

export async function logic() {
  const source = ["series", "shapes", "measures", "flow", "chart", "names", "../world"].map((name) => `export * from "./${name}";`).join("\n");
  const built = await build({ stdin: { contents: source, resolveDir: new URL("../src/ui", import.meta.url).pathname }, bundle: true, format: "esm", write: false });
  const ui = await import(written("logic.mjs", built.outputFiles[0].text));
  const frame = (people, tick = 0) => ({ tick, count: people.length, ids: people.map(([id]) => id), x: people.map(([, x]) => x), y: people.map(([, , y]) => y) });

  await check("series stay small, keep their ends, and forget what is later when time goes back", () => {
    const series = new ui.Series(["n"], 100);
    for (let n = 0; n < 10_000; n++) series.add(n, n);
    assert.ok(series.time.length <= 101 && series.time[0] === 0 && series.time.at(-1) > 9_800, `${series.time.length} to ${series.time.at(-1)}`);
    series.add(50, 1);
    assert.ok(series.time.at(-1) <= 50);
    assert.ok(series.time.length < 5);
  });
  await check("crossings of a line are counted by side and only between its ends", () => {
    const [before, after] = [frame([[1, 0, -1], [2, 0, 1], [3, 9, -1], [4, 0, 5]]), frame([[1, 0, 1], [2, 0, -1], [3, 9, 1], [4, 0, 6]])];
    assert.deepEqual(ui.crossings(before, after, [[-2, 0], [2, 0]]), [1, 1]);
  });
  await check("flow is told by the time that has passed, and counts nobody twice when time goes back or stands", () => {
    const flow = new ui.Flow();
    const across = [[-2, 0], [2, 0]];
    // Somebody crosses to the left in each of the first two seconds.
    const moments = [[-1, -3], [1, -1], [3, 1], [4, 2]].map(([a, b], second) => frame([[1, 0, a], [2, 0, b]], 20 * second));
    const go = (from, to) => flow.count(moments[from] ?? null, moments[to], across, (tick) => tick / 20);
    assert.equal(go(-1, 0), null);
    assert.deepEqual([go(0, 1), go(1, 2)], [[1, 0], [1, 0]]);
    assert.deepEqual(go(1, 2), [1, 0], "the same moment again");
    assert.deepEqual(go(2, 3).map((rate) => rate.toFixed(2)), ["0.67", "0.00"]);
    assert.deepEqual(flow.total, [2, 0]);
    go(-1, 0);
    assert.deepEqual(flow.total, [0, 0]);
    go(0, 1);
    assert.deepEqual(flow.total, [1, 0]);
  });
  await check("a frame of the same moment changes who is there, not how they move", () => {
    const world = new ui.World();
    world.reader = { read: (sent) => sent };
    const sent = (people, tick) => ({ ...frame(people, tick), heading: people.map(() => 0), byteLength: 0 });
    world.takeFrame(sent([[1, 0, 0], [3, 5, 5]], 0), 0);
    world.takeFrame(sent([[1, 0.1, 0], [3, 5, 5.2]], 2), 50);
    world.takeFrame(sent([[1, 0.1, 0], [2, 9, 9], [3, 5, 5.2]], 2), 75);
    const { count, x, y, vx, vy } = world.at(1000);
    assert.equal(count, 3);
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-5, `${a} instead of ${b}`);
    [[x[0], 0.1], [vx[0], 1], [vy[2], 2], [y[2], 5.2], [vx[1], 0]].forEach(([a, b]) => near(a, b));
  });
  await check("a picture begun before a frame came shows nobody behind where they come from", () => {
    const world = new ui.World();
    world.reader = { read: (sent) => sent };
    const sent = (people, tick) => ({ ...frame(people, tick), heading: people.map(() => 0), byteLength: 0 });
    world.takeFrame(sent([[1, 2, 0]], 0), 0);
    world.takeFrame(sent([[1, 3, 0]], 20), 1000);
    assert.equal(world.at(500).x[0], 2);
    assert.equal(world.at(60_000).x[0], 3);
  });
  await check("density, speeds and local density are those worked out by hand", () => {
    const here = frame([[1, 1, 1], [2, 2, 1], [3, 30, 30]]);
    assert.equal(ui.densityIn(here, ui.box([[0, 0], [4, 2]])), 2 / 8);
    assert.deepEqual(Array.from(ui.speeds(frame([[1, 0, 1], [3, 30, 30]]), here, 0.5)), [2, NaN, 0]);
    const found = [];
    ui.fundamental(here, new Float32Array([1, 1, 0]), 2, 100, (density, speed) => found.push([density * Math.PI * 4, speed]));
    assert.deepEqual(found.map(([count]) => Math.round(count)), [2, 2, 1]);
  });
  await check("shapes: a line is simplified, a box has its corners, insides are told", () => {
    const bent = [[0, 0], [1, 0.01], [2, 0], [2, 1], [2, 2]];
    assert.deepEqual(ui.simpler(bent, 0.1), [[0, 0], [2, 0], [2, 2]]);
    assert.deepEqual(ui.box([[3, 2], [1, 5]]), [[1, 2], [3, 2], [3, 5], [1, 5]]);
    assert.ok(ui.inside([2, 3], ui.box([[1, 2], [3, 5]])) && !ui.inside([0, 3], ui.box([[1, 2], [3, 5]])));
  });
  await check("axes have round numbers; names of people are those of the command line", () => {
    assert.deepEqual(ui.ticks(0, 1), [0, 0.25, 0.5, 0.75, 1]);
    assert.equal(ui.roundUp(187), 200);
    assert.equal(ui.nameOf(4194311), "1.7");
    assert.equal(ui.idOf("1.7"), 4194311);
    assert.equal(ui.idOf("12"), 12);
    assert.equal(ui.idOf("x"), null);
  });
}
