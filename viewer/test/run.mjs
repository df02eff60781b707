// Browser tests: PASSERBY=target/release/passerby node viewer/test/run.mjs [GROUP...]
//
// One line for each check; the exit code is 0 if all hold. CHROMIUM names another browser.

import { brush } from "./brush.mjs";
import { flat } from "./flat.mjs";
import { end, fail } from "./harness.mjs";
import { large } from "./large.mjs";
import { live } from "./live.mjs";
import { logic } from "./logic.mjs";
import { reach } from "./reach.mjs";
import { replay } from "./replay.mjs";

const groups = { logic, live, reach, brush, replay, flat, large };
const wanted = process.argv.slice(2);
for (const [name, group] of Object.entries(groups)) {
  if (wanted.length && !wanted.includes(name)) continue;
  try {
    await group();
  } catch (error) {
    fail(name, error);
  }
}
const { passed, failed } = await end();
if (failed > 0) process.exitCode = 1;
console.log(`test result: ${process.exitCode ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
process.exit();
