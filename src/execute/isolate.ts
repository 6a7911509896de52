import type { PackVersionDefinition } from "../define/pack.ts";
import { decodeSnapshot, type LostPart } from "../define/snapshot.ts";
import { PackError } from "../errors.ts";
import type { LogEntry } from "./execution-result.ts";
import type { ContextData, FetchFailure, IsolateCall, SandboxError } from "./sandbox/protocol.ts";
import { createSandboxChannel } from "./sandbox-channel.ts";
import { type SandboxWorker, startSandboxWorker } from "./sandbox-worker.ts";
import { createStackMapper, type StackMapper } from "./stack-trace.ts";
import { createWireCodec } from "./wire.ts";

export interface IsolateOptions {
  /** The bundle: one script that assigns `module.exports`. */
  code: string;
  /** JSON text of the bundle's source map. */
  sourceMap?: string | undefined;
  /** The name under which the bundle runs, for stack traces. */
  fileName: string;
  /** Memory of the Pack in MiB. @default 128 */
  memoryLimitMb?: number | undefined;
  /** How long the bundle may take to load, in milliseconds. @default 60_000 */
  timeoutMs?: number | undefined;
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
  /** Calls in a row with the same object find the state that the Pack's code left; all others begin anew. */
  session?: object | undefined;
}

export type HostFetchResult =
  | { ok: true; response: unknown }
  | { ok: false; failure: FetchFailure /** What the run fails with when the Pack lets the failure through. */; error: PackError };

export type IsolateOutcome =
  | {
      ok: true;
      value: unknown;
      logs: LogEntry[] /** What a property options function read of its context. */;
      used?: readonly string[] | undefined;
    }
  | { ok: false; error: PackError; logs: LogEntry[] };

/** A loaded Pack in its sandbox. Runs one call at a time; later ones wait. */
export interface Isolate extends AsyncDisposable {
  /** The Pack's definition as inert data. Untrusted: validate it before use. */
  readonly definition: PackVersionDefinition;
  /** What of it could not be read. */
  readonly lostParts: readonly LostPart[];
  /** Never rejects: every failure is an outcome. After a timeout, an exhausted memory or a crash the isolate is spent. */
  invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome>;
}

/** The platform's limit of one execution. */
const RUN_TIMEOUT_MS = 60_000;
const MAX_VALUE_LENGTH = 25 * 1024 * 1024;

/**
 * Loads a bundle into a new sandbox.
 * @throws {PackError} PACK_LOAD_FAILED the bundle does not compile, throws, or has a dynamic import
 * @throws {PackError} PACK_EXPORT_MISSING it exports neither `pack` nor `manifest`
 * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED
 */
