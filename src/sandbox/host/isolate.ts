import { definitionForm } from "../../define/definition-form.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { decodeSnapshot, type LostPart } from "../../define/snapshot.ts";
import { PackError } from "../../errors.ts";
import { createConcurrencyLimit } from "../../shared/concurrency-limit.ts";
import { encodeValue, reviveValue } from "../codec.ts";
import type { LogEntry } from "../log-entry.ts";
import {
  type ContextData,
  type FetchFailure,
  type IsolateCall,
  MAX_CONSOLE_LINE,
  MAX_CONSOLE_LINES,
  MAX_REQUESTS,
  MAX_VALUE_LENGTH,
  type PackSnapshots,
  RENEW,
  type RowsOutput,
  type SandboxOutput,
} from "../protocol.ts";
import {
  callName,
  crashed,
  errorOf,
  isText,
  notOfSandbox,
  unsendable,
  unsendableArgument,
} from "./isolate-errors.ts";
import { type IsolateScript, loadBundle, newSeed } from "./load-bundle.ts";
import { createSandboxChannel, mayHaveTags } from "./sandbox-channel.ts";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.ts";
import { createStackMapper } from "./stack-trace.ts";

export interface IsolateOptions extends IsolateScript {
  /** JSON text of the bundle's source map. */
  sourceMap?: string | undefined;
  /** Memory of the Pack in MiB. @default 128 */
  memoryLimitMb?: number | undefined;
  /** A process that is already running. The isolate becomes its owner. */
  process?: SandboxProcess | undefined;
}

/** What the host provides to a run. */
export interface IsolateHost {
  context: ContextData;
  /** Answers a request of the Pack. The request is untrusted. */
  fetch(request: unknown): Promise<HostFetchResult>;
  /** Stores a blob of the Pack; the response is its URL. @default refused */
  storeBlob?: ((request: unknown) => Promise<HostFetchResult>) | undefined;
  /** Wall-clock limit of the run, in milliseconds. @default 60_000 */
  timeoutMs?: number | undefined;
  /** What `Date` shows to the Pack. @default the real time */
  nowMs?: number | undefined;
  /** Ends the run and its sandbox; the next call gets a new sandbox. */
  signal?: AbortSignal | undefined;
  /**
   * Consecutive calls with the same object share the state of the Pack's modules. Other calls start
   * from a fresh state.
   */
  session?: object | undefined;
}

export type HostFetchResult =
  | {
      ok: true;
      response: unknown /** JSON text of the body, which is parsed in the sandbox. */;
      bodyText?: string | undefined;
    }
  | {
      ok: false;
      failure: FetchFailure /** The error of the run when the Pack does not catch the failure. */;
      error: PackError;
    };

export type IsolateOutcome =
  | {
      ok: true;
      value: unknown;
      logs: LogEntry[];
      /** Members of the context that a property options function read. */
      used?: readonly string[] | undefined;
      /** The `result` of a sync, when it is sent separately. */
      rows?: SyncRows | undefined;
    }
  | { ok: false; error: PackError; logs: LogEntry[] };

/** Rows that the sandbox is still writing; the next page can start meanwhile. */
export interface SyncRows {
  /** Number of rows that the sandbox reported. */
  count: number;
  /** @throws {PackError} RESULT_INVALID, RUN_* */
  read(): Promise<unknown>;
}

/**
 * A loaded Pack in its sandbox. It runs one call at a time; later calls wait. Each call starts from
 * the state after loading, so
 * changes of an earlier call to module variables or prototypes are gone. Calls of one session share
 * their state.
 */
export interface Isolate extends AsyncDisposable {
  /** The Pack's definition as inert data. It is untrusted: validate it before use. */
  readonly definition: PackVersionDefinition;
  /** The same Pack in the form that the service loads, as inert data. */
  readonly compiled: Readonly<Record<string, unknown>>;
  /** Parts of the definition that could not be read. */
  readonly lostParts: readonly LostPart[];
  /**
   * Never rejects: every failure is an outcome. After a timeout, a crash or the memory limit the
   * next call gets a new sandbox.
   */
  invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome>;
}

/** The limit of the document service for one execution. */
const RUN_TIMEOUT_MS = 60_000;
/** Each may hold a response of 25 MB. */
const MAX_OPEN_REQUESTS = 16;
/**
 * In the requests that wait because others are open: without a limit a Pack could fill the memory
 * of this process.
 */
const MAX_WAITING_CHARACTERS = 128 * 1024 * 1024;
/** Single calls never share a context. */
const SINGLE_CALL = {};

