// Bundles what suites for jest import: jest cannot `require` an ES module.
//   node .ci/bundle-jest.mjs [FOLDER]  writes to FOLDER/jest. Default: dist
//
//   jest/modules.cjs  the builder, its older names and the testing helpers, with the classes that
//                     they share
//   jest/outside.cjs  loads the modules that need Node itself, and is not loaded by jest
//   jest/ENTRY.cjs    what a name resolves to: a part of modules.cjs, or a module from outside
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(resolve(process.argv[2] ?? join(root, "dist")), "jest");
const INSIDE = ["index", "legacy", "legacy-testing"];
const OUTSIDE = ["testing", "service", "node"];

mkdirSync(folder, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ["src/testing/jest/modules.ts"],
  outfile: join(folder, "modules.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  define: { "import.meta.dirname": "__dirname" },
  logLevel: "warning",
  plugins: [
    {
      name: "outside",
      setup(bundler) {
        const replace = (filter, file) =>
          bundler.onResolve({ filter }, ({ importer }) =>
            /[\\/]jest[\\/]/.test(importer)
              ? undefined
              : { path: join(root, "src/testing/jest", file) },
          );
        replace(/\/(?:execute-bundle|real-context)\.ts$/, "outside.ts");
        replace(/\/sinon\.ts$/, "stub.ts");
      },
    },
  ],
});
writeFileSync(join(folder, "outside.cjs"), "exports.load = (file) => require(file);\n");
for (const name of INSIDE)
  writeFileSync(
    join(folder, `${name}.cjs`),
    `module.exports = require("./modules.cjs").modules[${JSON.stringify(name)}];\n`,
  );
for (const name of OUTSIDE)
  writeFileSync(
    join(folder, `${name}.cjs`),
    `module.exports = require("./modules.cjs").load(${JSON.stringify(`../${name}.js`)});\n`,
  );
