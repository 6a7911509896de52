const CODE_CONSTRUCTORS = [
  Object.getPrototypeOf(() => undefined),
  Object.getPrototypeOf(async () => undefined),
  Object.getPrototypeOf(function* () {}),
  Object.getPrototypeOf(async function* () {}),
] as object[];

const DANGEROUS_PROCESS_MEMBERS = [
  "binding",
  "_linkedBinding",
  "dlopen",
  "kill",
  "_kill",
  "exit",
  "reallyExit",
  "abort",
  "chdir",
  "getBuiltinModule",
  "mainModule",
  "_debugProcess",
  "_startProfilerIdleNotifier",
];

/**
 * Removes dangerous functions from the worker's own realm, as a second line of defence: if an object of this realm ever reached
 * the Pack's code, it could not be used to create code or to reach the process.
 */
export function hardenRealm(): void {
  for (const prototype of CODE_CONSTRUCTORS) Reflect.deleteProperty(prototype, "constructor");
  for (const name of DANGEROUS_PROCESS_MEMBERS) {
    Reflect.deleteProperty(process, name);
    Reflect.defineProperty(process, name, { value: undefined, configurable: true });
  }
  for (const name of ["process", "fetch", "WebAssembly", "WebSocket", "eval", "Function"]) Reflect.deleteProperty(globalThis, name);
}
