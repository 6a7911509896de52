import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownEntryFile, ownEntryOf } from "./bundle/own-modules.ts";

/** The members of a Vite configuration that the plugin reads. */
interface UserConfig {
  root?: string | undefined;
  test?: { globals?: boolean | undefined; include?: string[] | undefined } | undefined;
}

/** The members of a Vite plugin that this one uses. */
export interface PacksmithPlugin {
  name: string;
  enforce: "pre";
  config(config: UserConfig): { test?: object };
  resolveId(specifier: string): string | undefined;
  load(id: string): string | undefined;
}

/**
 * The vitest preset: `plugins: [packsmith()]`. Imports of `packsmith` and of `@codahq/packs-sdk`,
 * its published files included,
 * resolve to this package in tests and Packs, as in a build. Suites for mocha run, too:
 * `import { describe, it } from "mocha"`, and in
 * a project with mocha its globals and the files that end in `_test.ts`.
 */
export function packsmith(): PacksmithPlugin {
  return {
    name: "packsmith",
    enforce: "pre",
    config({ root = process.cwd(), test = {} }) {
      if (!hasMocha(root)) return {};
      return {
        test: {
          globals: test.globals ?? true,
          setupFiles: [MOCHA_GLOBALS],
          ...(test.include === undefined
            ? { include: ["**/*.{test,spec}.?(c|m)[jt]s?(x)", "**/*_test.?(c|m)[jt]s?(x)"] }
            : {}),
        },
      };
    },
    resolveId(specifier) {
      if (specifier === "mocha") return MOCHA;
      if (specifier === MOCHA_GLOBALS || specifier.endsWith(`/${MOCHA_GLOBALS}`))
        return `\0${MOCHA_GLOBALS}`;
      const entry = ownEntryOf(specifier);
      return entry === undefined ? undefined : ownEntryFile(entry);
    },
    load(id) {
      if (id === MOCHA) return MOCHA_CODE;
      return id === `\0${MOCHA_GLOBALS}`
        ? `import * as mocha from "mocha";\nfor (const [name, value] of Object.entries(mocha)) if (name !== "default") globalThis[name] = value;\n`
        : undefined;
    },
  };
}

const MOCHA = "\0packsmith:mocha";
const MOCHA_GLOBALS = "packsmith-mocha-globals";

function hasMocha(root: string): boolean {
  const manifest = join(root, "package.json");
  return existsSync(manifest) && /"mocha"\s*:/.test(readFileSync(manifest, "utf8"));
}

/**
 * mocha's functions with those of vitest. `this.timeout()` and its like have no effect; a function
 * with a parameter gets `done`.
 */
const MOCHA_CODE = `import * as vitest from "vitest";

const self = { timeout() { return self; }, slow() { return self; }, retries() { return self; }, skip() { throw new Error("this.skip() is not supported."); } };
const run = (body) =>
  body === undefined
    ? undefined
    : () => (body.length === 0 ? body.call(self) : new Promise((resolve, reject) => body.call(self, (error) => (error ? reject(error) : resolve()))));
const test = () => {
  const of = (target) => (title, body) => (body === undefined ? vitest.it.todo(title) : target(title, run(body)));
  return Object.assign(of(vitest.it), { skip: of(vitest.it.skip), only: of(vitest.it.only), each: vitest.it.each });
};
const suite = () => {
  const of = (target) => (title, body) => target(title, body && (() => void body.call(self)));
  return Object.assign(of(vitest.describe), { skip: of(vitest.describe.skip), only: of(vitest.describe.only), each: vitest.describe.each });
};
const hook = (target) => (first, second) => target(run(second ?? first));
export const it = test();
export const specify = it;
export const describe = suite();
export const context = describe;
export const before = hook(vitest.beforeAll);
export const after = hook(vitest.afterAll);
export const beforeEach = hook(vitest.beforeEach);
export const afterEach = hook(vitest.afterEach);
export default { it, specify, describe, context, before, after, beforeEach, afterEach };
`;
