// Bundles the compiled command line: a process that starts for every build must not open hundreds
// of files first. What other programs import (packsmith, /service, /testing, /node) stays as the
// compiler wrote it.
//
//   dist/bin/packsmith.cjs   answers --version, and loads the commands for everything else
//   dist/bin/commands-*.cjs  all commands; a name has a hash, because the code cache goes by the
//                            name (src/cli/load-compiled.ts)
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeCommandScripts } from "./command-scripts.mjs";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "dist/bin");
/**
 * Packages of many small files, of which the bundle takes what it uses. The others are found in
 * node_modules.
 */
const BUNDLED = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "commander",
  "kysely",
  "marked",
  "oxc-parser",
  "picomatch",
  "tldts",
  "yaml",
  "zod",
];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  external: Object.keys(dependencies).filter((name) => !BUNDLED.includes(name)),
  // A script that V8 compiled before cannot import; require() takes ES modules, too.
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "importMetaUrl", "import.meta.dirname": "__dirname" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  logLevel: "warning",
};

/**
 * esbuild takes every external package for CommonJS here, and would give these two as a namespace
 * instead of their default export.
 */
const defaultExports = {
  name: "default-exports",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(is-inside-container|open)$/, namespace: "file" }, ({ path }) => ({
      path,
      namespace: "default-exports",
    }));
    onLoad({ filter: /.*/, namespace: "default-exports" }, ({ path }) => ({
      contents: `export { default } from "${path}";`,
    }));
  },
};

/** Large, and only calls of MCP tools need it: it stays the file that bundle-packages.mjs makes. */
const protocolClient = {
  name: "protocol-client",
  setup({ onResolve }) {
    onResolve({ filter: /^@modelcontextprotocol\/client(\/|$)/ }, () => ({
      path: "../packages/modelcontextprotocol-client.js",
      external: true,
    }));
  },
};

/**
 * Bundles the JavaScript of oxc-parser, which is loaded when it is needed. Its native part is found
 * from its own place.
 */
const parser = {
  name: "parser",
  setup({ onLoad }) {
    const replaced = (path, before, after) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(before)) throw new Error(`${path} has no ${before}.`);
      return { contents: text.replace(before, after) };
    };
    // esbuild knows `require`, but not what createRequire makes.
    onLoad({ filter: /dist[\\/]validate[\\/]source-module\.js$/ }, ({ path }) =>
      replaced(path, 'createRequire(import.meta.url)("oxc-parser")', 'require("oxc-parser")'),
    );
    onLoad({ filter: /oxc-parser[\\/]src-js[\\/]bindings\.js$/ }, ({ path }) =>
      replaced(
        path,
        "createRequire(import.meta.url)",
        'createRequire(createRequire(import.meta.url).resolve("oxc-parser"))',
      ),
    );
  },
};

rmSync(bin, { recursive: true, force: true });
mkdirSync(bin);
const scripts = await writeCommandScripts(root, bin, {
  ...options,
  plugins: [defaultExports, protocolClient, parser],
});
await build({
  ...options,
  entryPoints: ["dist/cli/main.js"],
  outfile: join(bin, "packsmith.cjs"),
  define: { ...options.define, SCRIPTS: JSON.stringify(scripts) },
});

writeLicenses(
  bin,
  [
    ...BUNDLED,
    "@noble/ciphers",
    "base64-js",
    "buffer",
    "ieee754",
    "punycode",
    "tr46",
    "webidl-conversions",
    "whatwg-url",
  ].map((name) => `node_modules/${name}`),
);

copyFileSync(join(root, "src/pack-globals.d.ts"), join(root, "dist/pack-globals.d.ts"));

// The types of `@codahq/packs-sdk` have no code. Older compilers resolve only imports of .js files.
const legacyTypes = readdirSync(join(root, "dist/legacy-types")).map((name) =>
  join(root, "dist/legacy-types", name),
);
for (const file of [
  ...legacyTypes,
  join(root, "dist/legacy-types.d.ts"),
  join(root, "dist/legacy-types.js"),
]) {
  if (file.endsWith(".d.ts"))
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
  else rmSync(file);
}
