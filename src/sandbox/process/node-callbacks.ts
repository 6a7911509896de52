import type { SandboxCallbacks } from "../inside/bridge.ts";
import { nodeInternals } from "./node-internals.ts";

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