/**
 * Loads a bundle into a new sandbox.
 * @throws {PackError} PACK_LOAD_FAILED the bundle does not compile, throws, or has a dynamic import
 * @throws {PackError} PACK_EXPORT_MISSING it exports neither `pack` nor `manifest`
 * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED
 */
export async function createIsolate(options: IsolateOptions): Promise<Isolate> {
  const mapper = createStackMapper(options.fileName, options.sourceMap);
  let channel = createSandboxChannel(options.process ?? startSandboxProcess(options));
  let lastRun = 0;
  let queue: Promise<unknown> = Promise.resolve();
  /**
   * Whose state is in the sandbox: undefined when it is fresh, otherwise that of single calls or of
   * a session.
   */
  let owner: object | undefined;
  let isClosed = false;

  const lostParts: LostPart[] = [];
  const { definition, compiled } = await loaded((snapshots) => readSnapshots(snapshots, lostParts));
  return {
    definition,
    compiled,
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

  async function loaded<Result>(read: (snapshots: PackSnapshots) => Result): Promise<Result> {
    try {
      return read(await loadBundle(channel, options, mapper));
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** Makes sure that no other call or session has left state in the sandbox. */
  async function prepare(session: object | undefined): Promise<void> {
    if (channel.isSpent && !isClosed) {
      channel = createSandboxChannel(startSandboxProcess(options));
      owner = undefined;
      await loaded(() => undefined);
    }
    if (owner !== undefined && owner !== session) renew();
    owner = session ?? SINGLE_CALL;
  }

  function renew(): void {
    void channel.post(RENEW + newSeed());
    owner = undefined;
  }

  async function readRows(written: Promise<string>, close: () => Promise<void>): Promise<unknown> {
    const text = await written;
    try {
      const output = JSON.parse(text) as RowsOutput;
      if ("rows" in output) return mayHaveTags(text) ? reviveValue(output.rows) : output.rows;
      throw unsendable(String(output.problem.path), String(output.problem.reason));
    } catch (error) {
      if (error instanceof PackError) throw error;
      // A sandbox that sends invalid text must not run another call.
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

    // A request is open until the sandbox has taken its response: code that loops takes none.
    const limit = createConcurrencyLimit(MAX_OPEN_REQUESTS);
    let waitingCharacters = 0;
    const answer = async (
      { id, request }: { id: number; request: unknown },
      hasTags: boolean,
      ask: (request: unknown) => Promise<HostFetchResult>,
    ): Promise<void> => {
      const length = charactersOf(request);
      if (waitingCharacters + length > MAX_WAITING_CHARACTERS)
        return await post(id, tooManyWaiting());
      waitingCharacters += length;
      await limit(async () => {
        waitingCharacters -= length;
        if (isOver) return;
        // Both are untrusted: the request of the Pack and the response of the server.
        const result = await (async () => ask(hasTags ? reviveValue(request) : request))().catch(
          fetchFailed,
        );
        if (!isOver)
          await post(id, result).catch((error: unknown) => post(id, unreadableResponse(error)));
      });
    };
    let lines = 0;
    let requests = 0;
    const addLog = ({ level, message }: Extract<SandboxOutput, { k: "log" }>): void => {
      lines += 1;
      if (
        lines > MAX_CONSOLE_LINES + 1 ||
        !isText(level, 10) ||
        !isText(message, MAX_CONSOLE_LINE + 100)
      )
        throw notOfSandbox("console line");
      logs.push({ level, message });
    };
    const takeRequest = (
      output: Extract<SandboxOutput, { k: "fetch" | "blob" }>,
      hasTags: boolean,
    ): void => {
      requests += 1;
      if (requests > MAX_REQUESTS || !Number.isSafeInteger(output.id))
        throw notOfSandbox("request");
      void answer(
        output,
        hasTags,
        output.k === "fetch" ? (request) => host.fetch(request) : (host.storeBlob ?? notStored),
      );
    };
    const doneOf = (
      done: Extract<SandboxOutput, { k: "done" }>,
      hasTags: boolean,
      rows: Promise<string> | undefined,
    ) => {
      const { close } = channel;
      return {
        value: hasTags ? reviveValue(done.value) : done.value,
        ...(done.used === undefined ? {} : { used: done.used }),
        ...(rows === undefined
          ? {}
          : { rows: { count: Number(done.rows), read: () => readRows(rows, close) } }),
      };
    };
    const post = async (id: number, result: HostFetchResult): Promise<void> => {
      const [kind, member, value] = result.ok
        ? ["fetched", "response", result.response]
        : ["fetchFailed", "failure", result.failure];
      const text = encodeValue(value, "response", Number.POSITIVE_INFINITY);
      if (!result.ok) fetchErrors.set(id, result.error);
      await channel.post(
        `{"k":"${kind}","id":${id},"${member}":${text}}`,
        result.ok ? result.bodyText : undefined,
      );
    };

    try {
      await prepare(host.session);
      const text = `{"k":"call","run":${run},"call":${encodeValue(call, "arguments", MAX_VALUE_LENGTH)},"context":${encodeValue(host.context, "context", MAX_VALUE_LENGTH)}${host.nowMs === undefined ? "" : `,"nowMs":${host.nowMs}`}}`;
      const done = await channel.exchange<
        Omit<Extract<IsolateOutcome, { ok: true }>, "ok" | "logs">
      >(
        text,
        { time: { ms: host.timeoutMs ?? RUN_TIMEOUT_MS, of: "wall" }, signal: host.signal },
        (output, settle, hasTags, rows) => {
          switch (output.k) {
            case "log":
              addLog(output);
              return;
            case "fetch":
            case "blob":
              if (output.run === run) takeRequest(output, hasTags);
              return;
            case "done":
              if (output.run === run) settle.resolve(doneOf(output, hasTags, rows));
              return;
            case "failed":
              if (output.run === run)
                settle.reject(errorOf(output.error, callName(call), mapper, fetchErrors));
              return;
            case "unsendable":
              if (output.run === run) settle.reject(unsendable(output.path, output.reason));
              return;
            default:
              throw notOfSandbox("message");
          }
        },
      );
      return { ok: true, ...done, logs };
    } catch (error) {
      return {
        ok: false,
        error: error instanceof PackError ? error : (unsendableArgument(error) ?? crashed(error)),
        logs,
      };
    } finally {
      isOver = true;
      // Prepares the next context after the result is returned; not when the isolate is closed
      // before that.
      if (host.session === undefined)
        setImmediate(() => owner === SINGLE_CALL && lastRun === run && renew()).unref();
    }
  }
}

/**
 * @throws {PackError} PACK_LOAD_FAILED when the export is not an object, or the Pack changed what
 * writes the snapshots
 */
export function readSnapshots(
  { written, compiled }: PackSnapshots,
  lostParts: LostPart[],
): Pick<Isolate, "definition" | "compiled"> {
  try {
    const definition = definitionForm(decodeSnapshot(written, lostParts));
    const data = decodeSnapshot(compiled);
    if (typeof definition !== "object" || definition === null)
      throw new TypeError("The definition is not an object.");
    return {
      definition: definition as PackVersionDefinition,
      compiled: data as Isolate["compiled"],
    };
  } catch (cause) {
    throw new PackError("PACK_LOAD_FAILED", "The definition of the Pack cannot be read.", {
      details: { stack: undefined },
      hint: "Export what newPack() returns, and do not change the built-in objects of the language.",
      cause,
    });
  }
}

function fetchFailed(cause: unknown): HostFetchResult {
  return {
    ok: false,
    failure: { name: "Error", message: "The request failed.", members: {} },
    error: new PackError("INTERNAL", "The fetcher failed unexpectedly.", {
      details: undefined,
      cause,
    }),
  };
}

/** The characters of all texts in a value that JSON made. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + charactersOf(member),
    0,
  );
}

function tooManyWaiting(): HostFetchResult {
  const message = `Requests with more than ${MAX_WAITING_CHARACTERS / 1024 / 1024} MB of data would wait to be sent.`;
  const hint = "Await some of the requests before you send more.";
  const error = new PackError("FETCH_FAILED", message, { details: { host: "" }, hint });
  return { ok: false, failure: { name: "Error", message, members: { code: error.code } }, error };
}

function notStored(): Promise<HostFetchResult> {
  const message = "This run has no temporary blob storage.";
  const error = new PackError("BLOB_REFUSED", message, {
    details: { reason: "this run has no blob storage" },
    hint: "Run the formula where blobs can be stored.",
  });
  return Promise.resolve({
    ok: false,
    failure: { name: "Error", message, members: { code: error.code } },
    error,
  });
}

function unreadableResponse(cause: unknown): HostFetchResult {
  const reason =
    typeof cause === "object" && cause !== null && "reason" in cause
      ? String(cause.reason)
      : "cannot be read";
  const message = `The response cannot be passed to the Pack: it ${reason}.`;
  return {
    ok: false,
    failure: { name: "Error", message, members: { code: "FETCH_FAILED" } },
    error: new PackError("FETCH_FAILED", message, {
      details: { host: "" },
      hint: "Ask the server for less.",
    }),
  };
}
