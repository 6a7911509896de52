import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  findOwnEntry,
  ownEntryFile,
  ownFolder,
  replaceMissingModule,
} from "./bundle/own-modules.ts";
import { isInPackage } from "./shared/installed-packages.ts";
import { builtSinonFile } from "./shared/own-package.ts";
import { listMochaFiles } from "./testing/mocha-files.ts";

/** The members of a Vite configuration that the plugin reads. */
interface UserConfig {
  root?: string | undefined;
  test?:
    | {
        globals?: boolean | undefined;
        include?: string[] | undefined;
        passWithNoTests?: boolean | undefined;
      }
    | undefined;
}

/** The members of a Vite plugin that this one uses. */
export interface PacksmithPlugin {
  name: string;
  enforce: "pre";
  config(config: UserConfig): { test?: object };
  resolveId(specifier: string, importer?: string): string | undefined;
  load(id: string): string | undefined;
  transform(code: string, id: string): { code: string; map: null } | undefined;
}

/**
 * The vitest preset: `plugins: [packsmith()]`. Imports of `packsmith` and of `@codahq/packs-sdk`,
 * its published files included,
 * resolve to this package in tests and Packs, as in a build. Suites for mocha and jest run, too:
 * `import { describe, it } from "mocha"`, and in
 * a project with mocha its globals and the files that end in `_test.ts`; in a project with jest,
 * the global `jest`. If those suites are compiled to CommonJS, so is what they expect of it:
 * `import * as name` of a function can be called, and `require` finds TypeScript files.
 */
