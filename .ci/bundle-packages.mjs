// Gives importers each of these packages as one file, without its types and its other formats.
//   node .ci/bundle-packages.mjs [FOLDER]  reads and writes FOLDER. Default: dist
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
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
  // Without what it has for browsers, for other transports, and for CommonJS.
  "@modelcontextprotocol/client":
    "{ Client, ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport, UrlElicitationRequiredError }",
};
/** What else is in the file of a package. */
const PARTS = {
  "@modelcontextprotocol/client": {
    "@modelcontextprotocol/client/validators/ajv": "{ AjvJsonSchemaValidator }",
  },
};
/** Those that need Node, and what they share with other code. */
const NODE_PACKAGES = { "@modelcontextprotocol/client": ["jose", "zod"] };
/** What is contained in them and is not a dependency of packsmith. */
const CONTAINED = [
  "@modelcontextprotocol/core",
  "@sinonjs/commons",
  "@sinonjs/fake-timers",
  "@sinonjs/samsam",
  "ajv",
  "ajv-formats",
  "diff",
  "eventsource-parser",
  "pkce-challenge",
  "type-detect",
];
const PACKAGES = Object.keys(EXPORTS);
/** The package whose file has what is imported by this name. */
const OWNERS = new Map(
  PACKAGES.flatMap((name) => [name, ...Object.keys(PARTS[name] ?? {})].map((each) => [each, name])),
);
const OTHER_FILE = new RegExp(`^import .* from "(?:${PACKAGES.join("|")})/`, "m");

const options = {
  absWorkingDir: root,
  bundle: true,
  target: "node20.19",
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};
for (const name of PACKAGES)
  await build({
    ...options,
    stdin: { contents: writeExports(name), resolveDir: root },
    outfile: join(dist, bundledFile(name)),
    format: "esm",
    platform: name in NODE_PACKAGES ? "node" : "neutral",
    external: NODE_PACKAGES[name] ?? [],
  });
// Suites without a sinon of their own get this one by `import` and by `require`: it is CommonJS,
// so that both load the same copy. Node reads the names that can be imported from its last line.
const sinonNames = Object.keys(createRequire(import.meta.url)("sinon"));
await build({
  ...options,
  stdin: { contents: 'module.exports = require("sinon");', resolveDir: root },
  outfile: join(dist, "packages/sinon.cjs"),
  format: "cjs",
  platform: "node",
  footer: { js: `0 && (module.exports = { ${sinonNames.join(", ")} });` },
});
writeLicenses(
  join(dist, "packages"),
  [...PACKAGES, "sinon", ...CONTAINED].map((name) => `node_modules/${name}`),
);

for (const entry of readdirSync(dist, { recursive: true })) {
  const file = entry.replaceAll("\\", "/");
  if (!file.endsWith(".js") || /^(?:bin|packages)\//.test(file)) continue;
  const before = readFileSync(join(dist, file), "utf8");
  const after = before.replaceAll(/^(import .* from )"([^".]+)";$/gm, (whole, start, name) =>
    OWNERS.has(name) ? `${start}"${pathBetween(file, bundledFile(OWNERS.get(name)))}";` : whole,
  );
  if (OTHER_FILE.test(after))
    throw new Error(`${file} imports a file of a package that importers get as one file.`);
  if (after !== before) writeFileSync(join(dist, file), after);
}

function writeExports(name) {
  const parts = Object.entries({ [name]: EXPORTS[name], ...PARTS[name] });
  return parts.map(([from, names]) => `export ${names} from "${from}";\n`).join("");
}

function bundledFile(name) {
  return `packages/${name.replace("@", "").replace("/", "-")}.js`;
}

function pathBetween(from, to) {
  const path = posix.relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
