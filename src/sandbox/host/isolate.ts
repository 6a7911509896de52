import { PackError } from "../../errors.ts";
import { encodeValue, reviveValue } from "../codec.ts";
import type { LogEntry } from "../log-entry.ts";
import {
  type ContextData,
  type IsolateCall,
  MAX_VALUE_LENGTH,
  type PackSnapshots,
  RENEW,
  type RowsOutput,
} from "../protocol.ts";
import type { BodyRoom } from "./body-budget.ts";
import {
  callName,
  createCrashError,
  toPackError,
  unsendable,
  unsendableArgument,
} from "./isolate-errors.ts";
import {
  type IsolateScript,
  type LoadedDefinition,
  loadBundle,
  newSeed,
  readSnapshots,
} from "./load-bundle.ts";
import { readRunMessage } from "./run-messages.ts";
import { createRunRequests, type HostFetchResult, refuseBlob } from "./run-requests.ts";
import { createSandboxChannel, mayHaveTags, type SandboxChannel } from "./sandbox-channel.ts";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.ts";
import { createStackMapper, type StackMapper } from "./stack-trace.ts";

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
  /**
   * Answers a request of the Pack. The request is untrusted.
   * @param growBody to be awaited before more bytes of a body are read into memory
   */
  fetch(request: unknown, growBody: BodyRoom["grow"]): Promise<HostFetchResult>;
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
 * the state after loading, so changes of an earlier call to module variables or prototypes are
 * gone. Calls of one session share their state.
 */
export interface Isolate extends AsyncDisposable, LoadedDefinition {
  /**
   * Never rejects: every failure is an outcome. After a timeout, a crash or the memory limit the
   * next call gets a new sandbox.
   */
  invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome>;
}

/** The limit of the document service for one execution. */
const RUN_TIMEOUT_MS = 60_000;
/**
 * Loads a bundle into a new sandbox.
 * @throws {PackError} PACK_LOAD_FAILED the bundle does not compile, throws, or has a dynamic import
 * @throws {PackError} PACK_EXPORT_MISSING it exports neither `pack` nor `manifest`
 * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED
 */
export async function createIsolate(options: IsolateOptions): Promise<Isolate> {
  const mapper = createStackMapper(options.fileName, options.sourceMap);
  const sandbox = createRenewedSandbox(options, mapper);
  const { definition, loaded, compiled, lostParts } = await sandbox.load(readSnapshots);
  let runs = 0;
  let queue: Promise<unknown> = Promise.resolve();

  return {
    definition,
    compiled,
    loaded,
    lostParts,
    invoke(call, host) {
      runs += 1;
      const run = runs;
      const outcome = queue.then(() => invoke(run, call, host));
      queue = outcome;
      return outcome;
    },
    [Symbol.asyncDispose]: sandbox.close,
  };

  async function invoke(
    run: number,
    call: IsolateCall,
    host: IsolateHost,
  ): Promise<IsolateOutcome> {
    const logs: LogEntry[] = [];
    const session = host.session ?? {};
    try {
      const channel = await sandbox.prepare(session);
      const returned = await exchangeRun(channel, { run, call, host, logs, mapper });
      return { ok: true, ...returned, logs };
    } catch (error) {
      return {
        ok: false,
        error:
          error instanceof PackError
            ? error
            : (unsendableArgument(error) ?? createCrashError(error)),
        logs,
      };
    } finally {
      // Prepares the next context after the result is returned.
      if (host.session === undefined) setImmediate(() => sandbox.endSession(session)).unref();
    }
  }
}

