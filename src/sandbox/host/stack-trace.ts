import { SourceMap } from "node:module";

/** Maps positions in the bundle to the author's source. */
export interface StackMapper {
  /** The frames of the author's own code, such as `at formula (pack.ts:22:18)`; `undefined` when there are no such frames. */
  map(stack: string | undefined): string | undefined;
  /** Maps a position in the bundle to the author's source. Lines and columns count from 1. */
  locate(line: number, column: number): { file: string; line: number; column: number } | undefined;
}

/**
 * @param fileName the name under which the bundle runs
 * @param sourceMap JSON text of its source map; without it positions are not mapped
 */
export function createStackMapper(fileName: string, sourceMap: string | undefined): StackMapper {
  let parsed: SourceMap | undefined;
  const locate: StackMapper["locate"] = (line, column) => {
    if (sourceMap === undefined) return { file: fileName, line, column };
    parsed ??= new SourceMap(JSON.parse(sourceMap));
    const entry = parsed.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry) || entry.originalSource === undefined) return undefined;
    return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  };
  const escaped = fileName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const frame = new RegExp(`^\\s*at (?:(?:async )?(.*?) \\()?${escaped}:(\\d+):(\\d+)\\)?$`);
  return {
    locate,
    map(stack) {
      const lines: string[] = [];
      for (const text of stack?.split("\n") ?? []) {
        const match = frame.exec(text);
        if (match === null) continue;
        const position = locate(Number(match[2]), Number(match[3]));
        if (position === undefined || /(^|\/)node_modules\/|^packsmith\//.test(position.file)) continue;
        const place = `${position.file}:${position.line}:${position.column}`;
        // The name of a function may be any text of any length.
        lines.push(match[1] === undefined ? `at ${place}` : `at ${match[1].slice(0, 200)} (${place})`);
      }
      return lines.length === 0 ? undefined : lines.join("\n");
    },
  };
}
