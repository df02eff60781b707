// Bundles the page into crates/server/bundle, from where `cargo build` makes it part of the program.
import { build } from "esbuild";
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const bundle = `${here}../crates/server/bundle`;
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  outdir: bundle,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  logLevel: "warning",
});
for (const file of ["index.html", "style.css"]) await copyFile(`${here}${file}`, `${bundle}/${file}`);
