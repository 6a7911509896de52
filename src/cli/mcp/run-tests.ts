import { spawn } from "node:child_process";
import * as z from "zod";
import { PackError } from "../../errors.ts";
import { findPackageManager } from "../../init/package-manager.ts";
import { findProgram } from "../../shared/find-program.ts";
import { limitedSignal } from "../../shared/time.ts";
import { requireInside } from "./inside-project.ts";
import { defineTool, type ToolCall } from "./tool.ts";

const TIMEOUT_MS = 10 * 60_000;
/** The end says what failed. */
const MAX_OUTPUT = 20_000;

/**
 * Runs the script `test` of the project. It is a program of the folder, outside of the sandbox, so
 * the server offers it only with `--allow-tests`.
 */
export const RUN_TESTS_TOOL = defineTool({
  name: "run_tests",
  title: "Run the project's tests",
  description:
    "Run the test script in the project's package.json, and return the end of the output",
  input: z.strictObject({
    files: z
      .array(z.string())
      .optional()
      .describe(
        "Test files to run, in the format that the project's test runner accepts. Default: all test files",
      ),
  }),
  output: async () =>
    z.strictObject({
      ok: z.literal(true),
      passed: z.boolean(),
      exitCode: z.int(),
      output: z.string().describe(`The last ${MAX_OUTPUT} characters of stdout and stderr.`),
    }),
  // What tests do is up to the project.
  effects: { isReadOnly: false, isDestructive: true, usesNetwork: true },
  async call({ files = [] }, call) {
    for (const file of files) requireInside(file, call.cwd);
    const { exitCode, output } = await runScript(files, call);
    return { ok: true, passed: exitCode === 0, exitCode, output };
  },
});

async function runScript(
  files: readonly string[],
  { cwd, env, signal }: ToolCall,
): Promise<{ exitCode: number; output: string }> {
  const manager = findPackageManager(env);
  const program = findProgram(manager, env, { outside: cwd });
  if (program === undefined) throw notStarted(`${manager} is not installed`);
  const stop = limitedSignal(TIMEOUT_MS, signal);
  const words = files.length === 0 ? [] : ["--", ...files];
  const child = spawn(program, ["test", ...words], {
    cwd,
    env: { ...env, CI: "1", NO_COLOR: "1" },
    // npm is a batch file there.
    shell: process.platform === "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
    signal: stop,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  }).catch((cause: unknown) => {
    throw notStarted(stop.aborted ? "the tests were stopped" : "the program did not start", cause);
  });
  return { exitCode, output };
}

function notStarted(reason: string, cause?: unknown): PackError<"USAGE_INVALID"> {
  return new PackError("USAGE_INVALID", `The tests could not be completed: ${reason}.`, {
    details: undefined,
    hint: "Run npm test in a terminal.",
    cause,
  });
}
