// Gives importers each of these packages as one file, without its types and its other formats.
//   node .ci/bundle-packages.mjs [FOLDER]  reads and writes FOLDER. Default: dist
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./write-licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, "dist"));
/**
 * What is exported of each. A Pack that exports pages carries the file of fflate, so that it has
 * only what the client uses.
 */
const EXPORTS = {
  kysely: "*",
  tldts: "*",
  yaml: "*",
  fflate: "{ Inflate }",
  marked: "{ Lexer }",
  picomatch: "{ default }",
};
const PACKAGES = Object.keys(EXPORTS);
const OTHER_FILE = new RegExp(`^import .* from "(?:${PACKAGES.join("|")})/`, "m");

for (const name of PACKAGES)
  await build({
    absWorkingDir: root,
    stdin: { contents: `export ${EXPORTS[name]} from "${name}";`, resolveDir: root },
    outfile: join(dist, "packages", `${name}.js`),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "node20.19",
    mainFields: ["module", "main"],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  });
writeLicenses(
  join(dist, "packages"),
  PACKAGES.map((name) => `node_modules/${name}`),
);

for (const entry of readdirSync(dist, { recursive: true })) {
  const file = entry.replaceAll("\\", "/");
  if (!file.endsWith(".js") || /^(?:bin|packages)\//.test(file)) continue;
  const before = readFileSync(join(dist, file), "utf8");
  const after = before.replaceAll(/^(import .* from )"([^"./]+)";$/gm, (whole, start, name) =>
    PACKAGES.includes(name) ? `${start}"${pathBetween(file, `packages/${name}.js`)}";` : whole,
  );
  if (OTHER_FILE.test(after))
    throw new Error(`${file} imports a file of a package that importers get as one file.`);
  if (after !== before) writeFileSync(join(dist, file), after);
}

function pathBetween(from, to) {
  const path = posix.relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
