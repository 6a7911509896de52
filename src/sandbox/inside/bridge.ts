import { encodeSnapshot } from "../../define/snapshot.ts";
import { encodeValue, reviveValue } from "../codec.ts";
import {
  construct,
  create,
  defineProperty,
  getMember,
  IntrinsicDate,
  IntrinsicError,
  IntrinsicProxy,
  IntrinsicString,
  keys,
  parse,
  read,
  stringify,
} from "../intrinsics.ts";
import {
  type ContextData,
  type IsolateCall,
  MAX_VALUE_LENGTH,
  type SandboxInput,
} from "../protocol.ts";
import { toBuffer } from "./buffer.ts";
import { callPack } from "./call-pack.ts";
import { restartConsole } from "./console.ts";
import { describedText, findUnsendable } from "./errors.ts";
import { defineGlobal, installGlobals } from "./globals.ts";
import { drain, send } from "./output.ts";
import { createRandomSource } from "./random-source.ts";
import { allowRequestsFrom, createServices, receiveAnswer } from "./requests.ts";
import { prepareStackTrace } from "./stack-trace.ts";
import { splitSync, writeRows } from "./sync-output.ts";
import { defineUrls } from "./urls.ts";

// The process evaluates this module in each new context, before the Pack's code, and calls the
// bridge from outside. No object of the process enters the context: everything asynchronous comes
// through `step`.

/** The process's access to the context: functions whose arguments and results are text. */
export interface SandboxBridge {
  /**
   * Evaluates the bundle, a function of the context that the process compiled.
   * @param randomKey 64 hexadecimal digits, the key of `crypto.getRandomValues`
   */
  load(bundle: (module: object, exports: object) => void, randomKey: string): void;
  /** Defines URL and URLSearchParams. To be called before `load`. */
  defineUrls: typeof defineUrls;
  /**
   * Sends the definition of the loaded Pack. Large Packs take a while, so this is not part of
   * `load`, which precedes each call.
   */
  sendDefinition(): void;
  /**
   * Receives one message.
   * @param body text of the response's body, which is read here; of bytes, a character for each
   */
  step(message: string, body?: string): void;
  /** Returns the messages as a JSON array, and clears them. */
  drain(): string;
  /**
   * Writes the rows of the last result, and clears them. The host can start the next page
   * meanwhile.
   */
  drainRows(): string;
  /** Functions that the process gives to V8, so that what V8 calls belongs to the context. */
  callbacks: SandboxCallbacks;
}

export interface SandboxCallbacks {
  prepareStackTrace: typeof prepareStackTrace;
  /** Node would keep the promise and report it later, with objects of its own realm. */
  promiseRejected(): void;
  importModule(): never;
}

let pack: object | undefined;
let loadError: unknown;
let outgoingRows: { rows: readonly unknown[]; restLength: number } | undefined;

installGlobals();

export const bridge: SandboxBridge = {
  load,
  defineUrls,
  sendDefinition,
  step,
  drain,
  drainRows,
  callbacks: {
    prepareStackTrace,
    promiseRejected: () => undefined,
    importModule() {
      throw new IntrinsicError("The Pack runtime has no import().");
    },
  },
};

function load(bundle: (module: object, exports: object) => void, randomKey: string): void {
  defineGlobal("crypto", { getRandomValues: createRandomSource(randomKey) });
  const module: { exports: unknown } = { exports: {} };
  defineGlobal("module", module);
  defineGlobal("exports", module.exports);
  try {
    bundle(module, module.exports as object);
    const candidate = read(module.exports, "pack") ?? read(module.exports, "manifest");
    if (typeof candidate === "object" && candidate !== null) pack = candidate;
    else send(`{"k":"noPack","exports":${formatNames(module.exports)}}`);
  } catch (error) {
    loadError = error;
    send(`{"k":"loadFailed","error":${describedText(error)}}`);
  }
}

function formatNames(exports: unknown): string {
  const names = keys((exports ?? {}) as object);
  let text = "";
  for (let index = 0; index < names.length; index++)
    text += (index === 0 ? "" : ",") + stringify(names[index]);
  return `[${text}]`;
}

