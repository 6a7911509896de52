import * as esbuild from "esbuild";

/** What the program of esbuild needs of the environment. The rest may be secret. */
const NEEDED = /^(?:path|home|userprofile|tmpdir|temp|tmp|systemroot|go[a-z]+|esbuild_\w+)$/i;

// esbuild starts one program at its first use, and passes on the environment of this process.

/** The same as `build` of esbuild. */
export const build: typeof esbuild.build = (options) =>
  withLittleEnvironment(() => esbuild.build(options));

/** The same as `context` of esbuild. */
export const context: typeof esbuild.context = (options) =>
  withLittleEnvironment(() => esbuild.context(options));

/** @param start starts the program, if it does, before it returns */
function withLittleEnvironment<Result>(start: () => Result): Result {
  const { env } = process;
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
  try {
    return start();
  } finally {
    process.env = env;
  }
}
