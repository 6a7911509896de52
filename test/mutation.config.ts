import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const mutation = JSON.parse(process.env["PACKSMITH_MUTATION"] ?? "{}") as {
  file?: string;
  from?: string;
  to?: string;
};

/**
 * Runs tests with one change in one source, which `.ci/mutate.mjs` chooses. `dist` stays the build
 * of the sources.
 */
export default defineConfig({
  ...base,
  test: { ...base.test, globalSetup: [], testTimeout: 60_000 },
  plugins: [
    {
      name: "mutation",
      enforce: "pre",
      transform: (code: string, id: string) =>
        id === mutation.file
          ? code.replace(mutation.from ?? "", () => mutation.to ?? "")
          : undefined,
    },
  ],
});
