import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";
import Module from "node:module";
import vm from "node:vm";
import { encodeFrame, HEADER_BYTES, readHeader } from "../frame.ts";
import type { SandboxBridge } from "../inside/bridge.ts";
import type { UrlFactory } from "../inside/urls.ts";
import { type LoadRequest, type ProcessReport, RENEW, RESET } from "../protocol.ts";
import { hardenProcess, refuseModules } from "./harden.ts";
import { createMemoryCheck, findNodeCallbacks } from "./node-internals.ts";

// The sandbox: a V8 context in a process without files and environment. Only text passes between
// this realm and the context: no object or function of this realm is passed in, and of what the
// context returns or throws only strings are read.

/** The text of `inside/bridge.ts` with everything that it imports; the build puts it here. */
declare const INSIDE: string;

const INPUT = 0;
const OUTPUT = 1;

const WRAPPER = ["(function (module, exports) {", "\n})"] as const;

/** One V8 context with a Pack. All state of the Pack's code ends with it. */
interface Realm {
  context: vm.Context;
  bridge: SandboxBridge;
}

// `exit` would need the rest of `process`.
const { reallyExit } = process as typeof process & { reallyExit(code: number): never };
const installCallbacks = findNodeCallbacks();
const inside = new vm.Script(INSIDE, { filename: "packsmith:sandbox" });
const globalNames = new vm.Script('Object.getOwnPropertyNames(globalThis).join(" ")');
const drainMicrotasks = new vm.Script("0");

function openRealm(): Realm {
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: true, wasm: false },
    microtaskMode: "afterEvaluate",
  });
  const bridge = inside.runInContext(context) as SandboxBridge;
  installCallbacks(bridge.callbacks);
  return { context, bridge };
}

const report = (message: ProcessReport): void => sendTexts(JSON.stringify([message]));

/** @returns the messages of the sandbox as a JSON array */
function enter(realm: Realm, work: (bridge: SandboxBridge) => void): string {
  work(realm.bridge);
  drainMicrotasks.runInContext(realm.context);
  const messages: unknown = realm.bridge.drain();
  return typeof messages === "string" ? messages : "[]";
}

function loadInto({ context, bridge }: Realm, script: vm.Script, seed: string): void {
  if (urls !== undefined) bridge.defineUrls(urls.runInContext(context) as UrlFactory);
  bridge.load(script.runInContext(context), seed);
}

function compile({ code, fileName }: LoadRequest): vm.Script | undefined {
  const wrapped = WRAPPER[0] + code + WRAPPER[1];
  let script: vm.Script;
  try {
    script = new vm.Script(wrapped, { filename: fileName, columnOffset: -WRAPPER[0].length });
  } catch (error) {
    const line = error instanceof Error ? /^.*:(\d+)\n/.exec(error.stack ?? "")?.[1] : undefined;
    report({
      k: "syntax",
      message: error instanceof Error ? error.message : "",
      line: line === undefined ? undefined : Number(line),
    });
    return undefined;
  }
  if (!hasDynamicImport(wrapped)) return script;
  report({ k: "dynamicImport" });
  return undefined;
}

let realm = openRealm();
let bundle: vm.Script | undefined;
let urls: vm.Script | undefined;
let isLoaded = false;

function receive(message: string, body?: string): string {
  if (message.startsWith(RENEW)) {
    realm = openRealm();
    // Console lines of the top level were already reported when the definition was read.
    const script = bundle;
    if (script !== undefined)
      enter(realm, () => loadInto(realm, script, message.slice(RENEW.length)));
    return "[]";
  }
  if (message === RESET) {
    realm = openRealm();
    isLoaded = false;
    return "[]";
  }
  if (isLoaded) return enter(realm, (bridge) => bridge.step(message, body));
  isLoaded = true;
  const request = JSON.parse(message) as LoadRequest;
  const script = compile(request);
  bundle = script;
  urls =
    request.urls === undefined
      ? undefined
      : new vm.Script(request.urls, { filename: "packsmith:urls" });
  if (script === undefined) return "[]";
  return enter(realm, (bridge) => {
    loadInto(realm, script, request.seed);
    bridge.sendDefinition();
  });
}

const isOutOfMemory = createMemoryCheck(Number(receiveTexts()?.[0]));
refuseModules(Module);
hardenProcess(String(globalNames.runInContext(realm.context)).split(" "));

for (let texts = receiveTexts(); texts !== undefined; texts = receiveTexts()) {
  const [message = "", body] = texts;
  try {
    const messages = receive(message, body);
    // Memory that grows slowly between awaits is not noticed by the watch outside.
    if (isOutOfMemory()) report({ k: "outOfMemory" });
    else if (messages !== "[]") {
      sendTexts(messages);
      const rows: unknown = realm.bridge.drainRows();
      if (typeof rows === "string" && rows !== "") sendTexts(rows, "");
    }
  } catch {
    report({ k: "broken" });
  }
}
reallyExit(0);

/**
 * Whether a script has an `import()` expression, which would be rejected when it runs. Such a
 * bundle does not load, so that its
 * author is told at once.
 *
 * V8's own parser decides: the word is written with an escape, which means the same in strings,
 * templates, comments, regular
 * expressions and property names, and is a syntax error only where it is the keyword.
 * @param wrapped a script that compiles
 */
function hasDynamicImport(wrapped: string): boolean {
  if (!wrapped.includes("import")) return false;
  const escaped = wrapped.replace(/(\\*)import/g, (word, slashes: string) =>
    slashes.length % 2 === 1 ? word : `${slashes}\\u0069mport`,
  );
  try {
    new vm.Script(escaped);
    return false;
  } catch {
    return true;
  }
}

/**
 * Waits for the next message. The process has no event loop while it waits, so nothing runs between
 * two messages.
 * @returns `undefined` when the host has closed the pipe or ended
 */
function receiveTexts(): string[] | undefined {
  const texts: string[] = [];
  for (;;) {
    const header = readBytes(HEADER_BYTES);
    if (header === undefined) return undefined;
    const { length, isContinued, encoding } = readHeader(header);
    const bytes = readBytes(length);
    if (bytes === undefined) return undefined;
    texts.push(bytes.toString(encoding));
    if (!isContinued) return texts;
  }
}

function sendTexts(...texts: readonly string[]): void {
  for (let index = 0; index < texts.length; index++) {
    const frame = encodeFrame(texts[index] as string, index < texts.length - 1);
    for (let at = 0; at < frame.length; ) at += writeSync(OUTPUT, frame, at);
  }
}

function readBytes(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const count = readSync(INPUT, bytes, at, length - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}
