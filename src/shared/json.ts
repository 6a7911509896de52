import { isFile, readRegularFile } from "./files.ts";
import { isRecord } from "./values.ts";

/**
 * What a terminal obeys, and what is invisible or changes the direction of a text. JSON itself
 * escapes only the controls below U+0020.
 */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/**
 * A JSON text that is safe to show: characters that a reader does not see as they are, such as
 * controls, are escaped. Parsed, it is the same.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/**
 * @returns the text of a configuration with spaces in place of comments, so that all positions stay
 * the same
 */
export function blankComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, " "),
  );
}

/** Reads an object as TypeScript reads its configurations: with comments and trailing commas. */
export function readJsonWithComments(path: string): Record<string, unknown> | undefined {
  // To look is faster than to fail, and many paths are asked about that do not exist.
  if (!isFile(path)) return undefined;
  try {
    return parseObjectWithComments(readRegularFile(path).toString());
  } catch {
    return undefined;
  }
}

/** The object in a text with comments and trailing commas; undefined for every other text. */
export function parseObjectWithComments(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJsonWithComments(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns `undefined` if the text is not valid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws {SyntaxError} */
function parseJsonWithComments(text: string): unknown {
  try {
    // Nearly all manifests are plain JSON.
    return JSON.parse(text);
  } catch {
    const plain = blankComments(text)
      .replace(/^\uFEFF/, "")
      .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, literal?: string) => literal ?? "");
    return JSON.parse(plain);
  }
}
