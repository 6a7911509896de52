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
