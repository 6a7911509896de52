import type { VaultLocation } from "../../accounts/vault-location.ts";
import type { Bundle } from "../../bundle/bundle.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { Pack } from "../../execute/open-pack.ts";
import type { InspectOptions } from "../../sandbox/host/sandbox-process.ts";
import type { Seed } from "../../service/local/store/seed.ts";
import type { Failure } from "../../shared/failures.ts";
import type { Redactor } from "../../shared/redact.ts";
import type { Issue } from "../../validate/issue.ts";
import type { Questions } from "../mcp/questions.ts";
import type { Traffic } from "../timeline/traffic.ts";
import type { PackStatus } from "../wire/pack.ts";
import type { EventStream } from "./event-stream.ts";
import type { LocalDocumentService } from "./local-documents.ts";
import type { LocalTokens } from "./local-tokens.ts";

export interface DevSessionOptions extends Partial<VaultLocation> {
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  redactor: Redactor;
  /** Variables that name the registry of Packs and its token. @default none */
  env?: NodeJS.ProcessEnv | undefined;
  /**
   * The link that opens a place in the author's editor: `vscode://file/{file}:{line}:{column}`.
   * @default Visual Studio Code
   */
  editorUrl?: string | undefined;
  /** Opens such a link. @default the system does */
  openLink?: ((link: string) => Promise<void>) | undefined;
  /** Finds the addresses of a host. @default the system's resolver */
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  now?: (() => number) | undefined;
  /** Documents of a local service that starts with the page. @default none starts */
  seed?: Seed | undefined;
  /**
   * Each run waits for a debugger. The Pack then has no limits, and only the kernel isolates it.
   * @default runs are isolated
   */
  inspect?: InspectOptions | undefined;
}

/**
 * A Pack that the author is editing: built again on every save, and always ready to run in its last
 * version without errors.
 */
export interface PackSession extends AsyncDisposable {
  readonly options: DevSessionOptions;
  /** Absolute path of the entry file. */
  readonly entry: string;
  readonly events: EventStream;
  /** The requests of runs and of connections. */
  readonly traffic: Traffic;
  /** What MCP servers ask the user. */
  readonly questions: Questions;
  /** Tokens of the local providers, for the local document service. */
  readonly localTokens: LocalTokens;
  /** The document service that rehearsals of accounts use. */
  readonly localDocuments: LocalDocumentService;
  readonly now: () => number;
  state(): PackState;
  /** Whether there is a version that can run. */
  canRun(): boolean;
  /** Called after every build. */
  onPack(listener: (state: PackState) => void): void;
  /**
   * Borrows the last version that can run, including everything saved until now. Its isolate stays
   * until it is disposed of,
   * even if a newer version replaces it.
   * @throws {PackError} the problem of the Pack, when no version can run yet
   */
  openPack(): Promise<Pack & { revision: number }>;
  /**
   * The same for a run: with `inspect`, in a process that waits for a debugger. It ends the process
   * of an earlier run.
   * @throws {PackError} the problem of the Pack, or INTERRUPTED if the signal is aborted while it
   *   waits
   */
  openRun(signal: AbortSignal): Promise<Pack & { revision: number }>;
  /** The routes of all runs: from the command line, and from `setRoute`. */
  routes(): string[];
  /**
   * Routes requests for an https origin to a server on this machine; `undefined` removes the route.
   * @throws {PackError} ROUTE_INVALID
   */
  setRoute(origin: string, target: string | undefined): void;
}

/** The Pack after its latest build. */
export interface PackState {
  /** Grows with every build. */
  revision: number;
  status: PackStatus;
  name: string;
  /**
   * The definition of the version that runs: the last one without errors. If there is none, the
   * current one.
   */
  definition: PackVersionDefinition | undefined;
  /**
   * The bundle of the last version that could be built and loaded, even if its definition has
   * errors.
   */
  bundle: Bundle | undefined;
  /** The definition is that of an older version. */
  isStale: boolean;
  /** Files relative to the working directory. */
  issues: readonly Issue[];
  failure: Failure | undefined;
  durationMs: number;
}
