// Joins the files of the command line into a few, after the compiler has run: a process that starts for every build must not
// open three hundred files first. What other programs import (packsmith, /service, /testing, /node) stays as the compiler wrote it.
//
//   dist/bin/packsmith.cjs        answers --version, and loads the rest for everything else
//   dist/bin/joined-*.cjs        what build, validate and execute need, in one script: each part of it is evaluated when it is asked for
//   dist/bin/commands.cjs        loads that script, compiled before where possible
//   dist/bin/*.js                what other commands need; the parts that they share with the script are taken from there
//   dist/bin/sandbox-worker.cjs  what a sandbox starts with
//   dist/bin/parser.cjs          what is used of the parser: its package is six ES modules, which take twice as long
//   dist/bin/public-suffix.cjs   the list of public suffixes, for importers too: its package is thirty times as large
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "dist/bin");

/** Packages of many small files, of which only the used parts are taken along. The others are found in node_modules. */
const JOINED = ["commander", "kysely", "yaml", "zod"];
/** Everything that an author waits for many times a day; with what these import. */
const FAST = [
  "cli/run.js",
  "cli/exit-codes.js",
  "build/build-packs.js",
  "build/file-patterns.js",
  "execute/run-formula.js",
  "build/validate-packs.js",
  "validate/validate-definition.js",
];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  logLevel: "warning",
};
/** What bundled CommonJS finds in an ES module. */
const REQUIRE = 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);\n';

rmSync(bin, { recursive: true, force: true });
mkdirSync(bin, { recursive: true });
const chunks = await splitCommands();
const fast = withStaticImports(FAST.map((file) => basename(file)));
const script = await joined();
if (/[^\0-\x7f]/.test(script)) throw new Error("The joined script is not in ASCII.");
const scriptName = `joined-${createHash("sha256").update(script).digest("hex").slice(0, 8)}.cjs`;
writeFileSync(join(bin, scriptName), script);
for (const [name, { text, names }] of chunks) writeFileSync(join(bin, name), fast.has(name) ? takenFromJoined(name, names) : REQUIRE + text);

await build({
  ...options,
  entryPoints: ["dist/cli/main.js"],
  // Node starts an ES module later than a script by as much as --version takes.
  outfile: "dist/bin/packsmith.cjs",
  format: "cjs",
  define: { "import.meta.url": "__filename", "import.meta.dirname": "__dirname" },
  plugins: [
    {
      name: "joined",
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /\/run\.js$/ }, () => ({ path: "run.js", namespace: "joined" }));
        onLoad({ filter: /.*/, namespace: "joined" }, ({ path }) => ({ contents: takenFromJoined(path, ["runCli"]) }));
      },
    },
  ],
});
await build({
  ...options,
  stdin: {
    contents: `import { join } from "node:path";
import { dailyVerbOf } from "./cli/daily-verb.js";
import { loadJoined } from "./cli/joined-commands.js";
module.exports = loadJoined(join(__dirname, "${scriptName}"), (id) => import(id), dailyVerbOf(process.argv.slice(2)));`,
    resolveDir: join(root, "dist"),
  },
  outfile: "dist/bin/commands.cjs",
  format: "cjs",
});
await build({ ...options, entryPoints: ["dist/sandbox/inside/worker.js"], outfile: "dist/bin/sandbox-worker.cjs", format: "cjs" });
await build({
  ...options,
  stdin: { contents: 'export { getPublicSuffix } from "tldts";', resolveDir: root },
  outfile: "dist/bin/public-suffix.cjs",
  format: "cjs",
});

await build({
  ...options,
  stdin: { contents: 'export { parseSync } from "oxc-parser";', resolveDir: root },
  outfile: "dist/bin/parser.cjs",
  format: "cjs",
  // Its native part is found from there. Node's own search takes longer than the rest: it compiles its rules for names.
  define: { "import.meta.url": "packageUrl" },
  banner: {
    js: `const parserFile = module.paths.map((folder) => require("node:path").join(folder, "oxc-parser/package.json")).find(require("node:fs").existsSync);
const packageUrl = require("node:url").pathToFileURL(parserFile === undefined ? require.resolve("oxc-parser") : require("node:fs").realpathSync(parserFile)).href;`,
  },
});

