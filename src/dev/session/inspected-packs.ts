import { bundlePack } from "../../bundle/bundle-pack.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { openBundle } from "../../execute/open-pack.ts";
import {
  type InspectOptions,
  type SandboxProcess,
  startSandboxProcess,
} from "../../sandbox/host/sandbox-process.ts";

/** Opens a Pack for runs in a process that waits for a debugger. */
export interface InspectedPacks extends AsyncDisposable {
  /**
   * Waits until a debugger lets the process start. A debugger looks at one port, so this ends the
   * process of an earlier run.
   * @throws {PackError} INTERRUPTED if the signal is aborted, and the codes of `openPack`
   */
  open(signal: AbortSignal): Promise<Pack>;
}

/** @param file entry file of a Pack that has no errors */
export function createInspectedPacks({
  file,
  cwd,
  inspect,
}: {
  file: string;
  cwd: string;
  inspect: InspectOptions;
}): InspectedPacks {
  let current: SandboxProcess | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => await current?.[Symbol.asyncDispose]();

  const start = async (signal: AbortSignal): Promise<SandboxProcess> => {
    await end();
    if (signal.aborted) throw createInterruption();
    current = startSandboxProcess({ inspect });
    return current;
  };
  return {
    async open(signal) {
      const bundle = await bundlePack({ entry: file, cwd, minify: false });
      // Two runs that start at once must not start two processes.
      const starting = turn.then(() => start(signal));
      turn = starting.catch(() => undefined);
      const process = await starting;
      const stop = (): void => void process[Symbol.asyncDispose]();
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await openBundle(bundle, {
          file,
          cwd,
          minify: false,
          inspect,
          process,
        });
      } catch (error) {
        throw signal.aborted || process !== current ? createInterruption() : error;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    [Symbol.asyncDispose]: end,
  };
}

function createInterruption(): PackError<"INTERRUPTED"> {
  return new PackError("INTERRUPTED", "The run was stopped while it waited for a debugger.", {
    details: undefined,
    hint: undefined,
  });
}
