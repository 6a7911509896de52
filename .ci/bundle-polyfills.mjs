// Builds the browser packages that stand in for modules of Node in a Pack: one file each, which asks for the others by the
// name of the Node module, so that a Pack that needs two shares what they have in common.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { POLYFILLS } from "../dist/bundle/node-modules.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const library = require("node-stdlib-browser");
const folder = join(root, "dist/polyfills");
const modules = [...POLYFILLS, "buffer", "process"];

mkdirSync(folder, { recursive: true });
const contained = new Set();
for (const name of POLYFILLS) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [library[name]],
    outfile: join(folder, `${name}.cjs`),
    bundle: true,
    format: "cjs",
    platform: "browser",
    target: "es2020",
    plugins: [othersPlugin(modules.filter((other) => other !== name))],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  for (const path of Object.keys(metafile.inputs)) if (!path.startsWith("(disabled)")) contained.add(packageOf(path));
}

const licenses = [...contained].sort().map((folder) => `${folder.split("node_modules/").at(-1)}\n\n${licenseOf(join(root, folder))}\n`);
writeFileSync(join(folder, "LICENSES.txt"), `Parts of these packages are contained in this folder.\n\n${licenses.join("\n---\n\n")}`);

/** Leaves the other modules where they are. `util/` is how a package asks for the package instead of the module, which is the same here. */
function othersPlugin(others) {
  return {
    name: "others",
    setup(build) {
      const filter = new RegExp(`^(?:${others.join("|")})/?$`);
      build.onResolve({ filter }, ({ path, kind }) => (kind === "entry-point" ? undefined : { path: path.replace(/\/$/, ""), external: true }));
    },
  };
}

function packageOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? dirname(path);
}

function licenseOf(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "license", "LICENCE", "LICENSE-MIT.txt", "LICENSE.txt"]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {}
  }
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${license}, ${typeof author === "string" ? author : (author?.name ?? "its authors")}`;
}
