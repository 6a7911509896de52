// Builds the browser packages that stand in for modules of Node in a Pack: one file each, which
// asks for the others by the name of the Node module, so that a Pack that needs two shares what
// they have in common.
//
//   node .ci/bundle-polyfills.mjs [FOLDER]  reads and writes FOLDER. Default: dist
//
//   polyfills/NAME.cjs         a module
//   polyfills/crypto.js        what `import` gets of crypto: each name is a part of its own, and
//                              esbuild leaves out the others
//   polyfills/crypto.cjs       what `require` gets: all of it, the same parts
//   polyfills/crypto-parts.js  the packages, each module of which runs when it is asked for
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ABSENT_FROM_CRYPTO, OWN_PARTS_OF_CRYPTO, PARTS_OF_CRYPTO } from "./crypto-parts.mjs";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const library = require("node-stdlib-browser");
const dist = resolve(process.argv[2] ?? join(root, "dist"));
const { POLYFILLS } = await import(pathToFileURL(join(dist, "bundle/node-modules.js")).href);
const folder = join(dist, "polyfills");
/**
 * Whether esbuild writes this where a module is required, it asks the nearest tsconfig.json, and
 * not for files that a plugin names.
 */
const STRICT = '"use strict";\n';
const modules = [...POLYFILLS, "buffer", "process"];
const firstCopies = readFirstCopies();

mkdirSync(folder, { recursive: true });
const contained = new Set();
for (const name of POLYFILLS) {
  if (name === "crypto") continue;
  const [file] = await bundle(
    { entryPoints: [library[name]], format: "cjs" },
    othersPlugin(name, asExternal),
  );
  writeFileSync(join(folder, `${name}.cjs`), file.text);
}
await writeCrypto();

writeLicenses(folder, [...contained].sort());

async function bundle(options, others) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: "browser",
    target: "es2020",
    plugins: [others, firstCopiesPlugin()],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
    ...options,
  });
  for (const path of Object.keys(metafile.inputs))
    if (/^node_modules\//.test(path)) contained.add(packageOf(path));
  return outputFiles;
}

async function writeCrypto() {
  const parts = { ...PARTS_OF_CRYPTO, all: `{ ...require("crypto-browserify"), ...own }` };
  const asked = new Set();
  const [file] = await bundle(
    {
      stdin: {
        contents: [
          `import * as own from "${OWN_PARTS_OF_CRYPTO.file}";`,
          ...Object.entries(parts).map(
            ([name, expression]) => `export const get_${name} = () => (${expression});`,
          ),
        ].join("\n"),
        resolveDir: root,
      },
      format: "esm",
      external: [OWN_PARTS_OF_CRYPTO.file],
    },
    othersPlugin("crypto", (name) => {
      asked.add(name);
      return { path: name, namespace: "imported" };
    }),
  );
  // Without the mark, a module that nothing asks for would be kept for what making its wrapper
  // might do.
  const marked = file.text.replaceAll(
    /(\brequire_\w+=)(__commonJS(?:Min)?\()/g,
    "$1/* @__PURE__ */$2",
  );
  const imports = [...asked].sort().map((name) => `import ${imported(name)} from "${name}";\n`);
  writeFileSync(join(folder, "crypto-parts.js"), STRICT + imports.join("") + marked);
  const names = Object.keys(PARTS_OF_CRYPTO);
  writeFileSync(
    join(folder, "crypto.js"),
    STRICT +
      [
        `import { ${Object.keys(parts)
          .map((name) => `get_${name}`)
          .join(", ")} } from "./crypto-parts.js";`,
        `export { ${OWN_PARTS_OF_CRYPTO.names.join(", ")} } from "${OWN_PARTS_OF_CRYPTO.file}";`,
        ...names.map((name) => `export const ${name} = /* @__PURE__ */ get_${name}();`),
        `export const ${ABSENT_FROM_CRYPTO.map((name) => `${name} = undefined`).join(", ")};`,
        "export default /* @__PURE__ */ get_all();\n",
      ].join("\n"),
  );
  writeFileSync(join(folder, "crypto.cjs"), `module.exports = require("./crypto.js").default;\n`);
}

/**
 * Leaves the other modules where they are. `util/` is how a package asks for the package instead of
 * the module, which is the same here.
 */
function othersPlugin(name, take) {
  const others = modules.filter((other) => other !== name);
  return {
    name: "others",
    setup(build) {
      const filter = new RegExp(`^(?:${others.join("|")})/?$`);
      build.onResolve({ filter }, ({ path, kind, importer }) => {
        if (kind === "entry-point") return undefined;
        return isTurnedOff(path, importer)
          ? { path, namespace: "nothing" }
          : take(path.replace(/\/$/, ""));
      });
      // Packages of crypto bring an older one of their own, of which they use no more than
      // Transform and Writable.
      if (name === "crypto") build.onResolve({ filter: /^readable-stream$/ }, () => take("stream"));
      // One package looks for random bytes in browsers' names for the global object, and then
      // there.
      if (name === "crypto")
        build.onResolve({ filter: /^crypto$/ }, ({ path }) => ({ path, namespace: "random" }));
      build.onLoad({ filter: /.*/, namespace: "random" }, () => ({
        contents: 'exports.randomBytes = require("randombytes");',
        resolveDir: root,
      }));
      // One package tries it, and does without.
      build.onResolve({ filter: /^vm$/ }, ({ path }) => ({ path, namespace: "nothing" }));
      build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "" }));
      build.onLoad({ filter: /.*/, namespace: "imported" }, ({ path }) => ({
        contents: `module.exports = ${imported(path)};`,
      }));
    },
  };
}

function asExternal(path) {
  return { path, external: true };
}

/** A package may say that a browser needs no such module. */
function isTurnedOff(path, importer) {
  if (!isAbsolute(importer)) return false;
  const { browser } = JSON.parse(
    readFileSync(
      join(root, packageOf(relative(root, importer).replaceAll("\\", "/")), "package.json"),
      "utf8",
    ),
  );
  return typeof browser === "object" && browser[path] === false;
}

/** An ES module cannot ask for another one in the middle: it is imported under this name. */
function imported(name) {
  return `$node_${name}`;
}

/** Takes one copy of a package that is installed several times in one version. */
function firstCopiesPlugin() {
  const asked = {};
  return {
    name: "first-copies",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, ...where }) => {
        if (pluginData === asked || kind === "entry-point") return undefined;
        const found = await build.resolve(path, {
          kind,
          importer: where.importer,
          resolveDir: where.resolveDir,
          pluginData: asked,
        });
        if (found.errors.length > 0 || found.namespace !== "file") return undefined;
        const file = relative(root, found.path).replaceAll("\\", "/");
        const folder = packageOf(file);
        return {
          path: join(root, firstCopies.get(folder) ?? folder, file.slice(folder.length)),
          sideEffects: found.sideEffects,
        };
      });
    },
  };
}

/** The folder of each installed package, and that of the first one of its name and version. */
function readFirstCopies() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const first = new Map();
  const keyOf = (path) => `${path.split("node_modules/").at(-1)} ${packages[path].version}`;
  const paths = Object.keys(packages).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  for (const path of paths) if (!first.has(keyOf(path))) first.set(keyOf(path), path);
  return new Map(paths.map((path) => [path, first.get(keyOf(path))]));
}

function packageOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? dirname(path);
}
