import { getHeapStatistics } from "node:v8";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { encodeSnapshot } from "../../define/snapshot.ts";
import { createWireCodec } from "../wire.ts";
import { bootstrap, type SandboxBridge } from "./bootstrap.ts";
import { hasDynamicImport } from "./dynamic-import.ts";
import { hardenRealm } from "./harden-realm.ts";
import type { LoadRequest, SandboxLimits, WorkerReport } from "./protocol.ts";

// The sandbox: a V8 context in a worker. Only text crosses from here into the context and back; no object or function
// of this realm is ever passed in, and nothing that the context throws or returns is looked at beyond "it threw" and
// "it is a string".

const WRAPPER = ["(function (module, exports) {", "\n})"] as const;
const LIMITS: SandboxLimits = { maxValueLength: 25 * 1024 * 1024, maxLogEntries: 1000, maxLogLength: 10_000, maxFetches: 10_000 };

const { memoryLimitBytes } = workerData as { memoryLimitBytes: number };
const port = parentPort;
if (port === null) throw new TypeError("The sandbox worker runs in a worker thread only.");

// Rejections inside the context are the Pack's own affair; their reasons are objects of the context and stay untouched.
process.on("unhandledRejection", () => undefined);

const context = vm.createContext(Object.create(null), {
  codeGeneration: { strings: false, wasm: false },
  microtaskMode: "afterEvaluate",
});
const drainMicrotasks = new vm.Script("0");
const bridge = vm.runInContext(
  `"use strict";(${bootstrap})(${createWireCodec}, ${encodeSnapshot}, ${JSON.stringify(LIMITS)})`,
  context,
) as SandboxBridge;

const report = (message: WorkerReport): void => port.postMessage(JSON.stringify([message]));

const enter = (work: () => void): void => {
  try {
    work();
    drainMicrotasks.runInContext(context);
    const messages: unknown = bridge.drain();
    // What a Pack keeps between its runs grows too slowly for the watch outside.
    if (getHeapStatistics().used_heap_size > memoryLimitBytes) report({ k: "outOfMemory" });
    else if (typeof messages === "string" && messages !== "[]") port.postMessage(messages);
  } catch {
    report({ k: "broken" });
  }
};

const load = ({ code, fileName }: LoadRequest): void => {
  const wrapped = WRAPPER[0] + code + WRAPPER[1];
  let script: vm.Script;
  try {
    script = new vm.Script(wrapped, { filename: fileName, columnOffset: -WRAPPER[0].length });
  } catch (error) {
    const line = error instanceof Error ? /^.*:(\d+)\n/.exec(error.stack ?? "")?.[1] : undefined;
    report({ k: "syntax", message: error instanceof Error ? error.message : "", line: line === undefined ? undefined : Number(line) });
    return;
  }
  if (hasDynamicImport(wrapped)) {
    report({ k: "dynamicImport" });
    return;
  }
  enter(() => bridge.load(script.runInContext(context)));
};

let isLoaded = false;
port.on("message", (message: string) => {
  if (isLoaded) {
    enter(() => bridge.step(message));
    return;
  }
  isLoaded = true;
  load(JSON.parse(message) as LoadRequest);
});

hardenRealm();