/** A sandbox that starts again after its end, and has a fresh state for each session. */
function createRenewedSandbox(options: IsolateOptions, mapper: StackMapper) {
  let channel = createSandboxChannel(options.process ?? startSandboxProcess(options));
  /** Whose state is in the sandbox. Undefined when it is fresh. */
  let owner: object | undefined;
  let isClosed = false;
  return { load, prepare, endSession, close };

  async function load<Result>(read: (snapshots: PackSnapshots) => Result): Promise<Result> {
    try {
      return read(await loadBundle(channel, options, mapper));
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** Makes sure that no other session has left state in the sandbox. */
  async function prepare(session: object): Promise<SandboxChannel> {
    if (owner !== session && channel.isFilled) await channel.close();
    if (channel.isSpent && !isClosed) {
      channel = createSandboxChannel(startSandboxProcess(options));
      owner = undefined;
      await load(() => undefined);
    }
    if (owner !== undefined && owner !== session) endSession(owner);
    owner = session;
    return channel;
  }

  /** Not when the next session has begun, or the sandbox was closed. */
  function endSession(session: object): void {
    if (owner !== session) return;
    void channel.post(RENEW + newSeed());
    owner = undefined;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await channel.close();
  }
}

interface Run {
  run: number;
  call: IsolateCall;
  host: IsolateHost;
  /** Gets the lines of the Pack. */
  logs: LogEntry[];
  mapper: StackMapper;
}

type Returned = Omit<Extract<IsolateOutcome, { ok: true }>, "ok" | "logs">;

/** Sends a call to the sandbox and does what its messages ask for, until it returns. */
async function exchangeRun(
  channel: SandboxChannel,
  { run, call, host, logs, mapper }: Run,
): Promise<Returned> {
  const requests = createRunRequests(channel);
  let requestCount = 0;
  const limits = {
    time: { ms: host.timeoutMs ?? RUN_TIMEOUT_MS, of: "wall" as const },
    signal: host.signal,
  };
  try {
    return await channel.exchange<Returned>(
      encodeCall(run, call, host),
      limits,
      (output, settle, hasTags, rows) => {
        const counts = { lines: logs.length, requests: requestCount };
        const revive = (value: unknown) => (hasTags ? reviveValue(value) : value);
        const step = readRunMessage(output, run, counts);
        switch (step.is) {
          case "log":
            return void logs.push(step.line);
          case "request": {
            requestCount += 1;
            const { storeBlob = refuseBlob } = host;
            return requests.answer(step.id, step.request, (growBody) =>
              step.kind === "fetch"
                ? host.fetch(revive(step.request), growBody)
                : storeBlob(revive(step.request)),
            );
          }
          case "return":
            return settle.resolve({
              value: revive(step.value),
              ...(step.used === undefined ? {} : { used: step.used }),
              ...(rows === undefined
                ? {}
                : {
                    rows: { count: step.rowCount, read: () => readRows(rows, channel) },
                  }),
            });
          case "fail":
            return settle.reject(toPackError(step.error, callName(call), mapper, requests.errors));
          case "refuse":
            return settle.reject(unsendable(step.path, step.reason));
          case "ignore":
            return undefined;
        }
      },
    );
  } finally {
    requests.end();
  }
}

/** @throws {UnsendableValue} for an argument that the codec refuses */
function encodeCall(run: number, call: IsolateCall, { context, nowMs }: IsolateHost): string {
  const members = [
    `"k":"call","run":${run}`,
    `"call":${encodeValue(call, "arguments", MAX_VALUE_LENGTH)}`,
    `"context":${encodeValue(context, "context", MAX_VALUE_LENGTH)}`,
    ...(nowMs === undefined ? [] : [`"nowMs":${nowMs}`]),
  ];
  return `{${members.join(",")}}`;
}

async function readRows(
  written: Promise<string>,
  channel: Pick<SandboxChannel, "close">,
): Promise<unknown> {
  const text = await written;
  try {
    const output = JSON.parse(text) as RowsOutput;
    if ("rows" in output) return mayHaveTags(text) ? reviveValue(output.rows) : output.rows;
    throw unsendable(String(output.problem.path), String(output.problem.reason));
  } catch (error) {
    if (error instanceof PackError) throw error;
    // A sandbox that sends invalid text must not run another call.
    void channel.close();
    throw createCrashError(error);
  }
}
