import { defineProperty } from "../intrinsics.ts";
import { Buffer } from "./buffer.ts";
import { createConsole } from "./console.ts";
import { guardCode } from "./guard-code.ts";
import { TextEncoder } from "./text-encoder.ts";

/**
 * The runtime of the service has none of them. The first three are ways to wait, to measure short
 * times and to make machine code.
 */
const REMOVED = ["SharedArrayBuffer", "Atomics", "WebAssembly"];

/** Makes the globals of the Pack runtime. */
export function installGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
  guardCode();
  defineGlobal("global", globalThis);
  defineGlobal("Buffer", Buffer);
  defineGlobal("TextEncoder", TextEncoder);
  defineGlobal("console", createConsole());
}

export function defineGlobal(name: string, value: unknown): void {
  defineProperty(globalThis, name, {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