export function packsmith(): PacksmithPlugin {
  let project: Project = { mocha: false, jest: false, commonJs: false, include: [] };
  return {
    name: "packsmith",
    enforce: "pre",
    config({ root = process.cwd(), test = {} }) {
      project = readProject(root);
      if (!project.mocha && !project.jest) return {};
      return {
        test: {
          globals: test.globals ?? true,
          // A file whose tests are all left out is not a failure, as in mocha.
          ...(project.mocha ? { passWithNoTests: test.passWithNoTests ?? true } : {}),
          setupFiles: [SUITE_SETUP],
          ...(test.include === undefined ? { include: project.include } : {}),
        },
      };
    },
    resolveId(specifier, importer) {
      if (specifier === "mocha") return MOCHA;
      if (specifier === "@jest/globals" && project.jest) return JEST;
      if (specifier === "sinon") return hasSinon(importer) ? undefined : SINON;
      if (specifier === SUITE_SETUP || specifier.endsWith(`/${SUITE_SETUP}`))
        return `\0${SUITE_SETUP}`;
      const entry = findOwnEntry(specifier);
      return entry === undefined ? undefined : ownEntryFile(entry);
    },
    load(id) {
      if (id === MOCHA) return MOCHA_CODE;
      if (id === JEST) return JEST_CODE;
      if (id === SINON) return sinonCode();
      return id === `\0${SUITE_SETUP}` ? setupCode(project) : undefined;
    },
    transform(code, id) {
      if (!/\.[cm]?[jt]sx?$/.test(id) || isInPackage(id)) return undefined;
      const mocked = project.jest ? code.replace(JEST_MOCK, "$1vi.$2(") : code;
      const changed = project.commonJs ? asCommonJs(mocked) : mocked;
      // The lines stay the same.
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}

/** @returns whether the project of the importing file has a sinon of its own */
function hasSinon(importer = ""): boolean {
  const from = isAbsolute(importer) ? importer : join(process.cwd(), "package.json");
  try {
    return createRequire(from).resolve("sinon") !== builtSinonFile();
  } catch (error) {
    return replaceMissingModule("sinon", error) === undefined;
  }
}

interface Project {
  mocha: boolean;
  jest: boolean;
  /** Its suites were compiled to CommonJS. */
  commonJs: boolean;
  /** The files of its suites. */
  include: string[];
}

function readProject(root: string): Project {
  const text = readIfThere(join(root, "package.json"));
  const [mocha, jest] = [/"mocha"\s*:/.test(text), /"jest"\s*:/.test(text)];
  const include = [
    "**/*.{test,spec}.?(c|m)[jt]s?(x)",
    ...(mocha ? ["**/*_test.?(c|m)[jt]s?(x)", ...listMochaFiles(root)] : []),
    ...(jest ? ["**/__tests__/**/*.[jt]s?(x)"] : []),
  ];
  const commonJs = (mocha || jest) && !/"type"\s*:\s*"module"/.test(text);
  return { mocha, jest, commonJs, include };
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** vitest moves calls of `vi.mock` before the imports, as jest does with `jest.mock`. */
const JEST_MOCK = /^(\s*)jest\.(mock|unmock)\(/gm;

/**
 * As CommonJS, `import * as name` is what `require` returns: a function that can be called, or an
 * object that can be changed. Other uses of the name are left alone: they may be types.
 */
function asCommonJs(code: string): string {
  return code.replace(
    /^import\s*\*\s*as\s+(\w+)\s+from\s*(["'])([^"'./][^"']*)\2;?/gm,
    (statement, name: string, quote: string, specifier: string) => {
      const isCalledOrPassed = new RegExp(`\\b${name}\\(|[(,]\\s*${name}\\s*[,)]`).test(code);
      if (!isCalledOrPassed || findOwnEntry(specifier) !== undefined) return statement;
      const namespace = `${name}$namespace`;
      const value = isBuiltin(specifier)
        ? `${namespace}.default`
        : `globalThis[Symbol.for("${REQUIRED}")](${namespace})`;
      return `import * as ${namespace} from ${quote}${specifier}${quote}; const ${name} = ${value};`;
    },
  );
}

const REQUIRED = "packsmith:required";
const JEST = "\0packsmith:jest";
const JEST_CODE = `export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
export const jest = globalThis.jest;
`;
const SINON = "\0packsmith:sinon";
const MOCHA = "\0packsmith:mocha";
const SUITE_SETUP = "packsmith-suite-setup";

/** Node loads the file, so that it is the copy whose stubs a mock context has. */
function sinonCode(): string {
  const file = builtSinonFile();
  const names = Object.keys(createRequire(file)(file));
  return `import { createRequire } from "node:module";
const sinon = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)});
export default sinon;
export const { ${names.join(", ")} } = sinon;
`;
}

/** What a suite expects of its runner before it starts. */
function setupCode({ mocha, jest, commonJs }: Project): string {
  return [
    mocha ? MOCHA_GLOBALS_CODE : "",
    jest ? JEST_GLOBALS_CODE : "",
    commonJs ? commonJsCode() : "",
  ].join("");
}

const MOCHA_GLOBALS_CODE = `import * as mocha from "mocha";
for (const [name, value] of Object.entries(mocha)) if (name !== "default") globalThis[name] = value;
`;
const JEST_GLOBALS_CODE = `import { vi } from "vitest";
globalThis.jest = Object.assign(Object.create(vi), {
  setTimeout(testTimeout) { vi.setConfig({ testTimeout }); return globalThis.jest; },
});
`;

function commonJsCode(): string {
  const ownModules = pathToFileURL(join(ownFolder(), "bundle/require-own-modules.js")).href;
  return `import { requireOwnModules } from ${JSON.stringify(ownModules)};
import { readFileSync } from "node:fs";
import module from "node:module";
import { transformSync } from ${JSON.stringify(import.meta.resolve("esbuild"))};

requireOwnModules();
for (const loader of ["ts", "tsx"])
  module._extensions["." + loader] ??= (loaded, file) => {
    const options = { loader, format: "cjs", target: "node20", sourcefile: file, sourcemap: "inline" };
    loaded._compile(transformSync(readFileSync(file, "utf8"), options).code, file);
  };
globalThis[Symbol.for("${REQUIRED}")] = (namespace) =>
  typeof namespace.default !== "function"
    ? namespace
    : new Proxy(namespace.default, { get: (target, name) => (name in namespace ? namespace[name] : target[name]) });
`;
}

/**
 * mocha's functions with those of vitest. `this.timeout()` and its like have no effect, except
 * `this.skip()`; a function with a parameter gets `done`.
 */
const MOCHA_CODE = `import * as vitest from "vitest";

const SKIP = Symbol("skip");
const skipSuite = () => { throw SKIP; };
const makeSelf = (skip) => {
  const self = { timeout: () => self, slow: () => self, retries: () => self, skip };
  return self;
};
const call = (body, self) =>
  body.length === 0 ? body.call(self) : new Promise((resolve, reject) => body.call(self, (error) => (error ? reject(error) : resolve())));
// The suite whose body runs; a hook of it may skip all its tests.
let scope = { parent: undefined, isSkipped: false };
const isSkipped = (suite) => suite !== undefined && (suite.isSkipped || isSkipped(suite.parent));
const test = () => {
  const of = (target) => (title, body) => {
    if (body === undefined) return vitest.it.todo(title);
    const suite = scope;
    return target(title, (context) => {
      if (isSkipped(suite)) context.skip();
      return call(body, makeSelf(() => context.skip()));
    });
  };
  return Object.assign(of(vitest.it), { skip: of(vitest.it.skip), only: of(vitest.it.only), each: vitest.it.each });
};
const suite = () => {
  const of = (target) => (title, body) => {
    const parent = scope;
    return target(title, body && (() => {
      const before = scope;
      scope = { parent, isSkipped: false };
      try { body.call(makeSelf(() => { scope.isSkipped = true; })); } finally { scope = before; }
    }));
  };
  return Object.assign(of(vitest.describe), { skip: of(vitest.describe.skip), only: of(vitest.describe.only), each: vitest.describe.each });
};
const hookOfSuite = (target) => (first, second) => {
  const suite = scope;
  target(async () => {
    try { await call(second ?? first, makeSelf(skipSuite)); } catch (error) {
      if (error !== SKIP) throw error;
      suite.isSkipped = true;
    }
  });
};
const hookOfTest = (target) => (first, second) =>
  target((context) => call(second ?? first, makeSelf(() => context.skip())));
export const it = test();
export const specify = it;
export const describe = suite();
export const context = describe;
export const before = hookOfSuite(vitest.beforeAll);
export const after = hookOfSuite(vitest.afterAll);
export const beforeEach = hookOfTest(vitest.beforeEach);
export const afterEach = hookOfTest(vitest.afterEach);
export default { it, specify, describe, context, before, after, beforeEach, afterEach };
`;
