// Builds the page of packsmith dev: a script, a style sheet, and what the script loads later.
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(resolve(process.argv[2] ?? join(root, "dist")), "web");
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
  splitting: true,
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
const bytes = ["page.js", "page.css"]
  .map((name) => gzipSync(readFileSync(join(folder, name))).byteLength)
  .reduce((a, b) => a + b);
if (bytes > MAX_GZIP_BYTES)
  throw new Error(`The page is ${bytes} bytes compressed. The limit is ${MAX_GZIP_BYTES} bytes.`);
writeLicenses(folder, ["node_modules/lucide", "node_modules/marked", "node_modules/preact"]);
