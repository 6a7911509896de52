import vm from "node:vm";

/**
 * Tells whether a script has an `import()` expression. V8 answers one with a promise of the host's realm, which is a
 * way out of the sandbox, so a bundle that has one does not run.
 *
 * V8's own parser decides: the word is respelled with an escape, which means the same in strings, templates, comments,
 * regular expressions and property names, and is a syntax error only as the keyword.
 * @param wrapped a script that compiles
 */
export function hasDynamicImport(wrapped: string): boolean {
  if (!wrapped.includes("import")) return false;
  const respelled = wrapped.replace(/(\\*)import/g, (word, slashes: string) =>
    slashes.length % 2 === 1 ? word : `${slashes}\\u0069mport`,
  );
  try {
    new vm.Script(respelled);
    return false;
  } catch {
    return true;
  }
}
