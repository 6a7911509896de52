import type { LostPart } from "../../define/snapshot.ts";
import { RESET } from "../protocol.ts";
import { type ReadPack, readSnapshots } from "./isolate.ts";
import { type BundleSource, loadBundle } from "./load-bundle.ts";
import { createSandboxChannel, type SandboxChannel } from "./sandbox-channel.ts";
import { startSandboxWorker } from "./sandbox-worker.ts";
import { createStackMapper } from "./stack-trace.ts";

/** Loads the bundles of many Packs, one after the other, each in a context of its own. */
export interface DefinitionReader extends AsyncDisposable {
  /** Starts a sandbox for the next bundle, so that it is ready when the bundle is. */
  prepare(): void;
  /**
   * @returns the definition that a bundle exports, as inert data, and what of it could not be read
   * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED
   */
  read(bundle: BundleSource & { sourceMap: string }): Promise<ReadPack & { lostParts: readonly LostPart[] }>;
}

/** A worker collects the contexts of Packs that are done late: after so many it makes room for a new one. */
const BUNDLES_PER_WORKER = 100;

interface Sandbox {
  channel: SandboxChannel;
  /** Bundles that were loaded. */
  count: number;
}

/**
 * Starting a worker takes longer than everything else about a small Pack; the context of a Pack that has ended is none of the next one's.
 * @param count how many bundles there are: the sandbox of the last ends while what was read is used
 */
export function createDefinitionReader(count: number): DefinitionReader {
  const idle: Sandbox[] = [];
  const closing: Promise<void>[] = [];
  let left = count;
  const start = (): Sandbox => ({ channel: createSandboxChannel(startSandboxWorker()), count: 0 });
  const release = (sandbox: Sandbox): void => {
    sandbox.count += 1;
    left -= 1;
    // One that was ended, by a Pack that did not end itself or took too much memory, is no sandbox any more.
    if (sandbox.channel.isSpent || sandbox.count >= BUNDLES_PER_WORKER || left <= 0) closing.push(sandbox.channel.close());
    else {
      sandbox.channel.post(RESET);
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
        const snapshots = await loadBundle(sandbox.channel, source, createStackMapper(source.fileName, sourceMap));
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
