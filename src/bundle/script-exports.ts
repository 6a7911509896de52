/**
 * Chooses the format that esbuild writes. As CommonJS it adds half a kilobyte of helpers; an ES
 * module ends with the list of its
 * exports, which `asScript` turns into a script. Only a Pack that adds exports while it runs needs
 * CommonJS.
 * @param text the text of the entry file
 */
export function outputFormat(text: string): "cjs" | "esm" {
  return /\bexport\s*\*|\bmodule\b|\bexports\b/.test(text) ? "cjs" : "esm";
}

/**
 * Turns the output of esbuild into a script that assigns `module.exports`. Only the end changes, so
 * the source map stays valid.
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
