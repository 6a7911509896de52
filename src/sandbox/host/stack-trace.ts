import { SourceMap } from "node:module";
import type { SourcePlace } from "../../errors.ts";
import { isInPackage } from "../../shared/installed-packages.ts";

/** Maps positions in the bundle to the author's source. */
export interface StackMapper {
  /**
   * The frames of the author's own code, such as `at formula (pack.ts:22:18)`; `undefined` when
   * there are no such frames.
   */
  map(stack: string | undefined): string | undefined;
  /** The innermost place in the author's own code; if there is none, in a package. */
  place(stack: string | undefined): SourcePlace | undefined;
  /** The innermost place in the author's own code or in a package. */
  innermost(stack: string | undefined): SourcePlace | undefined;
  /** Maps a position in the bundle to the author's source. Lines and columns count from 1. */
  locate(line: number, column: number): SourcePlace | undefined;
}

interface Frame {
  name: string | undefined;
  place: SourcePlace;
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
    return {
      file: entry.originalSource,
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };
  const escaped = fileName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const frame = new RegExp(`^\\s*at (?:(?:async )?(.*?) \\()?${escaped}:(\\d+):(\\d+)\\)?$`);
  /** The frames of the Pack's code and of its packages. */
  const parseFrames = (stack = ""): Frame[] =>
    stack.split("\n").flatMap((text) => {
      const match = frame.exec(text);
      const place = match === null ? undefined : locate(Number(match[2]), Number(match[3]));
      return place === undefined || place.file.startsWith("packsmith/")
        ? []
        : [{ name: match?.[1], place }];
    });
  const isOwn = ({ place }: Frame): boolean => !isInPackage(place.file);
  return {
    locate,
    map(stack) {
      const lines = parseFrames(stack)
        .filter(isOwn)
        .map(({ name, place: { file, line, column } }) => {
          const place = `${file}:${line}:${column}`;
          // The name of a function may be any text of any length.
          return name === undefined ? `at ${place}` : `at ${name.slice(0, 200)} (${place})`;
        });
      return lines.length === 0 ? undefined : lines.join("\n");
    },
    place(stack) {
      const frames = parseFrames(stack);
      return (frames.find(isOwn) ?? frames[0])?.place;
    },
    innermost: (stack) => parseFrames(stack)[0]?.place,
  };
}