/** All commands as ES modules, by file name, with what each imports before it runs and later, and what it exports. */
async function splitCommands() {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: FAST.map((file) => join("dist", file)),
    outdir: "dist/bin",
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    external: Object.keys(dependencies).filter((name) => !JOINED.includes(name)),
    metafile: true,
    write: false,
    plugins: [ownCopyOf("zod/mini")],
  });
  return new Map(
    outputFiles.map(({ path, text }) => {
      const { imports, exports } = metafile.outputs[join("dist/bin", basename(path))];
      const needed = imports.filter(({ kind, external }) => kind === "import-statement" && !external).map((each) => basename(each.path));
      const later = imports.filter(({ kind }) => kind === "dynamic-import").map((each) => (each.external ? each.path : basename(each.path)));
      return [basename(path), { text, needed, later, names: exports }];
    }),
  );
}

/** A package that the slower commands use more of: only what is used of the copy is loaded for every command. */
function ownCopyOf(name) {
  const namespace = "own-copy";
  const found = (path) => ({ path, namespace, sideEffects: false });
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => found(fileURLToPath(import.meta.resolve(name))));
      onResolve({ filter: /^\./, namespace }, ({ path, importer }) => found(join(dirname(importer), path)));
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: readFileSync(path, "utf8") }));
    },
  };
}

function withStaticImports(names) {
  const found = new Set(names);
  for (const name of found) for (const needed of chunks.get(name).needed) found.add(needed);
  return found;
}

/** The fast chunks as functions of one script: Node reads one file, and compiles what is called. */
async function joined() {
  const parts = await Promise.all(
    [...fast].map(async (name) => {
      const { code } = await transform(chunks.get(name).text, {
        format: "cjs",
        // As in an ES module, what a package of CommonJS exports is its default.
        sourcefile: `${name}.mjs`,
        define: { "import.meta.url": "moduleUrl", "import.meta.dirname": "moduleFolder" },
        minifyWhitespace: true,
      });
      // Parts ask for each other without the question which kind of module the other one is.
      const bare = code.replace(/var __toCommonJS=[^;]*;/, "var __toCommonJS=exported=>exported;");
      const text = chunks.get(name).later.reduce((before, to) => before.replaceAll(...laterImport(to)), bare);
      return `${JSON.stringify(name)}(module, exports, require) {${text}}`;
    }),
  );
  return `(require, file, importModule, loaded) => {
"use strict";
const moduleUrl = require("node:url").pathToFileURL(file).href;
const moduleFolder = require("node:path").dirname(file);
const requirePart = (id) => (id.startsWith("./") ? part(id.slice(2)) : require(id));
function part(name) {
  let module = loaded.get(name);
  if (module === undefined) {
    loaded.set(name, (module = { exports: {} }));
    parts[name](module, module.exports, requirePart);
  }
  return module.exports;
}
const parts = {
${parts.join(",\n")}
};
return part;
}
`;
}

/** V8 forgets who imports when it reads a compiled script: the file that loads the script does it. */
function laterImport(name) {
  if (fast.has(name)) return [`import("./${name}")`, `Promise.resolve().then(()=>part("${name}"))`];
  const id = chunks.has(name) ? `./${name}` : name;
  return [`import("${id}")`, `importModule("${id}")`];
}

/** An ES module that gives the others a part of the joined file. */
function takenFromJoined(name, names) {
  return `import { createRequire } from "node:module";\nexport const { ${names.join(", ")} } = createRequire(import.meta.url)("./commands.cjs")("${name}");\n`;
}

writeLicenses(
  bin,
  [...JOINED, "oxc-parser", "tldts"].map((name) => `node_modules/${name}`),
);

// The types that `@codahq/packs-sdk` resolves to. The compiler cannot write this file: in the source it would loosen our own
// types, too.
writeFileSync(
  join(root, "dist/legacy-types.d.ts"),
  `export * from "./legacy.js";
declare global {
  /** Packs for \`@codahq/packs-sdk\` were written with bodies and results of type any. */
  interface PacksmithCompatibility {
    untyped: any;
  }
}
`,
);
