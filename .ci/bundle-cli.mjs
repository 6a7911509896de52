// Joins the files of the command line into a few, after the compiler has run: a process that starts for every build must not
// open three hundred files first. What other programs import (packsmith, /service, /testing, /node) stays as the compiler wrote it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Packages of many small files, of which only the used parts are taken along. The others are found in node_modules. */
const JOINED = ["commander", "kysely", "yaml", "zod"];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

await build({
  absWorkingDir: root,
  entryPoints: { packsmith: "dist/cli/main.js" },
  outdir: "dist/bin",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies).filter((name) => !JOINED.includes(name)),
  // commander is CommonJS and asks for Node's modules with require.
  banner: { js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  logLevel: "warning",
});

const licenses = JOINED.map((name) => `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8").trim()}\n`);
writeFileSync(join(root, "dist/bin/LICENSES.txt"), `Parts of these packages are contained in this folder.\n\n${licenses.join("\n---\n\n")}`);

// What a type checker finds under the older package's name. The compiler cannot write it: as a part of the source it would
// loosen our own types, too.
writeFileSync(
  join(root, "dist/older.d.ts"),
  `export * from "./legacy.js";
declare global {
  /** Older Packs were written against bodies and results that hold anything. */
  interface PacksmithCompatibility {
    untyped: any;
  }
}
`,
);
