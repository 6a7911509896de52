import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { useReader } from "../../src/shared/git.ts";
import { type ReaderOptions, runReader } from "../../src/shared/run-reader.ts";
import { makeOnce } from "./make-once.ts";
import type { ReaderAnswer, ReaderRequest } from "./reader-process.ts";

interface Reader {
  process: ChildProcess;
  waiting: Map<number, (answer: ReaderAnswer) => void>;
}

/** Each worker has its own. */
let reader: Promise<Reader> | undefined;
let requests = 0;

/**
 * From now on, a small process starts git for all test files of this worker. Starting it from the
 * large process of the tests takes several times as long.
 */
export function shareReader(): void {
  useReader(readInProcess);
}

/** From now on, git is started as in the product. */
export function startEachReader(): void {
  useReader(runReader);
}

async function readInProcess(
  command: ReaderRequest["command"],
  options: ReaderOptions,
): Promise<string> {
  reader ??= startReader();
  const { process, waiting } = await reader;
  const id = requests++;
  const answer = await new Promise<ReaderAnswer>((resolve) => {
    waiting.set(id, resolve);
    process.send({ id, command, options } satisfies ReaderRequest);
  });
  if (answer.failure === undefined) return answer.text ?? "";
  throw Object.assign(new Error(answer.failure.message), answer.failure);
}

async function startReader(): Promise<Reader> {
  const { file } = await makeOnce("reader", buildReader);
  const child = fork(file, { execArgv: [], stdio: "ignore" });
  const waiting: Reader["waiting"] = new Map();
  child.on("message", (answer: ReaderAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once("exit", () => {
    reader = undefined;
    for (const [id, resolve] of waiting)
      resolve({ id, failure: { message: "The process that starts git has ended." } });
  });
  child.unref();
  child.channel?.unref();
  return { process: child, waiting };
}

async function buildReader(folder: string): Promise<{ file: string }> {
  const file = join(folder, "reader.mjs");
  const source = fileURLToPath(new URL("reader-process.ts", import.meta.url));
  await build({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return { file };
}
