/**
 * Under this symbol a compiled part keeps what its author wrote. It is registered, so every realm
 * and every copy of packsmith finds it.
 */
const WRITTEN = Symbol.for("packsmith.written");

/**
 * Keeps what the author wrote with the compiled part, for rules and messages. The member is not
 * enumerable: a changed copy
 * (`{ ...formula, name: "Other" }`) does not claim to be what the author wrote.
 */
export function keepWritten<Part extends object>(compiled: Part, written: object): Part {
  return Object.defineProperty(compiled, WRITTEN, { value: written });
}

/**
 * @returns what the author wrote; a part that was not compiled, or that another tool compiled, is
 * returned as it is
 */
export function copyWritten<Part extends object>(part: Part): Part {
  return ((part as { [WRITTEN]?: Part })[WRITTEN] ?? part) as Part;
}
