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
  "ajv",
  "ajv-formats",
  "eventsource-parser",
  "pkce-challenge",
];
const PACKAGES = Object.keys(EXPORTS);
/** The package whose file has what is imported by this name. */
const OWNERS = new Map(
  PACKAGES.flatMap((name) => [name, ...Object.keys(PARTS[name] ?? {})].map((each) => [each, name])),
);
const OTHER_FILE = new RegExp(`^import .* from "(?:${PACKAGES.join("|")})/`, "m");

for (const name of PACKAGES)
  await build({
    absWorkingDir: root,
    stdin: { contents: writeExports(name), resolveDir: root },
    outfile: join(dist, bundledFile(name)),
    bundle: true,
    format: "esm",
    platform: name in NODE_PACKAGES ? "node" : "neutral",
    external: NODE_PACKAGES[name] ?? [],
    target: "node20.19",
    mainFields: ["module", "main"],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  });
writeLicenses(
  join(dist, "packages"),
  [...PACKAGES, ...CONTAINED].map((name) => `node_modules/${name}`),
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
