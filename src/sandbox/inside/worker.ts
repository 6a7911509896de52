import vm from "node:vm";
import { type MessagePort, workerData } from "node:worker_threads";
import { encodeSnapshot } from "../../define/snapshot.ts";
import { createCodec } from "../codec.ts";
import { createJsonSafeCheck } from "../json-safe.ts";
import { type LoadRequest, RENEW, RESET, type SandboxLimits, type WorkerReport } from "../protocol.ts";
import { createRowEncoder, TEXT_SEPARATOR } from "../row-codec.ts";
import { bootstrap, type SandboxBridge } from "./bootstrap.ts";
import { createBufferClass } from "./buffer.ts";
import { createCallPack } from "./call-pack.ts";
import { guardCode } from "./guard-code.ts";
import { hardenRealm } from "./harden-realm.ts";
import { createInspect } from "./inspect.ts";
import { createMemoryReport } from "./memory-report.ts";
import { createRandomSource } from "./random-source.ts";
import { createSyncOutput } from "./sync-output.ts";

// The sandbox: a V8 context in a worker. Only text passes between this realm and the context. No object or function of this
// realm is passed in, and of what the context returns or throws only strings are read.

const WRAPPER = ["(function (module, exports) {", "\n})"] as const;
const LIMITS: SandboxLimits = { maxValueLength: 25 * 1024 * 1024, maxLogEntries: 1000, maxLogLength: 10_000, maxFetches: 10_000 };

const { memoryLimitBytes, port } = workerData as { memoryLimitBytes: number; port: MessagePort };

// Rejections inside the context belong to the Pack. Their reasons are objects of the context and are not read.
process.on("unhandledRejection", () => undefined);

/** One V8 context with a Pack. All state of the Pack's code ends with it. */
interface Realm {
  context: vm.Context;
  bridge: SandboxBridge;
}

const drainMicrotasks = new vm.Script("0");
const sandbox = new vm.Script(
  `"use strict";(${bootstrap})(${createJsonSafeCheck}, ${createCodec}, ${createRowEncoder}, ${createSyncOutput}, ${encodeSnapshot}, ${createInspect}, ${createCallPack}, ${createBufferClass}, ${createRandomSource}, ${guardCode}, ${JSON.stringify(TEXT_SEPARATOR)}, ${JSON.stringify(LIMITS)})`,
  { filename: "sandbox.js" },
);

const report = (message: WorkerReport): void => port.postMessage(JSON.stringify([message]));
const reportMemory = createMemoryReport(memoryLimitBytes, () => report({ k: "outOfMemory" }));

const openRealm = (): Realm => {
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: true, wasm: false },
    microtaskMode: "afterEvaluate",
  });
  return { context, bridge: sandbox.runInContext(context) as SandboxBridge };
};

/** @returns the messages of the sandbox as a JSON array */
const enter = (realm: Realm, work: (bridge: SandboxBridge) => void): string => {
  work(realm.bridge);
  drainMicrotasks.runInContext(realm.context);
  const messages: unknown = realm.bridge.drain();
  return typeof messages === "string" ? messages : "[]";
};

const loadInto = ({ context, bridge }: Realm, script: vm.Script, seed: string): void => bridge.load(script.runInContext(context), seed);

const compile = ({ code, fileName }: LoadRequest): vm.Script | undefined => {
  const wrapped = WRAPPER[0] + code + WRAPPER[1];
  let script: vm.Script;
  try {
    script = new vm.Script(wrapped, { filename: fileName, columnOffset: -WRAPPER[0].length });
  } catch (error) {
    const line = error instanceof Error ? /^.*:(\d+)\n/.exec(error.stack ?? "")?.[1] : undefined;
    report({ k: "syntax", message: error instanceof Error ? error.message : "", line: line === undefined ? undefined : Number(line) });
    return undefined;
  }
  if (!hasDynamicImport(wrapped)) return script;
  report({ k: "dynamicImport" });
  return undefined;
};

let realm = openRealm();
let bundle: vm.Script | undefined;
let isLoaded = false;

const receive = (message: string, body?: string): void => {
  if (message.startsWith(RENEW)) {
    realm = openRealm();
    // Console lines of the top level were already reported when the definition was read.
    const script = bundle;
    if (script !== undefined) enter(realm, () => loadInto(realm, script, message.slice(RENEW.length)));
    return;
  }
  if (message === RESET) {
    realm = openRealm();
    isLoaded = false;
    return;
  }
  let messages = "[]";
  if (isLoaded) messages = enter(realm, (bridge) => bridge.step(message, body));
  else {
    isLoaded = true;
    const request = JSON.parse(message) as LoadRequest;
    const script = compile(request);
    bundle = script;
    if (script !== undefined) {
      messages = enter(realm, (bridge) => {
        loadInto(realm, script, request.seed);
        bridge.sendDefinition();
      });
    }
  }
  // Memory that grows slowly between awaits is not noticed by the watch outside.
  if (reportMemory() || messages === "[]") return;
  port.postMessage(messages);
  const rows: unknown = realm.bridge.drainRows();
  if (typeof rows === "string" && rows !== "") port.postMessage([rows]);
};

port.on("message", (received: string | [message: string, body: string]) => {
  try {
    if (typeof received === "string") receive(received);
    else receive(received[0], received[1]);
  } catch {
    report({ k: "broken" });
  }
});

hardenRealm();

/**
 * Whether a script has an `import()` expression. V8 returns a promise of the host's realm for it, which is a way out of the
 * sandbox, so such a bundle does not run.
 *
 * V8's own parser decides: the word is written with an escape, which means the same in strings, templates, comments, regular
 * expressions and property names, and is a syntax error only where it is the keyword.
 * @param wrapped a script that compiles
 */
export function hasDynamicImport(wrapped: string): boolean {
  if (!wrapped.includes("import")) return false;
  const escaped = wrapped.replace(/(\\*)import/g, (word, slashes: string) => (slashes.length % 2 === 1 ? word : `${slashes}\\u0069mport`));
  try {
    new vm.Script(escaped);
    return false;
  } catch {
    return true;
  }
}
