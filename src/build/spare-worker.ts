import { type SandboxWorker, startSandboxWorker } from "../sandbox/host/sandbox-worker.ts";

export interface SpareWorker extends AsyncDisposable {
  take(): SandboxWorker;
  /** Starts the next one. Call it after the builds, so that it does not slow them down. */
  fill(): void;
}

/** Keeps one sandbox started ahead: starting one takes longer than building a small Pack. */
export function createSpareWorker(): SpareWorker {
  let spare: SandboxWorker | undefined = startSandboxWorker();
  let isClosed = false;
  return {
    take() {
      const worker = spare ?? startSandboxWorker();
      spare = undefined;
      return worker;
    },
    fill() {
      if (!isClosed) spare ??= startSandboxWorker();
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await spare?.[Symbol.asyncDispose]();
    },
  };
}
