// The registered symbol of `node:util`'s inspect.custom; a symbol needs no import.
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

/**
 * Makes `console.log` and `util.inspect` show an object without its secrets (rule 25). The object stays plain data:
 * the members are readable, and a spread copy is an ordinary object again.
 * @param secretMembers members shown as `••••` when they are set
 */
export function hideSecrets<Members extends object>(target: Members, secretMembers: readonly (keyof Members)[]): Members {
  return Object.defineProperty(target, inspectCustom, {
    enumerable: false,
    configurable: true,
    value: () => {
      const shown: Members = { ...target };
      for (const name of secretMembers) {
        if (shown[name] !== undefined) Object.assign(shown, { [name]: "••••" });
      }
      return shown;
    },
  });
}