function sendDefinition(): void {
  if (pack === undefined) return;
  try {
    const written: unknown = encodeSnapshot(pack, "written");
    const compiled: unknown = encodeSnapshot(pack, "compiled");
    if (typeof written !== "string" || typeof compiled !== "string")
      throw new IntrinsicError(
        "The Pack replaces JSON.stringify, so its definition cannot be read.",
      );
    send(`{"k":"loaded","written":${stringify(written)},"compiled":${stringify(compiled)}}`);
  } catch (error) {
    send(`{"k":"loadFailed","error":${describedText(error)}}`);
  }
}

function step(message: string, body?: string): void {
  // `parse` creates these objects, so the Pack may own them.
  const input = parse(message) as SandboxInput;
  if (input.k !== "call") {
    receiveAnswer(input, message, body);
    return;
  }
  if (input.nowMs !== undefined) setPresent(input.nowMs);
  void run(
    input.run,
    reviveValue(input.call, toBuffer) as IsolateCall,
    reviveValue(input.context, toBuffer) as ContextData,
  );
}

async function run(id: number, call: IsolateCall, context: ContextData): Promise<void> {
  allowRequestsFrom(id);
  restartConsole();
  let outcome: string;
  try {
    outcome = await getOutcome(id, call, context);
  } catch (error) {
    const problem = findUnsendable(error);
    outcome =
      problem === undefined
        ? `{"k":"failed","run":${id},"error":${describedText(error)}}`
        : `{"k":"unsendable","run":${id},"path":${stringify(problem.path)},"reason":${stringify(problem.reason)}}`;
  }
  allowRequestsFrom(0);
  send(outcome);
}

async function getOutcome(
  id: number,
  call: IsolateCall,
  { rowVersions, ...data }: ContextData,
): Promise<string> {
  // A Pack may load the first time and fail later, if its top level depends on random numbers.
  if (pack === undefined) throw loadError ?? new IntrinsicError("The Pack did not load.");
  const usedMembers = create(null) as Record<string, true>;
  const ofSync = call.kind === "sync" ? { syncStateService: createSyncState(rowVersions) } : {};
  const value = await callPack(
    pack,
    call,
    { ...data, ...ofSync, ...createServices(id) },
    usedMembers,
  );
  const parts = call.kind === "sync" ? splitSync(value) : undefined;
  const text = encodeValue(parts === undefined ? value : parts.rest, "result", MAX_VALUE_LENGTH);
  let used = "";
  for (const name in usedMembers) used += (used === "" ? "" : ",") + stringify(name);
  if (parts !== undefined) outgoingRows = { rows: parts.rows, restLength: text.length };
  return `{"k":"done","run":${id},"value":${text}${used === "" ? "" : `,"used":[${used}]`}${parts === undefined ? "" : `,"rows":${parts.count}`}}`;
}

function createSyncState(versions: ContextData["rowVersions"]) {
  return {
    async getLatestRowVersions(ids: string[]) {
      const known: Record<string, unknown> = {};
      for (let index = 0; index < ids.length; index++)
        known[ids[index] as string] = read(versions, ids[index] as string);
      return known;
    },
  };
}

function drainRows(): string {
  if (outgoingRows === undefined) return "";
  const { rows, restLength } = outgoingRows;
  outgoingRows = undefined;
  return writeRows(rows, restLength);
}

/**
 * Sets the time that `Date` shows, for tests. The prototype is kept, so that `instanceof Date`
 * works.
 */
function setPresent(nowMs: number): void {
  const present: DateConstructor = new IntrinsicProxy(IntrinsicDate, {
    apply: () => IntrinsicString(new IntrinsicDate(nowMs)),
    construct: (target, args, newTarget) =>
      construct(
        target,
        args.length === 0 ? [nowMs] : args,
        newTarget === present ? target : newTarget,
      ),
    get: (target, name, receiver) =>
      name === "now" ? () => nowMs : getMember(target, name, receiver),
  });
  defineProperty(globalThis, "Date", {
    value: present,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
