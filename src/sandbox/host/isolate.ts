import { availableParallelism } from "node:os";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { decodeSnapshot, type LostPart } from "../../define/snapshot.ts";
import { PackError } from "../../errors.ts";
import { createCodec } from "../codec.ts";
import { createJsonSafeCheck } from "../json-safe.ts";
import type { LogEntry } from "../protocol.ts";
import { type ContextData, type FetchFailure, type IsolateCall, RENEW, type RowsOutput, type SandboxOutput } from "../protocol.ts";
import { decodeRows, TEXT_SEPARATOR } from "../row-codec.ts";
import { callName, crashed, errorOf, unsendable, unsendableArgument } from "./isolate-errors.ts";
import { type BundleSource, loadBundle, newSeed } from "./load-bundle.ts";
import { createSandboxChannel, mayHaveTags } from "./sandbox-channel.ts";
import { type SandboxWorker, startSandboxWorker } from "./sandbox-worker.ts";
import { createStackMapper } from "./stack-trace.ts";

export interface IsolateOptions extends BundleSource {
  /** JSON text of the bundle's source map. */
  sourceMap?: string | undefined;
  /** Memory of the Pack in MiB. @default 128 */
  memoryLimitMb?: number | undefined;
  /** A worker that was started before; the isolate owns it from now on. */
  worker?: SandboxWorker | undefined;
}

/** What a run may ask of its host. */
export interface IsolateHost {
  context: ContextData;
  /** Answers a request of the Pack; the request is untrusted data. */
  fetch(request: unknown): Promise<HostFetchResult>;
  /** Keeps a blob of the Pack; the response is its URL. @default refused */
  storeBlob?: ((request: unknown) => Promise<HostFetchResult>) | undefined;
  /** Wall-clock limit of the run, in milliseconds. @default 60_000 */
  timeoutMs?: number | undefined;
  /** What the Pack sees as the present. @default the real time */
  nowMs?: number | undefined;
  /** Ends the run, and with it the sandbox; the next call gets a new one. */
  signal?: AbortSignal | undefined;
  /** Calls in a row with the same object find the state that the Pack's code left; all others begin anew. */
  session?: object | undefined;
}

export type HostFetchResult =
  | { ok: true; response: unknown /** JSON text of the response's body, which is parsed in the sandbox. */; bodyText?: string | undefined }
  | { ok: false; failure: FetchFailure /** What the run fails with when the Pack lets the failure through. */; error: PackError };

export type IsolateOutcome =
  | {
      ok: true;
      value: unknown;
      logs: LogEntry[];
      /** What a property options function read of its context. */
      used?: readonly string[] | undefined;
      /** The `result` of a sync, when it came apart from the rest of its answer. */
      rows?: SyncRows | undefined;
    }
  | { ok: false; error: PackError; logs: LogEntry[] };

/** Rows that the sandbox still writes, while the next page can be on its way. */
export interface SyncRows {
  /** By the sandbox's own account. */
  count: number;
  /** @throws {PackError} RESULT_INVALID, RUN_* */
  read(): Promise<unknown>;
}

/**
 * A loaded Pack in its sandbox. Runs one call at a time; later ones wait. Each call begins with the state that loading
 * left: what the one before did to module variables or prototypes is gone. Calls of one session share their state.
 */
export interface Isolate extends AsyncDisposable {
  /** The Pack's definition as inert data. Untrusted: validate it before use. */
  readonly definition: PackVersionDefinition;
  /** What of it could not be read. */
  readonly lostParts: readonly LostPart[];
  /** Never rejects: every failure is an outcome. After a timeout, an exhausted memory or a crash the next call gets a new sandbox. */
  invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome>;
}

/** The platform's limit of one execution. */
const RUN_TIMEOUT_MS = 60_000;
/**
 * As long as most formulas take that ask for nothing; a page of a sync asks for something. On a single processor the sandbox could
 * not answer meanwhile.
 */
