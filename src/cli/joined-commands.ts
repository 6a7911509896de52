import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

/** Gives a part of the joined command line, by the name of the file that it was joined from. */
export type Joined = (part: string) => Readonly<Record<string, unknown>>;

type ImportModule = (id: string) => Promise<unknown>;
type JoinedScript = (importModule: ImportModule, loaded: Map<string, unknown>) => Joined;

/** Who has loaded this part has called most of what authors wait for many times a day. */
const USUAL_PART = "validate-definition.js";

/**
 * Loads the script that the command line was joined into. Compiling it takes as long as building a small Pack, so what V8 made of it
 * is kept beside the script, where only those can write who can change the code. Node's own compile cache (22.8) keeps a script as it
 * was before anything in it was called, which saves nothing here.
 * @param file absolute path of a CommonJS script that exports a `JoinedScript`; another text has another name, because V8 compares
 * no more than the length
 * @param importModule imports for the script, relative to its folder: a script that was compiled before cannot do it
 */
export function loadJoined(file: string, importModule: ImportModule): Joined {
  const require = createRequire(file);
  const loaded = new Map<string, unknown>();
  const isKept = process.env["NODE_DISABLE_COMPILE_CACHE"] === undefined;
  return (isKept ? loadCompiled(file, require, loaded) : (require(file) as JoinedScript))(importModule, loaded);
}

function loadCompiled(file: string, require: NodeJS.Require, loaded: ReadonlyMap<string, unknown>): JoinedScript {
  const kept = join(dirname(file), ".compiled", `${basename(file)}-${process.version}-${process.arch}`);
  const cachedData = readKept(kept);
  const script = new Script(`(function (module, require, __filename) {${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  (script.runInThisContext() as (module: object, require: NodeJS.Require, filename: string) => void)(module, require, file);
  // At the end, so that what has been called by then is kept, too. Data that V8 refuses was made with other options of Node.
  if (cachedData === undefined) process.once("exit", () => loaded.has(USUAL_PART) && keep(kept, script.createCachedData()));
  return module.exports as JoinedScript;
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
