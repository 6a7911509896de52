import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    // These limits only end a test that hangs. On a busy machine everything takes longer.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that becomes true after a second on a busy machine is not a failure.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // The independent authorization server tells every developer that it runs with development
    // settings.
    onConsoleLog: (log) => !log.startsWith("oidc-provider "),
  },
});
