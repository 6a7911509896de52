import {
  apply,
  create,
  defineProperty,
  errorText,
  freeze,
  getPrototypeOf,
  IntrinsicError,
  ObjectPrototype,
  read,
  slice,
} from "../intrinsics.ts";

/** The methods of a call site that return text, numbers or booleans. */
const DATA_METHODS = [
  ...[
    "getTypeName",
    "getFunctionName",
    "getMethodName",
    "getFileName",
    "getLineNumber",
    "getColumnNumber",
    "getEvalOrigin",
  ],
  ...[
    "getScriptNameOrSourceURL",
    "getPromiseIndex",
    "isToplevel",
    "isEval",
    "isNative",
    "isConstructor",
    "isAsync",
    "isPromiseAll",
  ],
  "toString",
] as const;
/** Those that return functions and objects of any realm. */
const OBJECT_METHODS = ["getThis", "getFunction"] as const;

type Site = Record<string, (() => unknown) | undefined>;

/**
 * Writes `error.stack`. Node asks a function of the process's own realm for it, and what that
 * function throws (at the end of the
 * stack, or for a name that is not text) belongs to that realm. So the process makes V8 ask this
 * function, of the Pack's realm.
 *
 * Frames of the process are left out. An `Error.prepareStackTrace` of the Pack gets copies of the
 * call sites.
 */
export function prepareStackTrace(
  _global: unknown,
  error: unknown,
  trace: ArrayLike<Site>,
): unknown {
  const prepare = isOfRealm(error) ? read(IntrinsicError, "prepareStackTrace") : undefined;
  const copies: unknown[] = [];
  let text = "";
  for (let index = 0; index < trace.length; index++) {
    const site = trace[index] as Site;
    if (isOfProcess(site)) continue;
    if (typeof prepare !== "function") text += `\n    at ${site["toString"]?.()}`;
    // An assignment would call a setter that the Pack added to all arrays.
    else
      defineProperty(copies, copies.length, {
        value: copySite(site),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return typeof prepare === "function"
    ? apply(prepare as never, IntrinsicError, [error, copies])
    : readHeader(error) + text;
}

/** Errors of the process are written here, too, but never shown to the Pack. */
function isOfRealm(error: unknown): boolean {
  let last = error;
  for (let at: unknown = error; at !== null; at = getPrototypeOf(at)) last = at;
  return last === ObjectPrototype || last === error;
}

function isOfProcess(site: Site): boolean {
  const name = site["getFileName"]?.();
  return (
    typeof name === "string" &&
    (slice(name, 0, 5) === "node:" ||
      slice(name, 0, 10) === "packsmith:" ||
      // Node's name for the text that the process starts with, and for what Node wraps around it.
      slice(name, 0, 6) === "[eval]")
  );
}

function readHeader(error: unknown): string {
  try {
    return errorText(error);
  } catch {
    return "<error>";
  }
}

function copySite(site: Site): Site {
  const copy = create(null) as Site;
  for (let index = 0; index < DATA_METHODS.length; index++) {
    const method = DATA_METHODS[index] as string;
    const value = site[method]?.();
    copy[method] = () => value;
  }
  for (let index = 0; index < OBJECT_METHODS.length; index++)
    copy[OBJECT_METHODS[index] as string] = () => undefined;
  return freeze(copy);
}
