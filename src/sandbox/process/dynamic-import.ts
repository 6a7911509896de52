import vm from "node:vm";

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
export function hasDynamicImport(wrapped: string): boolean {
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
