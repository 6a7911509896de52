import { defineConfig } from "vitest/config";
import base, { ALL_CASES, suites } from "./vitest.config.ts";

interface Mutant {
  /** An absolute path. */
  path: string;
  start: number;
  end: number;
  text: string;
}

/** `.ci/mutation/worker.mjs`, in whose process this file runs, sets it for one run after another. */
const shared = globalThis as { mutant?: Mutant | undefined };

const plugin = {
  name: "mutant",
  enforce: "pre" as const,
  transform(code: string, id: string): string | undefined {
    const { mutant } = shared;
    if (mutant === undefined || id !== mutant.path) return undefined;
    return code.slice(0, mutant.start) + mutant.text + code.slice(mutant.end);
  },
};

/**
 * Runs tests with one change in one source. What was built stays the build of the sources, so that
 * the e2e suite would not notice it.
 */
export default defineConfig({
  test: {
    ...base.test,
    projects: suites
      .filter(({ test }) => test?.name !== "e2e" && test?.name !== "long")
      // Each mutant is imported anew, and meets all cases of a test.
      .map((suite) => ({
        ...suite,
        test: { ...suite.test, isolate: true, env: ALL_CASES },
        plugins: [plugin],
      })),
  },
});
