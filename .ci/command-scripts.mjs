// Divides the commands into scripts, so that a command compiles and keeps only what it is likely to
// call. A module is in the first script that reaches it by imports; what is imported later, with
// import(), may be in any script, and src/cli/load-commands.ts loads that script then.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/** Each script with the modules that it starts from. The last one has everything else. */
const SCRIPTS = {
  /** The frame of all commands, and a build that finds everything in its cache. */
  start: [
    "dist/cli/run.js",
    "dist/cli/verbs/build.js",
    "dist/build/build-packs.js",
    "dist/build/file-patterns.js",
  ],
  /** What builds, checks and runs Packs. */
  packs: [
    "dist/cli/verbs/execute.js",
    "dist/cli/verbs/validate.js",
    "dist/build/pack-loader.js",
    "dist/build/run-type-check.js",
    "dist/build/validate-packs.js",
    "dist/accounts/vault-location.js",
    "dist/cli/elicitation-prompts.js",
    "dist/execute/run-target.js",
    "dist/validate/validate-definition.js",
    "node_modules/oxc-parser/src-js/index.js",
  ],
  others: [],
};
const LAST = "others";

/**
 * @param {string} root
 * @param {string} folder where the scripts are written
 * @param {import("esbuild").BuildOptions} options for all scripts
 * @returns {Promise<Record<string, string>>} the name of each script's file
 */
export async function writeCommandScripts(root, folder, options) {
  const { metafile } = await build({
    ...options,
    entryPoints: [SCRIPTS.start[0]],
    outdir: folder,
    write: false,
    metafile: true,
  });
  const scriptOf = assignModules(metafile.inputs);
  const shared = listShared(metafile.inputs, scriptOf);
  const files = {};
  for (const script of Object.keys(SCRIPTS)) {
    const modules = shared.filter((path) => scriptOf.get(path) === script);
    const text = await bundleScript(script, modules, scriptOf, { root, options });
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
    files[script] = `commands-${script}-${hash}.cjs`;
    writeFileSync(join(folder, files[script]), text, "latin1");
  }
  return files;
}

/** The script that has each module. */
function assignModules(inputs) {
  const scriptOf = new Map();
  for (const [script, entries] of Object.entries(SCRIPTS)) {
    const waiting = script === LAST ? Object.keys(inputs) : [...entries];
    for (const path of waiting) {
      if (scriptOf.has(path)) continue;
      scriptOf.set(path, script);
      for (const imported of inputs[path].imports)
        if (isLoaded(imported) && isImmediate(path, imported)) waiting.push(imported.path);
    }
  }
  return scriptOf;
}

/** What modules of other scripts import, and the first module. */
function listShared(inputs, scriptOf) {
  const shared = new Set([SCRIPTS.start[0]]);
  for (const [path, { imports }] of Object.entries(inputs))
    for (const imported of imports)
      if (isLoaded(imported) && scriptOf.get(imported.path) !== scriptOf.get(path))
        shared.add(imported.path);
  return [...shared];
}

function isLoaded({ external, path }) {
  return external !== true && !path.startsWith("<");
}

/** Our own modules call `import()` and `require()` when they need something. */
function isImmediate(importer, { kind }) {
  return kind === "import-statement" || (kind === "require-call" && !importer.startsWith("dist/"));
}

async function bundleScript(script, modules, scriptOf, { root, options }) {
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: modules
        .map((path) => `exports["${path}"] = () => require("./${path}");`)
        .join("\n"),
      resolveDir: root,
    },
    write: false,
    plugins: [withoutOtherScripts(script, scriptOf, root), ...options.plugins],
  });
  return inAscii(outputFiles[0].text);
}

/** Leaves out the modules of other scripts, and asks the loader for them. */
function withoutOtherScripts(script, scriptOf, root) {
  return {
    name: "without-other-scripts",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./, namespace: "file" }, async ({ path, pluginData, ...how }) => {
        if (pluginData === script) return undefined;
        const found = await resolve(path, { ...how, pluginData: script });
        if (found.external || found.errors.length > 0 || found.namespace !== "file") return found;
        const module = relative(root, found.path).split(sep).join("/");
        const home = scriptOf.get(module) ?? script;
        if (home === script) return found;
        const id = `commands:${home}/${module}`;
        return how.kind === "dynamic-import"
          ? { path: id, external: true }
          : // With an extension, it would be a module of the kind that the extension says.
            { path: `${id}/`, namespace: "commands" };
      });
      onLoad({ filter: /./, namespace: "commands" }, ({ path }) => ({
        contents: `module.exports = require("${path.slice(0, -1)}");`,
      }));
      onResolve({ filter: /./, namespace: "commands" }, ({ path }) => ({ path, external: true }));
    },
  };
}

/**
 * esbuild leaves other characters in regular expressions. With one of them, V8 keeps the whole text
 * in twice the memory.
 */
function inAscii(text) {
  return text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