const AWAKE_MS = availableParallelism() > 1 ? 0.25 : 0;
/** Single calls never share a context. */
const SINGLE_CALL = {};
const MAX_VALUE_LENGTH = 25 * 1024 * 1024;

/**
 * Loads a bundle into a new sandbox.
 * @throws {PackError} PACK_LOAD_FAILED the bundle does not compile, throws, or has a dynamic import
 * @throws {PackError} PACK_EXPORT_MISSING it exports neither `pack` nor `manifest`
 * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED
 */
export async function createIsolate(options: IsolateOptions): Promise<Isolate> {
  const mapper = createStackMapper(options.fileName, options.sourceMap);
  const codec = createCodec(createJsonSafeCheck());
  let channel = createSandboxChannel(options.worker ?? startSandboxWorker(options));
  let lastRun = 0;
  let queue: Promise<unknown> = Promise.resolve();
  /** Whose state is in the sandbox: nobody's, that of single calls, or that of a session. */
  let owner: object | undefined;
  let isClosed = false;

  const lostParts: LostPart[] = [];
  const definition = await loaded((snapshot) => definitionOf(snapshot, lostParts));
  return {
    definition,
    lostParts,
    invoke(call, host) {
      const run = queue.then(() => invoke(call, host));
      queue = run;
      return run;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await channel.close();
    },
  };

  async function loaded<Result>(read: (snapshot: string) => Result): Promise<Result> {
    try {
      return read(await loadBundle(channel, options, mapper));
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** A sandbox in which no other call or session has left anything. */
  async function prepare(session: object | undefined): Promise<void> {
    if (channel.isSpent && !isClosed) {
      channel = createSandboxChannel(startSandboxWorker(options));
      owner = undefined;
      await loaded(() => undefined);
    }
    if (owner !== undefined && owner !== session) renew();
    owner = session ?? SINGLE_CALL;
  }

  function renew(): void {
    channel.post(RENEW + newSeed());
    owner = undefined;
  }

  async function readRows(written: Promise<string>, close: () => Promise<void>): Promise<unknown> {
    const text = await written;
    try {
      const parts = text.split(TEXT_SEPARATOR);
      const output = JSON.parse(parts[0] ?? "") as RowsOutput;
      if ("tables" in output) return decodeRows(output.tables, parts.slice(1));
      if ("rows" in output) return mayHaveTags(text) ? codec.revive(output.rows) : output.rows;
      throw unsendable(String(output.problem.path), String(output.problem.reason));
    } catch (error) {
      if (error instanceof PackError) throw error;
      // As in the channel: such a sandbox is not to be trusted with another call.
      void close();
      throw crashed(error);
    }
  }

  async function invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome> {
    lastRun += 1;
    const run = lastRun;
    const logs: LogEntry[] = [];
    const fetchErrors = new Map<number, PackError>();
    let isOver = false;

    const answer = async (
      { id, request }: { id: number; request: unknown },
      hasTags: boolean,
      ask: (request: unknown) => Promise<HostFetchResult>,
    ): Promise<void> => {
      // Both sides of this border are untrusted: the Pack's request and what a server sent.
      const result = await (async () => ask(hasTags ? codec.revive(request) : request))().catch(fetchFailed);
      if (isOver) return;
      try {
        post(id, result);
      } catch (error) {
        post(id, unreadableResponse(error));
      }
    };
    const doneOf = (done: Extract<SandboxOutput, { k: "done" }>, hasTags: boolean, rows: Promise<string> | undefined) => {
      const { close } = channel;
      return {
        value: hasTags ? codec.revive(done.value) : done.value,
        ...(done.used === undefined ? {} : { used: done.used }),
        ...(rows === undefined ? {} : { rows: { count: Number(done.rows), read: () => readRows(rows, close) } }),
      };
    };
    const post = (id: number, result: HostFetchResult): void => {
      const [kind, member, value] = result.ok ? ["fetched", "response", result.response] : ["fetchFailed", "failure", result.failure];
      const text = codec.encode(value, "response", Number.POSITIVE_INFINITY);
      if (!result.ok) fetchErrors.set(id, result.error);
      channel.post(`{"k":"${kind}","id":${id},"${member}":${text}}`, result.ok ? result.bodyText : undefined);
    };

    try {
      await prepare(host.session);
      const text = `{"k":"call","run":${run},"call":${codec.encode(call, "arguments", MAX_VALUE_LENGTH)},"context":${codec.encode(host.context, "context", MAX_VALUE_LENGTH)}${host.nowMs === undefined ? "" : `,"nowMs":${host.nowMs}`}}`;
      const done = await channel.exchange<Omit<Extract<IsolateOutcome, { ok: true }>, "ok" | "logs">>(
        text,
        { timeoutMs: host.timeoutMs ?? RUN_TIMEOUT_MS, signal: host.signal, awakeMs: call.kind === "sync" ? 0 : AWAKE_MS },
        (output, settle, hasTags, rows) => {
          switch (output.k) {
            case "log":
              logs.push({ level: output.level, message: output.message });
              return;
            case "fetch":
              if (output.run === run) void answer(output, hasTags, (request) => host.fetch(request));
              return;
            case "blob":
              if (output.run === run) void answer(output, hasTags, host.storeBlob ?? notStored);
              return;
            case "done":
              if (output.run === run) settle.resolve(doneOf(output, hasTags, rows));
              return;
            case "failed":
              if (output.run === run) settle.reject(errorOf(output.error, callName(call), mapper, fetchErrors));
              return;
            case "unsendable":
              if (output.run === run) settle.reject(unsendable(output.path, output.reason));
              return;
            default:
              settle.reject(crashed());
          }
        },
      );
      return { ok: true, ...done, logs };
    } catch (error) {
      return { ok: false, error: error instanceof PackError ? error : (unsendableArgument(error) ?? crashed(error)), logs };
    } finally {
      isOver = true;
      // The next context is made while nobody waits for it; when the caller is done with the isolate, not at all.
      if (host.session === undefined) setImmediate(() => owner === SINGLE_CALL && lastRun === run && renew()).unref();
    }
  }
}

/** @throws {PackError} PACK_LOAD_FAILED when the export is no object, or the Pack tampered with what writes the snapshot */
export function definitionOf(snapshot: string, lostParts: LostPart[]): PackVersionDefinition {
  try {
    const definition = decodeSnapshot(snapshot, lostParts);
    if (typeof definition !== "object" || definition === null) throw new TypeError("The definition is no object.");
    return definition as PackVersionDefinition;
  } catch (cause) {
    throw new PackError("PACK_LOAD_FAILED", "The definition of the Pack cannot be read.", {
      details: { stack: undefined },
      hint: "Export what newPack() gives, and leave the built-in objects of the language as they are.",
      cause,
    });
  }
}

function fetchFailed(cause: unknown): HostFetchResult {
  return {
    ok: false,
    failure: { name: "Error", message: "The request failed.", members: {} },
    error: new PackError("INTERNAL", "The fetcher failed unexpectedly.", { details: undefined, cause }),
  };
}

function notStored(): Promise<HostFetchResult> {
  const message = "There is no temporary blob storage in this run.";
  const error = new PackError("BLOB_REFUSED", message, { details: { reason: "there is no storage" }, hint: "Run the formula with one." });
  return Promise.resolve({ ok: false, failure: { name: "Error", message, members: { code: error.code } }, error });
}

function unreadableResponse(cause: unknown): HostFetchResult {
  const reason = typeof cause === "object" && cause !== null && "reason" in cause ? String(cause.reason) : "cannot be read";
  const message = `The response cannot be given to the Pack: it ${reason}.`;
  return {
    ok: false,
    failure: { name: "Error", message, members: { code: "FETCH_FAILED" } },
    error: new PackError("FETCH_FAILED", message, { details: { host: "" }, hint: "Ask the server for less." }),
  };
}
