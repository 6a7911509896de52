import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Plugin } from "esbuild";
import { isInPackage } from "../shared/installed-packages.ts";
import { LOADERS } from "./special-files.ts";

const NODE_ENV = /(?<![\w$."'`])process\.env\.NODE_ENV(?![\w$"'`])/g;
/** As long, so that the columns of the source map stay right. */
const UNKNOWN = "(void 0)".padEnd("process.env.NODE_ENV".length);

/**
 * In a Pack for `@codahq/packs-sdk`, its author's `process.env.NODE_ENV` is undefined, as on the
 * platform: a definition may depend on it. Packages get "production" in every Pack, which leaves
 * out what they only need while they are developed.
 */
export const nodeEnvironmentPlugin: Plugin = {
  name: "node-environment",
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
      const loader = LOADERS[extname(path)];
      if (loader === undefined || isInPackage(path)) return undefined;
      const text = await readFile(path, "utf8").catch(() => "");
      const contents = text.replace(NODE_ENV, UNKNOWN);
      return contents === text ? undefined : { contents, loader };
    });
  },
};
