import type { SandboxCallbacks } from "../inside/bridge.ts";

type Setter = (callback: unknown) => void;

/**
 * Finds the functions with which Node tells V8 what to call for stack traces, rejected promises and `import()`. What Node sets
 * there belongs to the process's realm, and V8 calls it in the middle of the Pack's code.
 *
 * Only Node's own tests use these functions otherwise, so they need `--expose-internals`. Without them nothing runs.
 * @returns a function that makes V8 call functions of a context instead
 */
export function findNodeCallbacks(): (callbacks: SandboxCallbacks) => void {
  const { internalBinding } = require("internal/test/binding") as { internalBinding(name: string): Record<string, Setter> };
  const setPrepareStackTrace = setterOf(internalBinding("errors"), "setPrepareStackTraceCallback");
  const setPromiseRejected = setterOf(internalBinding("task_queue"), "setPromiseRejectCallback");
  const setImportModule = setterOf(internalBinding("module_wrap"), "setImportModuleDynamicallyCallback");
  return ({ prepareStackTrace, promiseRejected, importModule }) => {
    setPrepareStackTrace(prepareStackTrace);
    setPromiseRejected(promiseRejected);
    setImportModule(importModule);
  };
}

function setterOf(binding: Record<string, Setter>, name: string): Setter {
  const setter = binding[name];
  if (typeof setter !== "function") throw new TypeError(`This version of Node has no ${name}.`);
  return setter;
}
