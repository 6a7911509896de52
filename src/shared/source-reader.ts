import { resolve } from "node:path";
import { readRegularFile } from "./regular-file.ts";

/** Reads each file once; a file that cannot be read has no text. */
export function createSourceReader(cwd: string): (file: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  return (file) => {
    if (!texts.has(file)) texts.set(file, readText(resolve(cwd, file)));
    return texts.get(file);
  };
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path)
      .toString()
      .replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}
