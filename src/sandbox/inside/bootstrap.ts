import type { encodeSnapshot as EncodeSnapshot } from "../../define/snapshot.ts";
import type { Codec, UnsendableValue } from "../codec.ts";
import type { IsJsonSafe } from "../json-safe.ts";
import type { IsolateCall, SandboxError, SandboxInput, SandboxLimits } from "../protocol.ts";
import type { EncodeRows } from "../row-codec.ts";
import type { SandboxBuffer } from "./buffer.ts";
import type { CallPack } from "./call-pack.ts";
import type { Inspect } from "./inspect.ts";
import type { createSyncOutput as CreateSyncOutput } from "./sync-output.ts";

/** The worker's access to the sandbox: functions whose arguments and results are text. */
export interface SandboxBridge {
  /**
   * Evaluates the bundle, a function of the sandbox that the worker compiled.
   * @param randomKey 64 hexadecimal digits, the key of `crypto.getRandomValues`
   */
  load(bundle: (module: object, exports: object) => void, randomKey: string): void;
  /** Sends the definition of the loaded Pack. Large Packs take a while, so this is not part of `load`, which precedes each call. */
  sendDefinition(): void;
  /**
   * Receives one message.
   * @param body text of the response's body, which is parsed here
   */
  step(message: string, body?: string): void;
  /** Returns the messages as a JSON array, and clears them. */
  drain(): string;
  /** Writes the rows of the last result, and clears them. The host can start the next page meanwhile. */
  drainRows(): string;
}

/**
 * Sets up the sandbox. The source text of this function is evaluated inside it, before the Pack's code. It is self-contained and
 * captures every intrinsic that it uses later, so a Pack that changes prototypes does not affect it. No object of the host
 * enters the sandbox: everything asynchronous comes through `step`.
 */
