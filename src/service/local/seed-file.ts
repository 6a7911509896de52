import { readFile } from "node:fs/promises";
import { PackError } from "../../errors.ts";
import { parseSeed, type Seed } from "./seed.ts";

/**
 * Reads a seed from a JSON file.
 * @throws {PackError} SEED_INVALID when the file cannot be read, is not JSON or describes no documents
 */
export async function readSeedFile(path: string): Promise<Seed> {
  return parseSeed(parseJson(await readText(path), path), path);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : "the file cannot be read";
    throw invalid(path, reason, error);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(path, error instanceof Error ? error.message : "not JSON", error);
  }
}

function invalid(file: string, problem: string, cause: unknown): PackError<"SEED_INVALID"> {
  return new PackError("SEED_INVALID", `${file} cannot be used as a seed: ${problem}.`, {
    details: { file, problems: [problem] },
    hint: "Name a JSON file with users and docs.",
    cause,
  });
}
