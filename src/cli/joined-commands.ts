import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import type { DailyVerb } from "./daily-verb.ts";

/** Gives a part of the joined command line, by the name of the file that it was joined from. */
export type Joined = (part: string) => Readonly<Record<string, unknown>>;

type ImportModule = (id: string) => Promise<unknown>;
type JoinedScript = (require: NodeJS.Require, file: string, importModule: ImportModule, loaded: Map<string, unknown>) => Joined;

/** Who has loaded this part has called most of what authors wait for many times a day. */
const USUAL_PART = "validate-definition.js";
/** Who has loaded this file has looked into sources, too, which not every Pack asks for. */
const PARSER = "parser.cjs";
/** How much was called when something was kept, the most first. */
const EXTENTS = ["sources", "definition"] as const;

/**
 * Loads the script that the command line was joined into. Compiling it takes as long as building a small Pack, so what V8 made of it
 * is kept beside the script, where only those can write who can change the code: for each of the usual commands what it calls. Node's
 * own compile cache (22.8) keeps a script as it was before anything in it was called, which saves nothing here.
 * @param file absolute path of a script that is one `JoinedScript` and nothing else, in ASCII; another text has another name, because
 * V8 compares no more than the length
 * @param importModule imports for the script, relative to its folder: a script that was compiled before cannot do it
 * @param verb which of the usual commands runs; the others take what is kept for `validate`, and nothing is kept for them
 */
export function loadJoined(file: string, importModule: ImportModule, verb: DailyVerb | undefined): Joined {
  const folder = join(dirname(file), ".compiled");
  const pathOf = (extent: string): string =>
    join(folder, `${basename(file)}-${verb ?? "validate"}-${extent}-${process.version}-${process.arch}`);
  const isKept = process.env["NODE_DISABLE_COMPILE_CACHE"] === undefined;
  const known = isKept ? EXTENTS.find((extent) => existsSync(pathOf(extent))) : undefined;
  const cachedData = known === undefined ? undefined : readKept(pathOf(known));
  // Node reads ASCII faster when it need not look for anything else.
  const script = new Script(readFileSync(file, "latin1"), { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const require = createRequire(file);
  const loaded = new Map<string, unknown>();
  // At the end, so that what has been called by then is kept, too. Data that V8 refuses was made with other options of Node.
  const keepCalled = (): void => {
    const extent = require.cache[join(dirname(file), PARSER)] === undefined ? "definition" : "sources";
    if (extent !== known && loaded.has(USUAL_PART)) keep(pathOf(extent), script.createCachedData());
  };
  if (isKept && verb !== undefined && known !== EXTENTS[0]) process.once("exit", keepCalled);
  return (script.runInThisContext() as JoinedScript)(require, file, importModule, loaded);
}

function readKept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, every process compiles for itself. */
function keep(path: string, data: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, data, { flag: "wx" });
    renameSync(temporary, path);
  } catch {}
}
