import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { askPublished, type Description } from "../oracle/published-package.ts";

export interface Comparison {
  entry: string;
  ours: "accepted" | "refused";
  theirs: "accepted" | "refused";
  /** Of the metadata; absent if a tool built nothing. */
  equal?: boolean;
  /** Why a tool refused it, and where the metadata differs. */
  notes: string[];
}

/** Builds a Pack with both tools, each in its own copy of the project. */
export async function compareBuilds(
  entry: string,
  folders: { ours: string; theirs: string; out: string },
): Promise<Comparison> {
  const here = await buildHere(entry, folders.ours, join(folders.out, "ours", entry));
  const there = await buildThere(join(folders.theirs, entry), join(folders.out, "theirs", entry));
  const [ours, theirs] = [await describe(here.bundle), await describe(there.bundle)];
  const notes = [...here.problems, ...there.problems];
  for (const { path, message } of theirs?.problems ?? []) notes.push(`theirs: ${path}: ${message}`);
  if (theirs?.error !== undefined) notes.push(`theirs: ${theirs.error}`);
  const comparison: Comparison = {
    entry,
    ours: here.bundle === undefined ? "refused" : "accepted",
    theirs: theirs?.problems?.length === 0 ? "accepted" : "refused",
    notes,
  };
  if (ours === undefined || theirs === undefined) return comparison;
  const difference = findDifference(ours, theirs);
  if (difference !== undefined) notes.push(`differs: ${difference}`);
  return { ...comparison, equal: difference === undefined };
}

interface Built {
  bundle?: string;
  problems: string[];
}

interface BuildOutput {
  packs?: { bundle?: string }[];
  issues?: { code: string; severity: string; message: string; file?: string; line?: number }[];
  error?: { code: string; message: string };
}

async function buildHere(entry: string, folder: string, outDir: string): Promise<Built> {
  const command = join(folder, "node_modules/packsmith/dist/bin/packsmith.cjs");
  const words = [command, "build", entry, "--out-dir", outDir, "--json"];
  const text = await new Promise<string>((resolve) =>
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 1 << 28 }, (_error, stdout) =>
      resolve(stdout),
    ),
  );
  const { packs, issues, error } = JSON.parse(text === "" ? "{}" : text) as BuildOutput;
  const problems = (issues ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, file, line }) => `ours: ${code} ${message} (${file}:${line})`);
  if (error !== undefined) problems.push(`ours: ${error.code} ${error.message}`);
  const bundle = packs?.[0]?.bundle;
  if (bundle !== undefined && existsSync(bundle)) return { bundle, problems };
  return { problems: problems.length > 0 ? problems : ["ours: built nothing"] };
}

async function buildThere(entry: string, outDir: string): Promise<Built> {
  mkdirSync(outDir, { recursive: true });
  try {
    const [bundle] = await askPublished<string[]>({ kind: "build", packs: [{ entry, outDir }] });
    if (bundle !== undefined) return { bundle, problems: [] };
  } catch (error) {
    return { problems: [`theirs: ${String(error).slice(0, 500)}`] };
  }
  return { problems: ["theirs: built nothing"] };
}

/** The metadata of a bundle and what the published validator says of it. */
async function describe(bundle: string | undefined): Promise<Description | undefined> {
  if (bundle === undefined) return undefined;
  const job = { kind: "metadata", bundles: [bundle], version: "1.0.0" } as const;
  const answer = askPublished<Description[]>(job);
  // A bundle can end the process that loads it.
  const [description] = await answer.catch((error) => [{ error: String(error).slice(-500) }]);
  return description;
}

/** The first path at which two documents differ. */
export function findDifference(ours: unknown, theirs: unknown, path = ""): string | undefined {
  if (isDeepStrictEqual(ours, theirs)) return undefined;
  if (isObject(ours) && isObject(theirs))
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const found = findDifference(ours[key], theirs[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  const show = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 120);
  return `${path}: ${show(ours)} here, ${show(theirs)} there`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
