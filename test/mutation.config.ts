import { defineConfig } from "vitest/config";
import base, { suites } from "./vitest.config.ts";

const mutation = JSON.parse(process.env["PACKSMITH_MUTATION"] ?? "{}") as {
  file?: string;
  from?: string;
  to?: string;
};

const plugin = {
  name: "mutation",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    id === mutation.file ? code.replace(mutation.from ?? "", () => mutation.to ?? "") : undefined,
};

/**
 * Runs tests with one change in one source, which `.ci/mutate.mjs` chooses. What was built stays the
 * build of the sources, so that the e2e suite would not notice it.
 */
export default defineConfig({
  test: {
    ...base.test,
    projects: suites
      .filter(({ test }) => test?.name !== "e2e")
      .map((suite) => ({ ...suite, plugins: [plugin] })),
  },
});
