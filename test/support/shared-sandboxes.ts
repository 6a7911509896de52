import { encodeFrame } from "../../src/sandbox/frame.ts";
import {
  readTimeZone,
  type SandboxProcess,
  type SandboxProcessOptions,
  startNewProcess,
  useProcessStarter,
} from "../../src/sandbox/host/sandbox-process.ts";
import { RESET } from "../../src/sandbox/protocol.ts";
import { residentBytes } from "../../src/shared/process-tree.ts";

// Old contexts are garbage-collected late, and a Pack must not be ended for the garbage of others.
const MAX_USES = 40;
const MAX_RESIDENT_BYTES = 120 * 1024 * 1024;
const MAX_IDLE = 4;

/** A bundle that does not compile: the process answers at once. */
const QUESTION = JSON.stringify({ code: "?", fileName: "question.js", seed: "" });
const ANSWER = /"k":"syntax".*\}\]$/;

interface SharedProcess {
  process: SandboxProcess;
  timeZone: string;
  uses: number;
}

/** The last one was used last. Each worker has its own. */
const idle: SharedProcess[] = [];

/**
 * From now on, the process of a closed sandbox is used for the next one, in a new context. Starting
 * a process takes longer than most tests.
 */
export function shareSandboxes(): void {
  useProcessStarter(takeProcess);
}

/** From now on, each sandbox of this test file has its own process, as in the product. */
export function startEachSandbox(): void {
  useProcessStarter(startNewProcess);
}

function takeProcess(options: SandboxProcessOptions): SandboxProcess {
  const { memoryLimitMb, inspect, confinement } = options;
  if (memoryLimitMb ?? inspect ?? confinement) return startNewProcess(options);
  const timeZone = readTimeZone();
  const index = idle.findLastIndex((shared) => shared.timeZone === timeZone);
  const [shared] = index === -1 ? [] : idle.splice(index, 1);
  return lendProcess(shared ?? startShared(timeZone));
}

function startShared(timeZone: string): SharedProcess {
  const shared = { process: startNewProcess(), timeZone, uses: 0 };
  shared.process.child.setMaxListeners(0).once("exit", () => {
    const index = idle.indexOf(shared);
    if (index !== -1) idle.splice(index, 1);
  });
  return shared;
}

function lendProcess(shared: SharedProcess): SandboxProcess {
  let isLent = true;
  return {
    ...shared.process,
    async [Symbol.asyncDispose]() {
      if (!isLent) return;
      isLent = false;
      shared.uses += 1;
      if (isReusable(shared)) takeBack(shared);
      else await shared.process[Symbol.asyncDispose]();
    },
  };
}

function isReusable({ process, uses }: SharedProcess): boolean {
  const { pid } = process.child;
  if (pid === undefined || uses >= MAX_USES) return false;
  return (residentBytes(pid) ?? Infinity) <= MAX_RESIDENT_BYTES;
}

/** A process is idle when it has answered: nothing that it wrote before can follow. */
function takeBack(shared: SharedProcess): void {
  const { child } = shared.process;
  for (const pipe of [child.stdout, child.stderr]) pipe.removeAllListeners("data");
  child.removeAllListeners("close");
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (!ANSWER.test(text)) return;
    child.stdout.removeAllListeners("data");
    child.stdin.write(encodeFrame(RESET, false));
    idle.push(shared);
    if (idle.length > MAX_IDLE) void idle.shift()?.process[Symbol.asyncDispose]();
  });
  for (const message of [RESET, QUESTION]) child.stdin.write(encodeFrame(message, false));
}
