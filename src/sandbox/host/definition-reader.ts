import type { LostPart } from "../../define/snapshot.ts";
import { RESET } from "../protocol.ts";
import { type Isolate, readSnapshots } from "./isolate.ts";
import { type IsolateScript, loadBundle } from "./load-bundle.ts";
import { createSandboxChannel, type SandboxChannel } from "./sandbox-channel.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { createStackMapper } from "./stack-trace.ts";

/** Loads the bundles of many Packs one after another, each in its own context. */
export interface DefinitionReader extends AsyncDisposable {
  /** Starts a sandbox for the next bundle, so that it is ready when the bundle is. */
  prepare(): void;
  /**
   * @returns the definition that a bundle exports, as inert data, and the parts that could not be
   *   read
   * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY,
   *   RUN_CRASHED
   */
  read(
    bundle: IsolateScript & { sourceMap: string | undefined },
  ): Promise<Pick<Isolate, "definition" | "compiled"> & { lostParts: readonly LostPart[] }>;
}

/** Old contexts are garbage-collected late, so a process is replaced after this many bundles. */
const BUNDLES_PER_PROCESS = 100;

interface Sandbox {
  channel: SandboxChannel;
  /** Number of loaded bundles. */
  count: number;
}

/**
 * Processes are reused, because starting one takes most of the time of a small Pack. Each Pack gets
 * a new context.
 * @param count number of bundles; the process is ended after the last one
 */
export function createDefinitionReader(count: number): DefinitionReader {
  const idle: Sandbox[] = [];
  const closing: Promise<void>[] = [];
  let left = count;
  const start = (): Sandbox => ({ channel: createSandboxChannel(startSandboxProcess()), count: 0 });
  const release = (sandbox: Sandbox): void => {
    sandbox.count += 1;
    left -= 1;
    // A sandbox that was ended, by a timeout or the memory limit, cannot be used again.
    if (sandbox.channel.isSpent || sandbox.count >= BUNDLES_PER_PROCESS || left <= 0)
      closing.push(sandbox.channel.close());
    else {
      void sandbox.channel.post(RESET);
      idle.push(sandbox);
    }
  };
  return {
    prepare() {
      if (idle.length === 0) idle.push(start());
    },
    async read({ sourceMap, ...source }) {
      const sandbox = idle.pop() ?? start();
      try {
        const snapshots = await loadBundle(
          sandbox.channel,
          source,
          createStackMapper(source.fileName, sourceMap),
        );
        const lostParts: LostPart[] = [];
        return { ...readSnapshots(snapshots, lostParts), lostParts };
      } finally {
        release(sandbox);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...closing, ...idle.splice(0).map(({ channel }) => channel.close())]);
    },
  };
}
