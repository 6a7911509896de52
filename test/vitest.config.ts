import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const UNIT = ["test/**/*.test.ts"];
const INTEGRATION = ["test/**/*.integration.test.ts"];
// These folders test the product from outside, as users and other programs meet it.
const E2E = [
  "test/**/*.e2e.test.ts",
  "test/{browser,compatibility,conformance,docs,e2e,oracle}/**/*.test.ts",
];

/**
 * The slowest files of the e2e suite are one of their own: they take as long as all others together,
 * and try in many cases what others try in one.
 */
const LONG = [
  "test/**/*.long.test.ts",
  "test/browser/{every-template,large-pack}.test.ts",
  "test/build/resident-compiler.e2e.test.ts",
  "test/cli/mcp/{assistant,inspector}.e2e.test.ts",
  "test/conformance/every-scenario.test.ts",
  "test/dev/web/timeline/compare/parse-curl.e2e.test.ts",
  "test/docs/{example-pages,site,testing-page}.test.ts",
  "test/e2e/{build-failures,canaries,connect-failures,hostile-folders}.test.ts",
  "test/e2e/{from-registry,installed-packs,packed}.test.ts",
  "test/e2e/{publish-commands,servers,turbo}.test.ts",
  "test/execute/fetch/large-bodies.e2e.test.ts",
  "test/init/openapi/scaffold-property.e2e.test.ts",
  "test/oracle/{random-packs,random-runs,recorded-verdicts}.test.ts",
  "test/regressions/refresh-during-database-outage.e2e.test.ts",
  "test/sandbox/host/limits.e2e.test.ts",
  "test/service/contract/fuzz.e2e.test.ts",
  "test/service/local/faults/{database-restart,killed-edits}.e2e.test.ts",
  "test/testing/legacy/{existing-suite,jest,mocha,packed-alias,packed-starter}.e2e.test.ts",
  "test/testing/save-test.e2e.test.ts",
];

/** Files of the suites integration and e2e that try fewer cases there than in the suite `long`. */
const BROAD = [
  "test/build/type-cache.e2e.test.ts",
  "test/bundle/esbuild-batch.integration.test.ts",
  "test/catalogue/try-provider.integration.test.ts",
  "test/cli/verbs/{auth-test,many-packs,status}.integration.test.ts",
  "test/cli/verbs/completion.e2e.test.ts",
  "test/cli/wrong-usage.integration.test.ts",
  "test/connect/{diagnose-connection,headless-browser}.integration.test.ts",
  "test/docs/pipelines.test.ts",
  "test/connect/{hostile-servers,mix-up-variants,rehearsal}.integration.test.ts",
  "test/execute/mcp/hostile-servers.integration.test.ts",
  "test/oauth/{hostile-answers,hostile-bytes}.integration.test.ts",
  "test/init/openapi/public-shapes.e2e.test.ts",
  "test/oracle/{compiled-form,own-packs}.test.ts",
  "test/publish/{release-pack,public-description/from-outside}.integration.test.ts",
  "test/publish/registry/{publish-release,roll-back,upload-pack}.integration.test.ts",
  "test/sandbox/{escapes,host/broken-process,host/isolate}.integration.test.ts",
  "test/sandbox/host/sandbox-process.e2e.test.ts",
  "test/service/local/{bad-input,large-tables,row-pages,row-queries}.integration.test.ts",
  "test/service/local/{rows-model,service-model}.integration.test.ts",
  "test/service/local/registry/registry-operations.integration.test.ts",
  "test/shared/{git,git-repository,hostile-folders}.integration.test.ts",
  "test/validate/mutations.integration.test.ts",
  "test/vitest.e2e.test.ts",
];

const root = new URL("..", import.meta.url).pathname;

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
    exclude: E2E,
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
    include: [...LONG, ...BROAD],
    // test/support/breadth.ts reads it.
    env: { PACKSMITH_LONG_SUITE: "true" },
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
