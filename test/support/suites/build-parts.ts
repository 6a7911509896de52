import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashFiles } from "../../../.ci/current-build.mjs";

const run = promisify(execFile);

export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));
const CACHE = join(ROOT, "node_modules", ".cache", "packsmith-parts");

/** What `dist` has for a Pack that is bundled or runs, and the page of `packsmith dev`. */
export const PARTS_FOLDER: string = join(CACHE, "dist");

const ENTRIES = ["index.ts", "legacy.ts", "service.ts", "bundle/node-modules.ts"];
const RUNTIME = "bundle/runtime/*.ts";
const SOURCES = [
  "errors.ts",
  "index.ts",
  "legacy.ts",
  "service.ts",
  "bundle",
  "define",
  "sandbox",
  "service/client",
  "service/contract",
  "shared",
].map((path) => `src/${path}`);
const WEB_SOURCES = [
  "src/dev/web",
  "src/dev/wire",
  "src/shared/markdown",
  ".ci",
  "package-lock.json",
];
const POLYFILL_SOURCES = ["src/bundle/node-modules.ts", ".ci", "package-lock.json"];

/** Builds, from the sources, what a Pack needs at run time and the page, if they changed. */
export async function buildParts(): Promise<void> {
  await buildPage();
  const sources = hashFiles(ROOT, [...SOURCES, ".ci", "package-lock.json", "tsconfig.json"]);
  if (readRecord("parts") === sources) return;
  const isPolyfillNew = readRecord("polyfills") !== hashFiles(ROOT, POLYFILL_SOURCES);
  await Promise.all([runScript("bundle-sandbox"), buildModules(isPolyfillNew)]);
  writeRecord("polyfills", hashFiles(ROOT, POLYFILL_SOURCES));
  writeRecord("parts", sources);
}

async function buildPage(): Promise<void> {
  const sources = hashFiles(ROOT, WEB_SOURCES);
  if (readRecord("page") === sources) return;
  await runScript("bundle-web");
  writeRecord("page", sources);
}

async function buildModules(withPolyfills: boolean): Promise<void> {
  for (const name of ["authoring", "packages"])
    rmSync(join(PARTS_FOLDER, name), { recursive: true, force: true });
  await compile();
  await Promise.all([
    runScript("bundle-authoring").then(() => runScript("bundle-packages")),
    withPolyfills && runScript("bundle-polyfills"),
  ]);
}

/** Types are checked elsewhere. */
async function compile(): Promise<void> {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const settings = {
    extends: "../../../tsconfig.json",
    compilerOptions: {
      noCheck: true,
      declaration: false,
      rootDir: join(ROOT, "src"),
      outDir: PARTS_FOLDER,
    },
    files: ENTRIES.map((path) => join(ROOT, "src", path)),
    include: [join(ROOT, "src", RUNTIME)],
  };
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(
    join(CACHE, "package.json"),
    JSON.stringify({ name, version, type: "module", sideEffects: false }),
  );
  await run(process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "-p",
    join(CACHE, "tsconfig.json"),
  ]);
}

async function runScript(name: string): Promise<void> {
  await run(process.execPath, [join(ROOT, ".ci", `${name}.mjs`), PARTS_FOLDER], { cwd: ROOT });
}

function readRecord(name: string): string | undefined {
  try {
    return readFileSync(join(CACHE, `${name}.hash`), "utf8");
  } catch {
    return undefined;
  }
}

function writeRecord(name: string, hash: string): void {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, `${name}.hash`), hash);
}
