import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";

/** A folder for what the test files of one run share. The run removes it at its end. */
export function runFolder(): string {
  const folder = process.env["PACKSMITH_TEST_RUN"];
  if (folder === undefined) throw new Error("PACKSMITH_TEST_RUN is set by prepare-run.ts.");
  return folder;
}

interface Outcome<Facts> {
  facts?: Facts;
  error?: string;
}

/**
 * Makes something expensive once for all test files of a run: the first one that asks makes it, and
 * the others wait.
 * @param make receives an empty folder, and returns what JSON can hold
 */
export async function makeOnce<Facts>(
  name: string,
  make: (folder: string) => Promise<Facts> | Facts,
): Promise<Facts> {
  const folder = join(runFolder(), name);
  const file = `${folder}.json`;
  if (isFirst(folder)) writeOutcome(file, await tryToMake(() => make(folder)));
  const read = () => JSON.parse(readFileSync(file, "utf8")) as Outcome<Facts>;
  const { facts, error } = await vi.waitFor(read, { timeout: 120_000, interval: 50 });
  if (error !== undefined) throw new Error(error);
  return facts as Facts;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function tryToMake<Facts>(make: () => Promise<Facts> | Facts): Promise<Outcome<Facts>> {
  try {
    return { facts: await make() };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Whoever waits must not read half a file. */
function writeOutcome(file: string, outcome: Outcome<unknown>): void {
  writeFileSync(`${file}.new`, JSON.stringify(outcome));
  renameSync(`${file}.new`, file);
}
