#!/usr/bin/env node
// `npm create packsmith my-pack` is `packsmith init my-pack`.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const packsmith = dirname(createRequire(import.meta.url).resolve("packsmith/package.json"));
process.argv.splice(2, 0, "init");
await import(pathToFileURL(join(packsmith, "dist/bin/packsmith.cjs")).href);
