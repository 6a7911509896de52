import vm from "node:vm";
import type { SandboxCallbacks } from "../inside/bridge.ts";

/**
 * One of Node's internal bindings. Only Node's own tests use them otherwise, so they need
 * `--expose-internals`, and their members
 * are checked: without one of them nothing runs.
 */
export function nodeInternals(name: string): { member<Value>(name: string): Value } {
  const { internalBinding } = require("internal/test/binding") as {
    internalBinding(name: string): Record<string, unknown>;
  };
  const binding = internalBinding(name);
  return {
    member<Value>(key: string): Value {
      if (binding[key] === undefined)
        throw new TypeError(`This version of Node has no ${name}.${key}.`);
      return binding[key] as Value;
    },
  };
}

/**
 * Creates the exact check of the memory in use by a Pack, for moments when its code does not run.
 * V8 also counts garbage, so
 * memory over the limit is collected and counted again.
 * @param limitBytes limit of objects and buffers together
 * @returns a function that says whether the limit is exceeded
 */
export function createMemoryCheck(limitBytes: number): () => boolean {
  // `node:v8` has the same, and loads streams: a seventh of the time that the process takes to
  // start.
  const v8 = nodeInternals("v8");
  const update = v8.member<() => void>("updateHeapStatisticsBuffer");
  const statistics = v8.member<Float64Array>("heapStatisticsBuffer");
  const [heap, external] = [
    v8.member<number>("kUsedHeapSizeIndex"),
    v8.member<number>("kExternalMemoryIndex"),
  ];
  const setFlags = v8.member<(flags: string) => void>("setFlagsFromString");
  const usedBytes = (): number => {
    update();
    return (statistics[heap] as number) + (statistics[external] as number);
  };

  const start = usedBytes();
  let collectGarbage: (() => void) | undefined;
  return () => {
    if (usedBytes() - start <= limitBytes) return false;
    collectGarbage ??= exposeCollector(setFlags);
    collectGarbage();
    return usedBytes() - start > limitBytes;
  };
}

/**
 * Only contexts that are created while the flag is set have the function; no sandbox is created in
 * between.
 */
function exposeCollector(setFlags: (flags: string) => void): () => void {
  setFlags("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  setFlags("--no-expose-gc");
  return collect;
}

type Setter = (callback: unknown) => void;

/**
 * Finds the functions with which Node tells V8 what to call for stack traces, rejected promises and
 * `import()`. What Node sets
 * there belongs to the process's realm, and V8 calls it in the middle of the Pack's code.
 * @returns a function that makes V8 call functions of a context instead
 */
export function findNodeCallbacks(): (callbacks: SandboxCallbacks) => void {
  const setPrepareStackTrace = nodeInternals("errors").member<Setter>(
    "setPrepareStackTraceCallback",
  );
  const setPromiseRejected = nodeInternals("task_queue").member<Setter>("setPromiseRejectCallback");
  const setImportModule = nodeInternals("module_wrap").member<Setter>(
    "setImportModuleDynamicallyCallback",
  );
  return ({ prepareStackTrace, promiseRejected, importModule }) => {
    setPrepareStackTrace(prepareStackTrace);
    setPromiseRejected(promiseRejected);
    setImportModule(importModule);
  };
}
