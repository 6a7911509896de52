import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { Pack } from "../execute/open-pack.ts";
import type { Failure } from "../shared/failures.ts";
import type { Issue } from "../validate/issue.ts";
import type { OpenWatcher } from "./watch-folders.ts";

export interface WatchPacksOptions {
  cwd: string;
  /** @default true */
  minify?: boolean | undefined;
  /** How to replace timers, which the Pack runtime does not have. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /**
   * Leaves the isolate of each Pack open. The receiver of the outcome has to dispose of the Pack.
   * @default false
   */
  keepIsolates?: boolean | undefined;
  /**
   * Called for each Pack at the beginning, and again whenever its outcome changes. The next build
   * of the same Pack waits until the
   * call is done. An error that it throws ends the watch.
   */
  onOutcome(outcome: WatchEvent): void | Promise<void>;
  /** Called when a file that a pattern matched was removed. Its outcomes no longer count. */
  onGone?: ((file: string) => void | Promise<void>) | undefined;
  /** How often to read folders that the system cannot watch, in milliseconds. @default 500 */
  pollMs?: number | undefined;
  /** How a folder is watched. @default `watch` of `node:fs` */
  openWatcher?: OpenWatcher | undefined;
}

/** What a watch reports: the outcome of building and checking a Pack after a change. */
export interface WatchEvent {
  /** The entry file, as it was given or as its pattern begins. */
  file: string;
  /** All issues with their positions. */
  issues: readonly Issue[];
  /**
   * Why the Pack cannot be used: it could not be built or loaded, or one of the issues is an error.
   */
  failure: Failure | undefined;
  /**
   * Undefined when the Pack could not be built or loaded. With `keepIsolates` it can run, even when
   * its definition has errors, and the receiver has to dispose of it; otherwise it is disposed.
   */
  pack: Pack | undefined;
  /**
   * The files that changed since the previous outcome, relative to `cwd`; empty at the beginning.
   */
  changedFiles: string[];
  /** From the first sign of the change to the outcome. */
  durationMs: number;
}
