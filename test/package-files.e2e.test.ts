import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript-5.9";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  exports: Record<string, { types: string; default: string } | string>;
};

const [{ files }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as [{ files: { path: string; size: number }[] }];
const packed = files.map(({ path }) => path);
const entries = Object.values(manifest.exports).filter((entry) => typeof entry === "object");

/** Bundles, and files that are read by name. */
const isBundled = (path: string) => /^dist\/(?:authoring|bin|packages|polyfills|web)\//.test(path);
const plain = (pattern: RegExp) =>
  packed
    .filter((path) => path.startsWith("dist/") && !isBundled(path) && pattern.test(path))
    .sort();

/**
 * What no module imports by name: threads, processes, and what is loaded when it is first asked
 * for.
 */
const FOUND_BY_PATH = [
  "dist/bin/sandbox-process.cjs",
  "dist/build/compiler-worker.js",
  "dist/bundle/import-own-modules.js",
];

async function importGraph(bundled: readonly string[] = []) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...entries.map((entry) => entry.default),
      ...FOUND_BY_PATH,
      ...bundled,
      ...["dist/legacy.js", "dist/legacy-testing.js", "dist/bundle/runtime/*.js"],
    ],
    bundle: true,
    write: false,
    metafile: true,
    outdir: "never",
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  return metafile.inputs;
}

/** In bytes. */
const MAX_INSTALLED = 60_000_000;

it("an installation with all dependencies has at most 60 MB", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path]) => join(root, path))
    .filter((path) => existsSync(path));
  expect(installed.length).toBeGreaterThan(50);
  // A file that is linked under two names takes its space once.
  const sizes = new Map(
    installed
      .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)))
      .map(({ dev, ino, size }) => [`${dev}:${ino}`, size]),
  );
  const bytes = [...sizes.values(), ...files.map(({ size }) => size)];
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MAX_INSTALLED);
});

it("the package carries the modules that its entries reach, and no others", async () => {
  const reached = Object.keys(await importGraph()).filter((path) => !isBundled(path));
  expect(plain(/\.js$/)).toEqual(reached.sort());
});

it("the package carries the types that those of its entries reach, and no others", () => {
  const foundByName = [
    "legacy",
    "legacy-testing",
    "legacy-types",
    "legacy-types/testing",
    "pack-globals",
  ];
  const names = [
    ...entries.map((entry) => entry.types),
    ...foundByName.map((name) => `dist/${name}.d.ts`),
  ];
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const program = ts.createProgram(
    names.map((name) => join(root, name)),
    options,
  );
  const sources = program
    .getSourceFiles()
    .map(({ fileName }) => relative(root, fileName).replaceAll("\\", "/"));
  expect(plain(/\.d\.ts$/)).toEqual(sources.filter((path) => path.startsWith("dist/")).sort());
});

/** Pages that people open from the npm page of the package, or in its folder. */
const PAGES = packed.filter(
  (path) => path === "README.md" || path === "llms.txt" || /^(?:docs|examples)\/.*\.md$/.test(path),
);

it.each(PAGES)("%s links only to what the package carries", (page) => {
  const text = readFileSync(join(root, page), "utf8").replace(/^ *```[\s\S]*?^ *```/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
  const targets = links.map((link) => posix.join(posix.dirname(page), link));
  // Pictures, and the tests behind the decisions of the local service, are in the repository only.
  const missing = targets.filter(
    (target) => !packed.some((path) => path === target || path.startsWith(`${target}/`)),
  );
  expect(
    missing.filter(
      (target) => !/^(?:test|docs\/images)\//.test(target) || !existsSync(join(root, target)),
    ),
  ).toEqual([]);
});

it("llms.txt and the AGENTS.md of the templates name every page of the documentation for users", () => {
  const forContributors = ["docs/decisions.md", "docs/rules.md"];
  const pages = packed.filter(
    (path) => /^docs\/[^/]+\.md$/.test(path) && !forContributors.includes(path),
  );
  expect(pages.length).toBeGreaterThan(12);
  const indexes = ["llms.txt", "templates/_shared/AGENTS.md", "templates/monorepo/AGENTS.md"];
  for (const index of indexes) {
    const text = readFileSync(join(root, index), "utf8");
    expect(pages.filter((path) => !text.includes(path))).toEqual([]);
  }
});

it("each bundled file is named by another file of the package", () => {
  const texts = new Map(
    packed
      .filter((path) => /\.(?:c?js|json|html)$/.test(path))
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
  // The bundler adds the extension to the names of the parts that it links.
  const findName = (path: string) =>
    path.startsWith("dist/authoring/define/compile/") ? basename(path, ".js") : basename(path);
  const isNamed = (path: string) =>
    [...texts].some(([other, text]) => other !== path && text.includes(findName(path)));
  expect(
    packed.filter(
      (path) =>
        /^dist\/(?:authoring|bin|packages|web)\//.test(path) &&
        !path.endsWith("/LICENSES.txt") &&
        !isNamed(path),
    ),
  ).toEqual([]);
});

it("every package that a file imports is a dependency, and every dependency is named by a file", async () => {
  const inputs = await importGraph(packed.filter((path) => /^dist\/bin\/.*js$/.test(path)));
  const external = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter((each) => each.external).map(({ path }) => path),
  );
  const packages = external
    // The scripts of the commands name modules of each other.
    .filter((name) => !isBuiltin(name) && !/^(?:[.<]|commands:)/.test(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  const dependencies = Object.keys(manifest.dependencies);
  expect([...new Set(packages)].filter((name) => !dependencies.includes(name))).toEqual([]);
  // Some are loaded late, by a `require` that no tool sees.
  const texts = Object.keys(inputs).map((path) => readFileSync(join(root, path), "utf8"));
  expect(dependencies.filter((name) => !texts.some((text) => text.includes(`"${name}"`)))).toEqual(
    [],
  );
});
