import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { builtFile } from "../../shared/own-package.ts";

/** A worker with an empty sandbox, before a bundle is loaded. Start it while the bundler runs, to hide its start-up time. */
export interface SandboxWorker extends AsyncDisposable {
  readonly worker: Worker;
  /** This end of the channel to the sandbox. */
  readonly port: MessagePort;
  readonly memoryLimitMb: number;
}

/** The memory limit of the document service. */
const MEMORY_LIMIT_MB = 128;
const V8_LIMIT_MB = 2048;

/**
 * Starts a worker with a memory limit, without environment variables and without the standard streams of this process.
 * @param options.memoryLimitMb memory limit of the Pack in MiB. @default 128
 */
export function startSandboxWorker(options: { memoryLimitMb?: number | undefined } = {}): SandboxWorker {
  const memoryLimitMb = options.memoryLimitMb ?? MEMORY_LIMIT_MB;
  // Always the built file: Node cannot run TypeScript in a worker.
  const file = builtFile("bin/sandbox-worker.cjs");
  // A separate channel: messages of the worker itself cannot be received synchronously.
  const { port1: port, port2: portOfWorker } = new MessageChannel();
  const worker = new Worker(file, {
    // Far above the Pack's limit, which `watchMemory` enforces: an allocation beyond V8's limit (text of 500 MB, an array of
    // 1 GB) aborts the process, not only the worker.
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
  // An early failure must not end the process; `createIsolate` notices it by the exit of the worker.
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
