import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { CheckedPack } from "../load/load-pack.ts";
import type { Isolate } from "../sandbox/host/isolate.ts";
import type { Failure } from "../shared/failure.ts";
import type { Issue } from "../validate/issue.ts";
import type { OpenWatcher } from "./watch-folders.ts";

export interface WatchPacksOptions {
  cwd: string;
  /** @default true */
  minify?: boolean | undefined;
  /** What the Packs' timers become; the runtime has none. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Leaves the isolate of each outcome open; it then belongs to whoever gets the outcome. @default false */
  keepIsolates?: boolean | undefined;
  /**
   * Called for each Pack at the beginning, and again whenever something else has become of it. The same Pack is not built again
   * before it is done; what it throws ends the watch.
   */
  onOutcome(outcome: PackOutcome): void | Promise<void>;
  /** Called when a file that a pattern matched is not there any more; what was told of its Pack holds no more. */
  onGone?: ((file: string) => void | Promise<void>) | undefined;
  /** How often folders are looked at that the system does not watch, in milliseconds. @default 500 */
  pollMs?: number | undefined;
  /** How a folder is watched. @default `watch` of `node:fs` */
  openWatcher?: OpenWatcher | undefined;
}

/** What became of a Pack after a change. */
export interface PackOutcome {
  /** The entry file, as it was given or as its pattern begins. */
  file: string;
  /** Everything that was found, with the places of it. */
  issues: readonly Issue[];
  /** Why the Pack cannot be used: it could not be built or loaded, or one of the issues is an error. */
  failure: Failure | undefined;
  /** What was made of it; undefined when it could not be built or loaded. */
  pack: CheckedPack | undefined;
  /** With `keepIsolates`: the loaded Pack, to be disposed of by the receiver. A Pack with errors in its definition has one, too. */
  isolate: Isolate | undefined;
  /** What changed since the outcome before, relative to `cwd`; empty at the beginning. */
  changedFiles: string[];
  /** From the first sign of the change to the outcome. */
  durationMs: number;
}
