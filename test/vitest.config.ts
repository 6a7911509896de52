import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A condition that becomes true after a second on a busy machine is not a failure.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    // The independent authorization server tells every developer that it runs with development settings.
    onConsoleLog: (log) => !log.startsWith("oidc-provider "),
  },
});
