import type { VaultLocation } from "../../accounts/vault-location.ts";
import type { PackBundle } from "../../bundle/pack-bundle.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { OpenPack } from "../../load/open-pack.ts";
import type { Failure } from "../../shared/failure.ts";
import type { Redactor } from "../../shared/redact.ts";
import type { Issue } from "../../validate/issue.ts";
import type { Traffic } from "../timeline/traffic.ts";
import type { PackStatus } from "../wire/pack.ts";
import type { EventStream } from "./event-stream.ts";
import type { LocalTokens } from "./local-tokens.ts";

export interface DevSessionOptions extends Partial<VaultLocation> {
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  redactor: Redactor;
  /** The link that opens a place in the author's editor: `vscode://file/{file}:{line}:{column}`. @default that of the editor that most use */
  editorUrl?: string | undefined;
  /** Opens such a link. @default the system does */
  openLink?: ((link: string) => Promise<void>) | undefined;
  /** Finds the addresses of a host. @default the system's resolver */
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  now?: (() => number) | undefined;
}

/** A Pack that is being edited, as its runs see it: built again on every save, ready to run in its last good version. */
export interface PackSession extends AsyncDisposable {
  readonly options: DevSessionOptions;
  /** Absolute path of the entry file. */
  readonly entry: string;
  readonly events: EventStream;
  /** The requests of runs and of connections. */
  readonly traffic: Traffic;
  /** Tokens of the local providers, for the local document service. */
  readonly localTokens: LocalTokens;
  readonly now: () => number;
  state(): PackState;
  /** Whether there has been a version that can run. */
  canRun(): boolean;
  /** Called after every build. */
  onPack(listener: (state: PackState) => void): void;
  /**
   * Borrows the last version that can run, with everything that was saved until now. Its isolate stays until it is disposed of,
   * also when another version takes its place meanwhile.
   * @throws {PackError} what is wrong with the Pack, when there has been none yet
   */
  openPack(): Promise<OpenPack & { revision: number }>;
  /** The routes of all runs: those of the command line, and those that `setRoute` added. */
  routes(): string[];
  /** Sends requests for an https origin to a server on this machine, or no longer. @throws {PackError} ROUTE_INVALID */
  setRoute(origin: string, target: string | undefined): void;
}

/** The Pack as its latest build left it. */
export interface PackState {
  /** Grows with every build. */
  revision: number;
  status: PackStatus;
  name: string;
  /** Of what runs: this version when it is free of errors, else the last one that was; while there has been none, this one. */
  definition: PackVersionDefinition | undefined;
  /** Of the last version that could be built and loaded, also one with errors in its definition. */
  bundle: PackBundle | undefined;
  /** The definition is that of an older version. */
  isStale: boolean;
  /** Files relative to the working directory. */
  issues: readonly Issue[];
  failure: Failure | undefined;
  /** What the author changed since the build before, relative to the working directory. */
  changedFiles: readonly string[];
  durationMs: number;
}
