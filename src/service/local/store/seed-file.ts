import { extname } from "node:path";
import { PackError } from "../../../errors.ts";
import { describeJsonError, systemReason } from "../../../shared/failures.ts";
import { readRegularText, readStats } from "../../../shared/files.ts";
import { requireInProject } from "../../../shared/project-boundary.ts";
import { parseSeed, type Seed } from "./seed.ts";

const MAX_SEED_BYTES = 50 * 1_024 * 1_024;

/**
 * Reads a seed from a JSON file, or from a YAML file when its name ends in `.yaml` or `.yml`.
 * @throws {PackError} OUTSIDE_PROJECT
 * @throws {PackError} SEED_INVALID when the file cannot be read, is not JSON or YAML, or describes
 *   no documents
 */
export async function readSeedFile(path: string): Promise<Seed> {
  return await parseSeedText(await readText(path), path);
}

/**
 * Reads a seed from the text of a file.
 * @param name of the file, which says whether it is JSON or YAML
 * @throws {PackError} SEED_INVALID
 */
export async function parseSeedText(text: string, name: string): Promise<Seed> {
  return parseSeed(isYaml(name) ? await parseSeedYaml(text, name) : parseJson(text, name), name);
}

function isYaml(path: string): boolean {
  return [".yaml", ".yml"].includes(extname(path).toLowerCase());
}

async function readText(path: string): Promise<string> {
  requireInProject(path);
  try {
    if ((readStats(path)?.size ?? 0) > MAX_SEED_BYTES)
      throw invalid(path, [`it is larger than ${MAX_SEED_BYTES} bytes`], undefined);
    return await readRegularText(path);
  } catch (error) {
    if (error instanceof PackError) throw error;
    throw invalid(path, [systemReason(error) ?? "the file cannot be read"], error);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(path, [`it is not valid JSON: ${describeJsonError(error)}`], error);
  }
}

async function parseSeedYaml(text: string, path: string): Promise<unknown> {
  // Most seeds are JSON and must not wait for a parser.
  const { parseYaml } = await import("../../../shared/parse-yaml.ts");
  const parsed = parseYaml(text);
  if (parsed.ok) return parsed.value;
  throw invalid(path, parsed.problems, undefined);
}

function invalid(
  file: string,
  problems: readonly string[],
  cause: unknown,
): PackError<"SEED_INVALID"> {
  return new PackError(
    "SEED_INVALID",
    `${file} cannot be used as a seed: ${problems.slice(0, 3).join("; ")}.`,
    {
      details: { file, problems },
      hint: "Pass a JSON or YAML file with users and docs.",
      cause,
    },
  );
}
