import type { ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { readStats } from "../shared/files.ts";
import { killGroup } from "../shared/guarded-process.ts";
import { builtFile } from "../shared/own-package.ts";
import type { WorkerAnswer, WorkerRequest } from "./compiler-worker.ts";
import { type CompilerOptions, type CompilerRun, startCompiler } from "./run-compiler.ts";

/** A compiler that stays for the next check. */
export interface ResidentCompiler extends Disposable {
  /**
   * Checks a configuration, one at a time.
   * @returns undefined for a compiler that cannot stay, such as the native one of TypeScript 7, or
   *   when it ended
   */
  check(check: ResidentCheck): Promise<CompilerRun | undefined>;
}

export interface ResidentCheck extends CompilerOptions {
  /** Path of the compiler's script. */
  compiler: string;
  version: string;
  /** Path of a tsconfig.json. */
  configFile: string;
  timeoutMs: number;
}

interface Worker {
  /** What it was started for. */
  key: string;
  child: ChildProcess;
}

/** Starts nothing before the first check, and one process at a time. */
export function keepCompiler(): ResidentCompiler {
  let worker: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const end = (): void => {
    if (worker !== undefined) killGroup(worker.child);
    worker = undefined;
  };
  const workerFor = ({ compiler, version, cwd, isTrusted }: ResidentCheck): Worker | undefined => {
    const library = resolve(compiler, "../../lib/typescript.js");
    const stats = readStats(library);
    if (isClosed || stats === undefined || !/^[456]\./.test(version)) return undefined;
    const key = JSON.stringify([library, version, stats.mtimeMs, stats.size, cwd, isTrusted]);
    if (worker?.key === key) return worker;
    end();
    const child = startCompiler(
      [process.execPath, builtFile("build/compiler-worker.js"), library],
      { cwd, isTrusted },
      ["ignore", "ignore", "ignore", "ipc"],
    );
    worker = { key, child };
    // A check that waits for the answer sees that it has ended.
    const forget = (): void => {
      if (worker?.child === child) worker = undefined;
    };
    child.once("exit", forget).once("error", forget);
    return worker;
  };
  const check = async (asked: ResidentCheck): Promise<CompilerRun | undefined> => {
    const used = workerFor(asked);
    if (used === undefined) return undefined;
    lastId += 1;
    const run = await ask(used.child, { id: lastId, configFile: asked.configFile }, asked);
    if (run?.isTimeout === true) end();
    return run;
  };
  return {
    check(asked) {
      const run = turn.then(() => check(asked));
      turn = run.catch(() => undefined);
      return run;
    },
    [Symbol.dispose]() {
      isClosed = true;
      end();
    },
  };
}

/** @returns undefined when the process ends without an answer */
function ask(
  child: ChildProcess,
  request: WorkerRequest,
  { timeoutMs }: ResidentCheck,
): Promise<CompilerRun | undefined> {
  return new Promise((resolveRun) => {
    const onAnswer = ({ id, output }: WorkerAnswer): void => {
      if (id === request.id) finish({ code: output === "" ? 0 : 2, output, isTimeout: false });
    };
    const onEnd = (): void => finish(undefined);
    const timer = setTimeout(() => finish({ code: null, output: "", isTimeout: true }), timeoutMs);
    const finish = (run: CompilerRun | undefined): void => {
      clearTimeout(timer);
      child.off("message", onAnswer).off("exit", onEnd).off("error", onEnd);
      resolveRun(run);
    };
    child.on("message", onAnswer).once("exit", onEnd).once("error", onEnd);
    child.send(request, (error) => {
      if (error !== null) onEnd();
    });
  });
}
