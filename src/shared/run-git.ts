import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 50_000_000;

/** What git prints. It is only asked: it writes nothing into the repository, and waits for nobody. Rejects when git fails. */
export async function runGit(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const { stdout } = await run("git", args, { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, env });
  return stdout;
}
