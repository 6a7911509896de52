import { type SandboxProcess, startSandboxProcess } from "../sandbox/host/sandbox-process.ts";

export interface SpareSandbox extends AsyncDisposable {
  take(): SandboxProcess;
  /** Starts the next one. Call it after the builds, so that it does not slow them down. */
  fill(): void;
}

/** Keeps one sandbox started ahead: starting one takes longer than building a small Pack. */
export function createSpareSandbox(): SpareSandbox {
  let spare: SandboxProcess | undefined = startSandboxProcess();
  let isClosed = false;
  return {
    take() {
      const process = spare ?? startSandboxProcess();
      spare = undefined;
      return process;
    },
    fill() {
      if (!isClosed) spare ??= startSandboxProcess();
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await spare?.[Symbol.asyncDispose]();
    },
  };
}
