/**
 * How esbuild writes the exports of a Pack. As a script it adds half a kilobyte that makes any module one; as an ES module it ends
 * with the list of its exports, which is a script after one change. A Pack that adds to its exports while it runs needs the former.
 * @param text the entry file
 */
export function outputFormat(text: string): "cjs" | "esm" {
  return /\bexport\s*\*|\bmodule\b|\bexports\b/.test(text) ? "cjs" : "esm";
}

/**
 * Makes a script that assigns `module.exports` of what esbuild has written; every position before its end stays.
 * @param code an ES module whose exports are its last statement, or a script
 */
export function asScript(code: string): string {
  return code.replace(/\bexport( ?)\{([^{}]*)\};\n$/, (_, space: string, list: string) => {
    const members = list
      .split(",")
      .map((member) => member.trim().split(/\s+as\s+/))
      .map(([local = "", name = local]) => `${name}:${space}${local}`);
    return `module.exports${space}=${space}{${space}${members.join(`,${space}`)}${space}};\n`;
  });
}
