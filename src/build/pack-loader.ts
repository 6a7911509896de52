import { resolve } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { bundleAhead } from "../bundle/bundle-pack.ts";
import { loadRules, readPack } from "../execute/open-pack.ts";
import { createDefinitionReader, type DefinitionReader } from "../sandbox/host/load-bundle.ts";
import { inParallel } from "../shared/concurrency.ts";
import { toFailure } from "../shared/failures.ts";
import { uptimeMs } from "../shared/time.ts";
import type { EachPackOptions, PackOutcome, PackTurn } from "./pack-outcome.ts";

/** Builds Packs and loads their definitions. Its disposal ends the processes that it uses. */
export interface PackLoader extends AsyncDisposable {
  /** @returns what became of each file */
  loadAll(onLoaded: () => void): Promise<Map<string, PackOutcome>>;
}

export function createPackLoader(files: readonly string[], options: EachPackOptions): PackLoader {
  const reader = createDefinitionReader(files.length);
  const bundleOf = bundleAhead(files, { ...options, onStart: loadRules });
  return {
    async loadAll(onLoaded) {
      const outcomes = new Map<string, PackOutcome>();
      await inParallel(files, async (file) => {
        options.signal?.throwIfAborted();
        outcomes.set(file, await load(file, bundleOf(file), options, reader));
        onLoaded();
      });
      return outcomes;
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

async function load(
  file: string,
  bundling: Promise<Bundle>,
  options: EachPackOptions,
  reader: DefinitionReader,
): Promise<PackOutcome> {
  let startedMs = uptimeMs();
  const turn = (): PackTurn => ({ file, loadMs: uptimeMs() - startedMs, isCached: false });
  try {
    // A Pack that waited for others to be bundled did not take longer because of that.
    const timed = bundling.then((bundle) => {
      startedMs = uptimeMs() - bundle.durationMs;
      return bundle;
    });
    const pack = await readPack(file, options, timed, reader);
    options.cache?.write(resolve(options.cwd, file), pack);
    if (options.keepSources === true) return { turn: turn(), pack };
    // The texts were needed to find where the issues are. Those of all Packs together are too much
    // to keep.
    const sources = pack.bundle.sources.map(({ path }) => ({ path, text: "" }));
    return { turn: turn(), pack: { ...pack, bundle: { ...pack.bundle, sources } } };
  } catch (error) {
    return { turn: turn(), failure: toFailure(error) };
  }
}
