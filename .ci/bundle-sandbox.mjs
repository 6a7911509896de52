// Bundles what runs in the process of a Pack. It has no access to files, so it is one text, which
// contains the text that is evaluated in each context.
//   node .ci/bundle-sandbox.mjs [FOLDER]  writes to FOLDER/bin. Default: dist
//
//   bin/sandbox-process.cjs  what runs in the process
//   bin/sandbox-urls.js      the URL classes that a Pack gets
//   bin/system-calls.*.bpf   which system calls the kernel refuses, for each architecture
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(resolve(process.argv[2] ?? join(root, "dist")), "bin");
const options = {
  absWorkingDir: root,
  bundle: true,
  format: "iife",
  target: "node20.19",
  minify: true,
  keepNames: true,
  write: false,
  logLevel: "warning",
};

mkdirSync(bin, { recursive: true });
const [inside, urls] = await Promise.all([
  bundle({
    platform: "neutral",
    mainFields: ["module", "main"],
    entryPoints: ["src/sandbox/inside/bridge.ts"],
    globalName: "sandbox",
  }),
  bundle({
    platform: "neutral",
    mainFields: ["main"],
    stdin: { contents: 'export { URL, URLSearchParams } from "whatwg-url";', resolveDir: root },
    globalName: "urls",
  }),
]);
writeFileSync(
  join(bin, "sandbox-urls.js"),
  `(function (TextEncoder, TextDecoder) {"use strict";${urls};return urls})\n`,
);
writeFileSync(
  join(bin, "sandbox-process.cjs"),
  await bundle({
    platform: "node",
    entryPoints: ["src/sandbox/process/main.ts"],
    external: ["internal/test/binding"],
    define: {
      INSIDE: JSON.stringify(`"use strict";(() => {${inside};return sandbox.bridge})()`),
    },
  }),
);
await writeFilters();

/** The filter is written by a module of the sources, which is loaded from its bundle. */
async function writeFilters() {
  const code = await bundle({
    platform: "node",
    format: "esm",
    entryPoints: ["src/sandbox/host/system-call-filter.ts"],
  });
  const { FILTERED_ARCHITECTURES, writeSystemCallFilter } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  for (const architecture of FILTERED_ARCHITECTURES)
    writeFileSync(
      join(bin, `system-calls.${architecture}.bpf`),
      writeSystemCallFilter(architecture),
    );
}

async function bundle(own) {
  const { outputFiles } = await build({ ...options, ...own });
  return outputFiles[0].text;
}
