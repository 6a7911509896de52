import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { builtFile } from "../../shared/own-package.ts";

/** A worker with an empty sandbox, before a bundle is in it. Starting one while the bundler runs hides its start-up time. */
export interface SandboxWorker extends AsyncDisposable {
  readonly worker: Worker;
  /** This side of the line to the sandbox. */
  readonly port: MessagePort;
  readonly memoryLimitMb: number;
}

/** Memory of a Pack's isolate on the platform. */
const MEMORY_LIMIT_MB = 128;
const V8_LIMIT_MB = 2048;

let offered: SandboxWorker | undefined;

/** Gives a worker to whoever starts one next. A process that will need one can start it before it has loaded what for. */
export function offerSandboxWorker(worker: SandboxWorker): void {
  offered = worker;
}

/**
 * Starts a worker that has no environment, no standard streams of this process and a memory limit.
 * @param options.memoryLimitMb memory of the Pack in MiB. @default 128
 */
export function startSandboxWorker(options: { memoryLimitMb?: number | undefined } = {}): SandboxWorker {
  const memoryLimitMb = options.memoryLimitMb ?? MEMORY_LIMIT_MB;
  if (offered?.memoryLimitMb === memoryLimitMb) {
    const worker = offered;
    offered = undefined;
    return worker;
  }
  // Always the built file: Node runs no TypeScript in a worker, whatever ran this module.
  const file = builtFile("bin/sandbox-worker.cjs");
  // Not the worker's own line, which gives a message to the event loop only.
  const { port1: port, port2: portOfWorker } = new MessageChannel();
  const worker = new Worker(file, {
    // Far above the Pack's limit, which `watchMemory` keeps: reaching V8's own in one allocation (a text of 500 MB, an
    // array of 1 GB) aborts the whole process, not the worker.
    resourceLimits: { maxOldGenerationSizeMb: V8_LIMIT_MB, maxYoungGenerationSizeMb: 16 },
    workerData: { memoryLimitBytes: memoryLimitMb * 1024 * 1024, port: portOfWorker },
    transferList: [portOfWorker],
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    name: "packsmith-sandbox",
  });
  // A failure before anybody waits must not end the process; `createIsolate` learns of it from the exit.
  worker.on("error", () => undefined);
  worker.unref();
  return {
    worker,
    port,
    memoryLimitMb,
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
