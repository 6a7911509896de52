import { isAscii } from "node:buffer";
import { extname } from "node:path";
import { ISSUE_CODES, type IssueCodeEntry } from "../validate/codes.ts";
import { findHazards, type Hazard, type HazardCode, possibleHazards } from "../validate/hazards.ts";
import type { Issue } from "../validate/issue.ts";
import { getPart, OWN_CODE } from "./bundle-parts.ts";
import { absentGlobalHint, HAZARD_HINTS } from "./hazard-hints.ts";
import { type ImportGraph, whyImported } from "./import-graph.ts";
import {
  type MappedPlaces,
  type Place,
  readMappedPlaces,
  type SourceMapping,
} from "./mapped-places.ts";
import type { TimerStrategy } from "./run-esbuild.ts";

export interface HazardOptions {
  /** The inputs of the bundle, with the same paths as in the source map and the imports. */
  files: readonly { path: string; sha256: string; content: Buffer }[];
  sourceMap: SourceMapping;
  imports: ImportGraph;
  timerStrategy: TimerStrategy;
  /** The Pack was written for @codahq/packs-sdk, which allows all hazards: they become warnings. */
  lenient: boolean;
  hazardStore?: HazardStore | undefined;
}

type File = HazardOptions["files"][number];

/** Keeps what was found in the files of packages, for other processes. */
export interface HazardStore {
  /** @returns undefined for a file that was not searched */
  read(file: Pick<File, "path" | "sha256">): readonly Hazard[] | undefined;
  keep(file: Pick<File, "path" | "sha256">, hazards: readonly Hazard[]): void;
}

/**
 * Finds code in a bundle that cannot work in the Pack runtime, or may not work. Code that the
 * bundler left out does not count. In the
 * author's own code, what always fails is an error. In a dependency it is a warning with the
 * imports that lead to it, because the Pack
 * may never run that code; each dependency gets one warning of each kind.
 */
export function findBundleHazards(options: HazardOptions): Issue[] {
  const suspects = options.files.flatMap((file) => suspectIn(file) ?? []);
  if (suspects.length === 0) return [];
  const places = readMappedPlaces(
    options.sourceMap,
    new Set(suspects.map(({ file }) => file.path)),
  );
  const reported = new Set<string>();
  return suspects.flatMap((suspect) => hazardIssues(suspect, places, reported, options));
}

interface Suspect {
  file: File;
  part: string;
  text: string;
  /** Offsets in the text. */
  possible: readonly number[];
}

function suspectIn(file: File): Suspect | undefined {
  const part = getPart(file.path);
  // The modules of this package, with the polyfills, are made for the runtime.
  if (part === "packsmith" || part.startsWith("node:") || !/\.[cm]?[jt]sx?$/.test(file.path))
    return undefined;
  // Most files are ASCII, which is the same in Latin-1 and takes less time to decode.
  const text = file.content.toString(isAscii(file.content) ? "latin1" : "utf8");
  const possible = possibleHazards(text, part === OWN_CODE);
  return possible.length === 0 ? undefined : { file, part, text, possible };
}

/** @param reported the kinds of hazards of each package that have a warning; it is extended */
function hazardIssues(
  suspect: Suspect,
  places: MappedPlaces,
  reported: Set<string>,
  { imports, timerStrategy, lenient, hazardStore }: HazardOptions,
): Issue[] {
  const { file, part, text, possible } = suspect;
  const isOwn = part === OWN_CODE;
  const placeOf = createPlacer(text);
  // Parse a file only when a suspicious line is in the bundle: dependencies can be large.
  const isBundled = (offset: number): boolean =>
    places.hasAny(file.path, { ...placeOf(offset), column: 0 }, lineAfter(placeOf(offset)));
  if (!possible.some(isBundled)) return [];
  return readHazards(suspect, isOwn ? undefined : hazardStore).flatMap((hazard) => {
    const [start, end] = [placeOf(hazard.start), placeOf(hazard.end)];
    if (hazard.code === "TIMER_ABSENT" && timerStrategy !== "none") return [];
    if (!places.hasAny(file.path, start, end)) return [];
    const kind = `${part} ${hazard.code}`;
    if (!isOwn && reported.has(kind)) return [];
    reported.add(kind);
    const chain = isOwn ? undefined : whyImported(imports, file.path);
    const place = { file: file.path, line: start.line + 1, column: start.column + 1 };
    return [createIssue(hazard, place, { part, chain, lenient })];
  });
}

const MAX_KNOWN = 500;
const known = new Map<string, readonly Hazard[]>();

/**
 * Keeps what it finds in files, because the next Pack, or the next build of a watched Pack, often has
 * the same ones.
 */
function readHazards(
  { file, part, text }: Suspect,
  hazardStore: HazardStore | undefined,
): readonly Hazard[] {
  const isOwn = part === OWN_CODE;
  // A build without a cache does not believe what another one took from a cache.
  const key = `${isOwn} ${hazardStore !== undefined} ${extname(file.path)} ${file.sha256}`;
  const hazards = known.get(key) ?? hazardStore?.read(file) ?? search();
  // The last one was used last.
  known.delete(key);
  known.set(key, hazards);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  return hazards;

  function search(): readonly Hazard[] {
    const found = findHazards({ path: file.path, text }, isOwn);
    hazardStore?.keep(file, found);
    return found;
  }
}

function createIssue(
  { code, what, isGuarded }: Hazard,
  place: { file: string; line: number; column: number },
  {
    part,
    chain,
    lenient,
  }: { part: string; chain: readonly string[] | undefined; lenient: boolean },
): Issue {
  const isOwn = part === OWN_CODE;
  const severity =
    isOwn && !isGuarded && !lenient ? (ISSUE_CODES[code] as IssueCodeEntry).severity : "warning";
  const way = chain === undefined ? "" : ` These files import it: ${chain.join(" → ")}.`;
  return {
    code,
    severity,
    message: `${MESSAGES[code](what)}${way}`,
    path: "",
    ...place,
    hint: isOwn ? formatHint(code, what) : hintAbout(code, part),
  };
}

const MESSAGES: Readonly<Record<HazardCode, (what: string) => string>> = {
  DYNAMIC_IMPORT: (what) =>
    `${what} loads a module whose name is only known when the Pack runs, so the bundle cannot contain the module.`,
  CODE_FROM_TEXT: (what) =>
    `${what} runs a string as code. The document service rejects a bundle that contains "eval(" or "new Function(".`,
  WEBASSEMBLY_ABSENT: (what) => `${what} needs WebAssembly, which the Pack runtime does not have.`,
  PROCESS_ABSENT: (what) =>
    `${what} has no value in a Pack, because the Pack runtime has no process and no environment.`,
  FILE_PATH_ABSENT: (what) =>
    `${what} is not the path of a folder or file, because the Pack runtime has no files.`,
  TIMER_ABSENT: (what) =>
    `${what} does not exist in the Pack runtime. The runtime only waits for promises.`,
  GLOBAL_ABSENT: (what) => `${what} does not exist in the Pack runtime.`,
};

function formatHint(code: HazardCode, what: string): string {
  return code === "GLOBAL_ABSENT" ? absentGlobalHint(what) : HAZARD_HINTS[code];
}

function hintAbout(code: HazardCode, part: string): string {
  if (code === "CODE_FROM_TEXT")
    return `Choose another package or version, or import only the files of ${part} that you need.`;
  return `Test the formulas that use ${part}. If a formula fails, choose another package.`;
}

function lineAfter({ line }: Place): Place {
  return { line: line + 1, column: 0 };
}

function createPlacer(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (starts[low] ?? 0) };
  };
}
