import { isRecord } from "./is-record.ts";
import { readRegularFile } from "./regular-file.ts";

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
  try {
    const text = blankComments(readRegularFile(path).toString()).replace(/^\uFEFF/, "");
    const plain = text.replace(
      /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g,
      (_, literal?: string) => literal ?? "",
    );
    const value: unknown = JSON.parse(plain);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