export async function createIsolate(options: IsolateOptions): Promise<Isolate> {
  const sandbox = options.worker ?? startSandboxWorker({ memoryLimitMb: options.memoryLimitMb });
  const mapper = createStackMapper(options.fileName, options.sourceMap);
  const codec = createWireCodec();
  const channel = createSandboxChannel(sandbox);
  let lastRun = 0;
  let queue: Promise<unknown> = Promise.resolve();

  try {
    const snapshot = await load(channel, options, mapper);
    const lostParts: LostPart[] = [];
    const definition = definitionOf(snapshot, lostParts);
    return {
      definition,
      lostParts,
      invoke(call, host) {
        const run = queue.then(() => invoke(call, host));
        queue = run;
        return run;
      },
      [Symbol.asyncDispose]: () => channel.close(),
    };
  } catch (error) {
    await channel.close();
    throw error;
  }

  async function invoke(call: IsolateCall, host: IsolateHost): Promise<IsolateOutcome> {
    lastRun += 1;
    const run = lastRun;
    const logs: LogEntry[] = [];
    const fetchErrors = new Map<number, PackError>();
    let isOver = false;

    const answer = async (id: number, request: unknown, ask: (request: unknown) => Promise<HostFetchResult>): Promise<void> => {
      // Both sides of this border are untrusted: the Pack's request and what a server sent.
      const result = await (async () => ask(codec.revive(request)))().catch(fetchFailed);
      if (isOver) return;
      try {
        post(id, result);
      } catch (error) {
        post(id, unreadableResponse(error));
      }
    };
    const post = (id: number, result: HostFetchResult): void => {
      const [kind, member, value] = result.ok ? ["fetched", "response", result.response] : ["fetchFailed", "failure", result.failure];
      const text = codec.encode(value, "response", Number.POSITIVE_INFINITY);
      if (!result.ok) fetchErrors.set(id, result.error);
      channel.post(`{"k":"${kind}","id":${id},"${member}":${text}}`);
    };

    try {
      const text = `{"k":"call","run":${run},"call":${codec.encode(call, "arguments", MAX_VALUE_LENGTH)},"context":${codec.encode(host.context, "context", MAX_VALUE_LENGTH)}}`;
      const { value, used } = await channel.exchange<{ value: unknown; used: readonly string[] | undefined }>(
        text,
        host.timeoutMs ?? RUN_TIMEOUT_MS,
        (output, settle) => {
          switch (output.k) {
            case "log":
              logs.push({ level: output.level, message: output.message });
              return;
            case "fetch":
              if (output.run === run) void answer(output.id, output.request, (request) => host.fetch(request));
              return;
            case "blob":
              if (output.run === run) void answer(output.id, output.request, host.storeBlob ?? notStored);
              return;
            case "done":
              if (output.run === run) settle.resolve({ value: codec.revive(output.value), used: output.used });
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
      return { ok: true, value, logs, ...(used === undefined ? {} : { used }) };
    } catch (error) {
      return { ok: false, error: error instanceof PackError ? error : crashed(error), logs };
    } finally {
      isOver = true;
    }
  }
}

function load(channel: ReturnType<typeof createSandboxChannel>, options: IsolateOptions, mapper: StackMapper): Promise<string> {
  const request = JSON.stringify({ code: options.code, fileName: options.fileName });
  return channel.exchange<string>(request, options.timeoutMs ?? RUN_TIMEOUT_MS, (output, settle) => {
    switch (output.k) {
      case "loaded":
        return settle.resolve(output.snapshot);
      case "noPack":
        return settle.reject(
          new PackError("PACK_EXPORT_MISSING", "The Pack file exports neither `pack` nor `manifest`.", {
            details: { exports: output.exports },
            hint: "Write `export const pack = newPack();` in the entry file.",
          }),
        );
      case "loadFailed": {
        const stack = mapper.map(output.error.stack);
        return settle.reject(
          new PackError("PACK_LOAD_FAILED", `The Pack throws while it loads: ${output.error.message}`, {
            details: { stack },
            hint: stack === undefined ? "Only definitions belong at the top level of a Pack file." : `Look at ${firstPlace(stack)}.`,
          }),
        );
      }
      case "syntax":
        return settle.reject(
          new PackError("PACK_LOAD_FAILED", `The bundle does not compile: ${output.message}`, {
            details: { stack: output.line === undefined ? undefined : `at ${options.fileName}:${output.line}` },
            hint: "Build the Pack again; the runtime reads ES2020.",
          }),
        );
      case "dynamicImport":
        return settle.reject(
          new PackError("PACK_LOAD_FAILED", "The bundle has an `import()` expression, which the Pack runtime does not offer.", {
            details: { stack: undefined },
            hint: "Import the module at the top of the file instead.",
          }),
        );
      case "log":
        return undefined;
      default:
        return settle.reject(crashed());
    }
  });
}

function errorOf(error: SandboxError, name: string, mapper: StackMapper, fetchErrors: ReadonlyMap<number, PackError>): PackError {
  const fetchError = error.fetchId === undefined ? undefined : fetchErrors.get(error.fetchId);
  if (fetchError !== undefined) return fetchError;
  if (error.isUserVisible) {
    return new PackError("FORMULA_USER_ERROR", error.message || "The formula reports an error without a message.", {
      details: undefined,
      hint: "The Pack shows this message to its user; check the arguments.",
    });
  }
  if (error.name === "StatusCodeError" && error.statusCode !== undefined) {
    return new PackError("FETCH_STATUS", error.message, {
      details: { status: error.statusCode },
      hint: "Catch StatusCodeError in the formula, or check the request.",
    });
  }
  const stack = mapper.map(error.stack);
  return new PackError("FORMULA_FAILED", `${name} failed: ${error.name === "Error" ? "" : `${error.name}: `}${error.message}`, {
    details: { name, stack },
    hint: stack === undefined ? "Look for a throw in the formula." : `Look at ${firstPlace(stack)}.`,
  });
}

/** @throws {PackError} PACK_LOAD_FAILED when the export is no object, or the Pack tampered with what writes the snapshot */
function definitionOf(snapshot: string, lostParts: LostPart[]): PackVersionDefinition {
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

function unsendable(path: string, reason: string): PackError {
  return new PackError("RESULT_INVALID", `The result cannot be used: ${path} ${reason}.`, {
    details: { path },
    hint: "Return plain data: text, numbers, booleans, dates, arrays and objects of them, at most 25 MB.",
  });
}

function crashed(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended unexpectedly.", {
    details: undefined,
    hint: "Run it again; when it repeats, report it with the Pack.",
    cause,
  });
}

function callName(call: IsolateCall): string {
  switch (call.kind) {
    case "sync":
      return call.table;
    case "update":
      return `${call.table}:update`;
    case "permissions":
      return `${call.table}:permissions`;
    case "matchFormats":
      return "matchers";
    default:
      return call.name;
  }
}

function firstPlace(stack: string): string {
  return /\(?([^\s()]+:\d+:\d+)\)?/.exec(stack)?.[1] ?? stack;
}
