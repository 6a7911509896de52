// Builds the page of packsmith dev: a script, a style sheet, and what the script loads later.
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(resolve(process.argv[2] ?? join(root, "dist")), "web");
/** What the browser loads first, as it would receive it compressed. */
const MAX_GZIP_BYTES = 72_000;

mkdirSync(folder, { recursive: true });
const { metafile } = await build({
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
  metafile: true,
  tsconfigRaw: {},
});
const bytes = [...listFirst("page.js"), "page.css"]
  .map((name) => gzipSync(readFileSync(join(folder, name))).byteLength)
  .reduce((a, b) => a + b);
if (bytes > MAX_GZIP_BYTES)
  throw new Error(`The page is ${bytes} bytes compressed. The limit is ${MAX_GZIP_BYTES} bytes.`);
writeLicenses(folder, ["node_modules/lucide", "node_modules/marked", "node_modules/preact"]);

/** A script with all that it imports before it runs. */
function listFirst(name, listed = new Set()) {
  if (listed.has(name)) return listed;
  listed.add(name);
  const output = Object.entries(metafile.outputs).find(([path]) => basename(path) === name)?.[1];
  for (const { path, kind } of output.imports)
    if (kind === "import-statement") listFirst(basename(path), listed);
  return listed;
}
