import { dirname } from "node:path";
import { inParallel } from "../shared/concurrency.ts";
import { readStats } from "../shared/files.ts";
import { uptimeMs } from "../shared/time.ts";
import { createFilePatterns } from "./file-patterns.ts";
import { createSpareSandbox } from "./spare-sandbox.ts";
import type { WatchPacksOptions } from "./watch-event.ts";
import { watchFolders } from "./watch-folders.ts";
import { createWatchedPack, DEBOUNCE_MS, untilThere, type WatchedPack } from "./watched-pack.ts";

/** Packs that are built again when something that they depend on changes. */
export interface PackWatch extends AsyncDisposable {
  /** The entry files that are watched now. */
  readonly files: readonly string[];
  /**
   * Resolves when every change that was saved before this call has its outcome. Wait for it, and
   * you never run old code.
   * @throws what `onOutcome` threw
   */
  settled(): Promise<void>;
  /**
   * Rejects when the watch ended because `onOutcome` threw; resolves when the watch was disposed.
   */
  readonly ended: Promise<void>;
}

const MAX_DEBOUNCE_MS = 100;
/** File times are coarser than the clock of the process. */
const FILE_CLOCK_MS = 20;

/**
 * Builds, loads and checks Packs, and does it again whenever one of their inputs changes: the
 * files, other files that an import
 * could find, the configurations above them. A Pack with an error stays watched.
 * @param files entry files, and patterns such as `packs/*\/pack.ts`: a matching file that appears
 *   later is added, and one that
 * disappears is removed
 * @returns when each Pack has had its first outcome
 * @throws {PackError} USAGE_INVALID when a pattern matches nothing
 */
export async function watchPacks(
  files: readonly string[],
  options: WatchPacksOptions,
): Promise<PackWatch> {
  const patterns = createFilePatterns(files, options.cwd);
  const found = patterns.find();
  const spare = createSpareSandbox();
  const create = (file: string): WatchedPack =>
    createWatchedPack(file, { ...options, spare, mayLeave: !patterns.isNamed(file) });
  let packs = found.map(create);
  let changedPaths = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let end: (error?: unknown) => void = () => {};
  const ended = new Promise<void>((resolveEnd, reject) => {
    end = (error) => (error === undefined ? resolveEnd() : reject(error));
  });
  ended.catch(() => undefined);

  const note = (path: string): void => {
    if (isClosed || !(packs.some((pack) => pack.isAbout(path)) || patterns.isAbout(path))) return;
    if (!changedPaths.has(path)) changedPaths.set(path, uptimeMs());
    timer ??= setTimeout(run, DEBOUNCE_MS);
    const [firstMs = 0] = changedPaths.values();
    // Do not wait forever for a program that keeps writing.
    if (uptimeMs() - firstMs < MAX_DEBOUNCE_MS) timer.refresh();
  };

  const folders = watchFolders({
    onChange: note,
    pollMs: options.pollMs,
    openWatcher: options.openWatcher,
  });

  /**
   * Watches everything that the Packs depend on now. Also notes what changed in a folder before it
   * was watched.
   */
  const watch = (sinceMs: number): void => {
    const looked = patterns.folders();
    const opened = new Set(
      folders.setFolders([...packs.flatMap((pack) => pack.folders()), ...looked]),
    );
    const unseen = [
      ...packs.flatMap((pack) => pack.files()).filter((path) => opened.has(dirname(path))),
      ...looked.filter((path) => opened.has(path)),
    ];
    for (const path of unseen) if (changedAtMs(path) >= sinceMs - FILE_CLOCK_MS) note(path);
  };

  /** @returns the new Packs */
  const renew = async (): Promise<WatchedPack[]> => {
    const found = new Set(patterns.find());
    const gone = packs.filter(({ file }) => !found.delete(file));
    const added = [...found].map(create);
    packs = [...packs.filter((pack) => !gone.includes(pack)), ...added];
    for (const pack of gone) {
      await pack[Symbol.asyncDispose]();
      await options.onGone?.(pack.file);
    }
    // A new file may be empty for a moment.
    await untilThere(() => added.map(({ entry }) => entry));
    return added;
  };

  const build = async (): Promise<void> => {
    while (changedPaths.size > 0 && !isClosed) {
      await untilThere(() =>
        [...changedPaths.keys()].filter((path) => packs.some((pack) => pack.had(path))),
      );
      if (isClosed) return;
      const changed = changedPaths;
      changedPaths = new Map();
      const startedAtMs = Date.now();
      const paths = [...changed.keys()];
      const added = paths.some((path) => patterns.isAbout(path)) ? await renew() : [];
      if (isClosed) return;
      const concerned = packs.filter(
        (pack) => added.includes(pack) || paths.some((path) => pack.isAbout(path)),
      );
      await inParallel(concerned, (pack) => pack.rebuild(changed));
      if (isClosed) return;
      watch(startedAtMs);
      spare.fill();
    }
  };

  const run = (): void => {
    timer = undefined;
    running ??= build()
      .catch((error: unknown) => {
        void close();
        end(error);
      })
      .finally(() => {
        running = undefined;
        if (changedPaths.size > 0 && !isClosed) timer ??= setTimeout(run, DEBOUNCE_MS);
      });
  };

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    folders[Symbol.dispose]();
    await running;
    await Promise.all([
      spare[Symbol.asyncDispose](),
      ...packs.map((pack) => pack[Symbol.asyncDispose]()),
    ]);
    end();
  };

  const startedAtMs = Date.now();
  try {
    await inParallel(packs, (pack) => pack.rebuild(new Map()));
  } catch (error) {
    await close();
    throw error;
  }
  watch(startedAtMs);
  spare.fill();

  return {
    get files() {
      return packs.map(({ file }) => file);
    },
    ended,
    async settled() {
      // A change may have been saved that the system has not reported yet.
      for (const path of [
        ...packs.flatMap((pack) => pack.outdated()),
        ...patterns.folders().slice(0, 1),
      ])
        note(path);
      while ((changedPaths.size > 0 || running !== undefined) && !isClosed) {
        clearTimeout(timer);
        run();
        await running;
      }
      if (isClosed) await ended;
    },
    [Symbol.asyncDispose]: close,
  };
}

function changedAtMs(path: string): number {
  return readStats(path)?.ctimeMs ?? 0;
}
