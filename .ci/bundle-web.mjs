// Builds the page of packsmith dev: one script and one style sheet, with everything in them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "dist/web");
/** Both files together, as a browser would receive them compressed. */
const MAX_GZIP_BYTES = 80_000;

mkdirSync(folder, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: [
    { in: "src/dev/web/main.tsx", out: "page" },
    { in: "src/dev/web/styles.css", out: "page" },
  ],
  outdir: folder,
  bundle: true,
  format: "esm",
  platform: "browser",
  target: ["chrome109", "firefox115", "safari16"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  tsconfigRaw: {},
});
const bytes = ["page.js", "page.css"].map((name) => gzipSync(readFileSync(join(folder, name))).byteLength).reduce((a, b) => a + b);
if (bytes > MAX_GZIP_BYTES) throw new Error(`The page is ${bytes} bytes compressed. The limit is ${MAX_GZIP_BYTES} bytes.`);
writeFileSync(join(folder, "LICENSES.txt"), `Parts of this package are contained in this folder.\n\npreact\n\n${readFileSync(join(root, "node_modules/preact/LICENSE"), "utf8").trim()}\n`);
