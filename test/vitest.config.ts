import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const UNIT = ["test/**/*.test.ts"];
const INTEGRATION = ["test/**/*.integration.test.ts"];
// These folders test the product from outside, as users and other programs meet it.
const E2E = [
  "test/**/*.e2e.test.ts",
  "test/{browser,compatibility,conformance,docs,e2e,oracle}/**/*.test.ts",
];

/**
 * The slowest files are a suite of their own: they take longer than all others together, and try in
 * many cases what others try in one.
 */
const LONG = [
  "test/**/*.long.test.ts",
  "test/bench/provider-settings.integration.test.ts",
  "test/browser/{connect-in-run,every-template,large-pack,live-reload,mcp,rows,timeline}.test.ts",
  "test/build/resident-compiler.e2e.test.ts",
  "test/cli/mcp/{assistant,effects,inspector}.e2e.test.ts",
  "test/conformance/every-scenario.test.ts",
  "test/define/hovers.e2e.test.ts",
  "test/dev/web/timeline/compare/parse-curl.e2e.test.ts",
  "test/docs/{example-pages,site,testing-page}.test.ts",
  "test/e2e/{build-failures,canaries,connect-failures,from-registry,hostile-folders}.test.ts",
  "test/e2e/{installed-packs,packed,publish-commands,second-user,servers,turbo}.test.ts",
  "test/execute/fetch/large-bodies.e2e.test.ts",
  "test/init/openapi/scaffold-property.e2e.test.ts",
  "test/oracle/{hovers,publishing,random-packs,random-runs,recorded-verdicts}.test.ts",
  "test/package-files.e2e.test.ts",
  "test/public-api.integration.test.ts",
  "test/regressions/{command-line-under-stress,connect-endings}.e2e.test.ts",
  "test/regressions/{edit-gone-from-the-page,late-answers-in-the-page}.e2e.test.ts",
  "test/sandbox/host/limits.e2e.test.ts",
  "test/service/contract/fuzz.e2e.test.ts",
  "test/service/local/faults/{database-restart,killed-edits}.e2e.test.ts",
  "test/shared/launch-file.e2e.test.ts",
  "test/testing/legacy/{existing-suite,jest,mocha,packed-alias,packed-starter}.e2e.test.ts",
  "test/testing/save-test.e2e.test.ts",
];

const root = fileURLToPath(new URL("..", import.meta.url));

/** A file with one of these words tries fewer cases than in the suite `long`, where it runs as well. */
const NARROWING = /\b(?:isLong|chooseCases|onEachDatabase|checkTypeCache)\b/;
const NARROWED = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name.replaceAll(sep, "/")}`)
  .filter((path) => NARROWING.test(readFileSync(join(root, path), "utf8")));

/** For test/support/breadth.ts. */
export const ALL_CASES = { PACKSMITH_LONG_SUITE: "true" };

/**
 * Exported for test/mutation.config.ts. Without isolation all files of a worker share the imported
 * sources: importing them is a large part of the time.
 */
export const suites: TestProjectInlineConfiguration[] = [
  suite("unit", 1, {
    include: UNIT,
    exclude: [...INTEGRATION, ...E2E, ...LONG],
    isolate: false,
    setupFiles: ["test/support/property-seed.ts", "test/support/suites/unit.ts"],
  }),
  suite("integration", 2, {
    include: INTEGRATION,
    exclude: [...E2E, ...LONG],
    isolate: false,
    globalSetup: ["test/support/suites/prepare-integration.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/suites/integration.ts"],
  }),
  suite("e2e", 3, {
    include: E2E,
    exclude: LONG,
    isolate: false,
    globalSetup: ["test/support/suites/prepare-e2e.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/suites/e2e.ts"],
  }),
  suite("long", 4, {
    include: [...LONG, ...NARROWED],
    env: ALL_CASES,
    globalSetup: ["test/support/suites/prepare-e2e.ts"],
    setupFiles: ["test/support/property-seed.ts"],
  }),
];

export default defineConfig({
  test: {
    root,
    globalSetup: ["test/support/suites/prepare-run.ts"],
    maxWorkers: 2,
    projects: suites,
    // The independent authorization server tells every developer that it runs with development
    // settings.
    onConsoleLog: (log) => !log.startsWith("oidc-provider "),
  },
});

/** @param order place of the suite in a run of several */
function suite(
  name: string,
  order: number,
  options: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      root,
      sequence: { groupOrder: order },
      // These limits only end a test that hangs. On a busy machine everything takes longer.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // A condition that becomes true after a second on a busy machine is not a failure.
      expect: { poll: { timeout: 60_000 } },
      ...options,
    },
  };
}