export function bootstrap(
  createJsonSafeCheck: () => IsJsonSafe,
  createCodec: (isJsonSafe: IsJsonSafe, toBytes: (bytes: Uint8Array) => unknown) => Codec,
  createRowEncoder: (isJsonSafe: IsJsonSafe, separator: string) => EncodeRows,
  createSyncOutput: typeof CreateSyncOutput,
  encodeSnapshot: typeof EncodeSnapshot,
  createInspect: (maxLength: number) => Inspect,
  createCallPack: (describe: (thrown: unknown) => SandboxError) => CallPack,
  createBufferClass: () => SandboxBuffer,
  createRandomSource: (key: string) => (view: unknown) => unknown,
  guardCode: () => void,
  textSeparator: string,
  limits: SandboxLimits,
): SandboxBridge {
  type Members = Record<string, unknown>;
  const globals = globalThis as unknown as Members;
  const Buffer = createBufferClass();
  const isJsonSafe = createJsonSafeCheck();
  const codec = createCodec(isJsonSafe, (bytes) => new Buffer(bytes.buffer as ArrayBuffer));
  const { parse, stringify } = JSON;
  const { create, keys, defineProperty } = Object;
  const { isInteger } = Number;
  const Failure = Error;
  const Wrong = TypeError;
  const PromiseOf = Promise;
  const ProxyOf = Proxy;
  const DateOf = Date;
  const { construct, get: getMember } = Reflect;
  const textOf = String;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (method: unknown) => (...args: unknown[]) => unknown;
  const slice = uncurry(String.prototype.slice) as (text: string, from: number, to: number) => string;
  const includes = uncurry(String.prototype.includes) as (text: string, part: string) => boolean;
  const remember = uncurry(WeakMap.prototype.set) as (map: WeakMap<object, number>, key: object, id: number) => void;
  const recall = uncurry(WeakMap.prototype.get) as (map: WeakMap<object, number>, key: object) => number | undefined;

  const failedFetches = new WeakMap<object, number>();
  const pending = create(null) as Record<number, { resolve(value: unknown): void; reject(error: unknown): void }>;
  let pack: Members | undefined;
  let loadError: unknown;
  let outgoing = "";
  let outgoingRows: { rows: readonly unknown[]; restLength: number } | undefined;
  let currentRun = 0;
  let lastFetch = 0;
  let fetchesOfRun = 0;
  let logsOfRun = 0;

  const send = (message: string): void => {
    outgoing += outgoing === "" ? message : `,${message}`;
  };

  const read = (value: unknown, name: string): unknown => {
    try {
      return value === null || value === undefined ? undefined : (value as Members)[name];
    } catch {
      return undefined;
    }
  };

  // ---- console -------------------------------------------------------------------------------------------------

  const inspect = createInspect(limits.maxLogLength);
  const log =
    (level: string) =>
    (...values: unknown[]): void => {
      logsOfRun += 1;
      if (logsOfRun > limits.maxLogEntries + 1) return;
      let line = "";
      for (let index = 0; index < values.length && line.length < limits.maxLogLength; index++) {
        line += (index === 0 ? "" : " ") + inspect(values[index], 0, true);
      }
      if (line.length > limits.maxLogLength) line = `${slice(line, 0, limits.maxLogLength)}… (cut)`;
      if (logsOfRun > limits.maxLogEntries) line = `More than ${limits.maxLogEntries} console lines; the rest is omitted.`;
      send(`{"k":"log","level":"${level}","message":${stringify(line)}}`);
    };

  const consoleOfPack: Members = {};
  for (const level of ["trace", "debug", "info", "warn", "error", "log"]) consoleOfPack[level] = log(level);

  // ---- errors --------------------------------------------------------------------------------------------------

  const describe = (thrown: unknown): SandboxError => {
    const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
    const name = read(thrown, "name");
    const message = read(thrown, "message");
    const stack = isObject ? read(thrown, "stack") : undefined;
    const statusCode = read(thrown, "statusCode");
    return {
      name: isObject && typeof name === "string" ? slice(name, 0, 200) : "Error",
      message: slice(isObject && typeof message === "string" ? message : inspect(thrown, 0, true), 0, 10_000),
      stack: typeof stack === "string" ? slice(stack, 0, 20_000) : undefined,
      isUserVisible: isObject && read(thrown, "isUserVisible") === true,
      statusCode: isInteger(statusCode) ? (statusCode as number) : undefined,
      fetchId: isObject ? recall(failedFetches, thrown as object) : undefined,
    };
  };

  // Written member by member: `stringify` of an object would call a `toJSON` that the Pack added to `Object.prototype`.
  const errorText = (thrown: unknown): string => {
    const error = describe(thrown);
    return `{"name":${stringify(error.name)},"message":${stringify(error.message)},"isUserVisible":${error.isUserVisible}${
      error.stack === undefined ? "" : `,"stack":${stringify(error.stack)}`
    }${error.statusCode === undefined ? "" : `,"statusCode":${error.statusCode}`}${error.fetchId === undefined ? "" : `,"fetchId":${error.fetchId}`}}`;
  };

  // The Pack can throw such an object too, so only texts, read once, are used.
  const unsendableOf = (error: unknown): UnsendableValue | undefined => {
    const path = read(error, "path");
    const reason = read(error, "reason");
    const isOne = read(error, "isUnsendable") === true && typeof path === "string" && typeof reason === "string";
    return isOne ? { isUnsendable: true, path, reason } : undefined;
  };

  // ---- fetch ---------------------------------------------------------------------------------------------------

  const ask = (run: number, kind: "fetch" | "blob", request: unknown): Promise<unknown> =>
    new PromiseOf((resolve, reject) => {
      if (run !== currentRun) throw new Failure("This context belongs to an invocation that has ended.");
      fetchesOfRun += 1;
      if (fetchesOfRun > limits.maxFetches) throw new Failure(`A formula may send at most ${limits.maxFetches} requests.`);
      let text: string;
      try {
        text = codec.encode(request, "request", limits.maxValueLength);
      } catch (error) {
        const problem = unsendableOf(error);
        throw problem === undefined ? error : new Wrong(`${problem.path} ${problem.reason}.`);
      }
      lastFetch += 1;
      pending[lastFetch] = { resolve, reject };
      send(`{"k":"${kind}","run":${run},"id":${lastFetch},"request":${text}}`);
    });

  /** The body is probably JSON; if not, it stays text. */
  const parseBody = (text: string): unknown => {
    try {
      return parse(text);
    } catch {
      return text;
    }
  };

  const fetcherOf = (run: number) => ({ fetch: (request: unknown): Promise<unknown> => ask(run, "fetch", request) });

  const blobStorageOf = (run: number) => ({
    storeUrl: (url: unknown, options?: unknown, fetchOptions?: unknown): Promise<unknown> =>
      ask(run, "blob", { url, options, fetchOptions }),
    storeBlob: (bytes: unknown, contentType: unknown, options?: unknown): Promise<unknown> =>
      ask(run, "blob", { bytes, contentType, options }),
  });

  const fetchError = (id: number, failure: { name: string; message: string; members: Members }): Error => {
    const error = new Failure(failure.message);
    defineProperty(error, "name", { value: failure.name, writable: true, enumerable: false, configurable: true });
    for (const name of keys(failure.members)) {
      defineProperty(error, name, { value: failure.members[name], writable: true, enumerable: true, configurable: true });
    }
    remember(failedFetches, error, id);
    return error;
  };

  // ---- calls ---------------------------------------------------------------------------------------------------

  const callPack = createCallPack(describe);

  const syncStateOf = (versions: unknown) => ({
    async getLatestRowVersions(ids: string[]) {
      const known: Members = {};
      for (let index = 0; index < ids.length; index++) known[ids[index] as string] = read(versions, ids[index] as string);
      return known;
    },
  });

  const syncOutput = createSyncOutput(codec, createRowEncoder(isJsonSafe, textSeparator), unsendableOf, limits.maxValueLength);

  const run = async (id: number, call: IsolateCall, context: Members): Promise<void> => {
    currentRun = id;
    fetchesOfRun = 0;
    logsOfRun = 0;
    const usedOfRun = create(null) as Record<string, true>;
    let outcome: string;
    try {
      // A Pack may load the first time and fail later, if its top level depends on random numbers.
      if (pack === undefined) throw loadError ?? new Failure("The Pack did not load.");
      const { rowVersions, ...data } = context;
      const services = call.kind === "sync" ? { syncStateService: syncStateOf(rowVersions) } : {};
      const value = await callPack(
        pack,
        call,
        { ...data, ...services, fetcher: fetcherOf(id), temporaryBlobStorage: blobStorageOf(id) },
        usedOfRun,
      );
      const split = call.kind === "sync" ? syncOutput.split(value) : undefined;
      const text = codec.encode(split === undefined ? value : split.rest, "result", limits.maxValueLength);
      let used = "";
      for (const name in usedOfRun) used += (used === "" ? "" : ",") + stringify(name);
      outcome = `{"k":"done","run":${id},"value":${text}${used === "" ? "" : `,"used":[${used}]`}${split === undefined ? "" : `,"rows":${split.count}`}}`;
      if (split !== undefined) outgoingRows = { rows: split.rows, restLength: text.length };
    } catch (error) {
      const problem = unsendableOf(error);
      outcome =
        problem === undefined
          ? `{"k":"failed","run":${id},"error":${errorText(error)}}`
          : `{"k":"unsendable","run":${id},"path":${stringify(problem.path)},"reason":${stringify(problem.reason)}}`;
    }
    currentRun = 0;
    send(outcome);
  };

  // ---- time ----------------------------------------------------------------------------------------------------

  /** Sets the time that `Date` shows, for tests. The prototype is kept, so that `instanceof Date` works. */
  const setPresent = (nowMs: number): void => {
    const present: DateConstructor = new ProxyOf(DateOf, {
      apply: () => textOf(new DateOf(nowMs)),
      construct: (target, args, newTarget) =>
        construct(target, args.length === 0 ? [nowMs] : args, newTarget === present ? target : newTarget),
      get: (target, name, receiver) => (name === "now" ? () => nowMs : getMember(target, name, receiver)),
    });
    defineProperty(globals, "Date", { value: present, writable: true, enumerable: false, configurable: true });
  };

  // ---- globals -------------------------------------------------------------------------------------------------

  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "gc"]) delete globals[name];
  guardCode();
  defineProperty(globals, "global", { value: globalThis, writable: true, enumerable: false, configurable: true });
  defineProperty(globals, "Buffer", { value: Buffer, writable: true, enumerable: false, configurable: true });
  defineProperty(globals, "console", { value: consoleOfPack, writable: true, enumerable: false, configurable: true });

  return {
    load(bundle, randomKey) {
      const crypto = { getRandomValues: createRandomSource(randomKey) };
      defineProperty(globals, "crypto", { value: crypto, writable: true, enumerable: false, configurable: true });
      const module: { exports: unknown } = { exports: {} };
      defineProperty(globals, "module", { value: module, writable: true, enumerable: false, configurable: true });
      defineProperty(globals, "exports", { value: module.exports, writable: true, enumerable: false, configurable: true });
      try {
        bundle(module, module.exports as object);
        const candidate = read(module.exports, "pack") ?? read(module.exports, "manifest");
        if (typeof candidate !== "object" || candidate === null) {
          let names = "";
          for (const name of keys((module.exports ?? {}) as object)) names += (names === "" ? "" : ",") + stringify(name);
          send(`{"k":"noPack","exports":[${names}]}`);
          return;
        }
        pack = candidate as Members;
      } catch (error) {
        loadError = error;
        send(`{"k":"loadFailed","error":${errorText(error)}}`);
      }
    },

    sendDefinition() {
      if (pack === undefined) return;
      try {
        const written: unknown = encodeSnapshot(pack, "written");
        const compiled: unknown = encodeSnapshot(pack, "compiled");
        if (typeof written !== "string" || typeof compiled !== "string")
          throw new Failure("The Pack replaces JSON.stringify, so its definition cannot be read.");
        send(`{"k":"loaded","written":${stringify(written)},"compiled":${stringify(compiled)}}`);
      } catch (error) {
        send(`{"k":"loadFailed","error":${errorText(error)}}`);
      }
    },

    step(message, body) {
      const input = parse(message) as SandboxInput;
      if (input.k === "call") {
        if (input.nowMs !== undefined) setPresent(input.nowMs);
        // `parse` created these objects, so the Pack may own them.
        void run(input.run, codec.revive(input.call) as IsolateCall, codec.revive(input.context) as Members);
        return;
      }
      const waiting = pending[input.id];
      delete pending[input.id];
      if (waiting === undefined) return;
      if (input.k === "fetched") {
        // An untagged response is ready after `parse`.
        const response = includes(message, '"$"') ? codec.revive(input.response) : input.response;
        // An own member already, so no setter of the Pack runs.
        if (body !== undefined) (response as Members)["body"] = parseBody(body);
        waiting.resolve(response);
      } else waiting.reject(fetchError(input.id, codec.revive(input.failure) as { name: string; message: string; members: Members }));
    },

    drain() {
      const messages = `[${outgoing}]`;
      outgoing = "";
      return messages;
    },

    drainRows() {
      if (outgoingRows === undefined) return "";
      const { rows, restLength } = outgoingRows;
      outgoingRows = undefined;
      return syncOutput.write(rows, restLength);
    },
  };
}
