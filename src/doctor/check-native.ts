import { runEsbuild, scriptOptions } from "../bundle/run-esbuild.ts";
import { openDatabase } from "../storage/database.ts";
import { isProgram } from "../validate/source-module.ts";
import type { Finding } from "./finding.ts";

/** The parts that are compiled for one system: each is used once. */
export async function checkNative(): Promise<Finding[]> {
  const failed = (await Promise.all(Object.entries(PARTS).map(async ([name, use]) => ((await works(use)) ? [] : [name])))).flat();
  if (failed.length === 0) return [{ check: "native", status: "fine", message: "The bundler, the parser and the database work." }];
  return [
    {
      check: "native",
      status: "problem",
      message: `${failed.join(" and ")} ${failed.length === 1 ? "does" : "do"} not work on this system.`,
      hint: "Remove node_modules and install again on this machine, without --omit=optional: the parts for another system came along.",
    },
  ];
}

const PARTS: Readonly<Record<string, () => unknown>> = {
  esbuild: () => {
    const { plugins: _, inject: __, ...options } = scriptOptions(PLAIN);
    return runEsbuild({ ...options, outfile: "bundle.js", stdin: { contents: "export const pack = {};" } });
  },
  "oxc-parser": () => {
    if (!isProgram({ path: "pack.ts", text: "export const pack: object = {};" })) throw new Error("It reads nothing.");
  },
  libsql: async () => {
    await using _database = await openDatabase({ url: ":memory:", migrations: {} });
  },
};

const PLAIN = { minify: false, timerStrategy: "none", lenient: false, format: "cjs" } as const;

async function works(use: () => unknown): Promise<boolean> {
  try {
    await use();
    return true;
  } catch {
    return false;
  }
}
