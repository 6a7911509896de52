import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

export interface LoadCompiledOptions {
  /**
   * Whether this process may fill the cache, if it succeeds: the cache has only the functions that
   * it calls.
   */
  mayKeep: boolean;
  /**
   * What a specifier means, for those that Node does not know. @default Node knows all
   */
  resolve?: ((specifier: string) => unknown) | undefined;
}

/**
 * Loads a CommonJS script, and keeps what V8 compiled of it for the next process: compiling all
 * commands takes longer than building a small Pack. The cache is in `.compiled` next to the script, where only users who may change the
 * script itself can write. Where it
 * cannot be read or written, or V8 refuses it, the script is compiled as usual. Node's own compile
 * cache does not serve here: Node 20
 * has none, and later versions keep none of the functions that a command calls.
 * @param file absolute path of a script in ASCII. V8 compares only the length of the text, so
 *   another text needs another file name.
 * @returns what the script exports
 */
export function loadCompiled(file: string, { mayKeep, resolve }: LoadCompiledOptions): unknown {
  const cache = join(
    dirname(file),
    ".compiled",
    `${basename(file)}-${process.version}-${process.arch}`,
  );
  const isEnabled = process.env["NODE_DISABLE_COMPILE_CACHE"] === undefined;
  const cachedData = isEnabled ? readIfThere(cache) : undefined;
  const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  const script = new Script(code, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const isMissing = cachedData === undefined || script.cachedDataRejected === true;
  if (isEnabled && isMissing && mayKeep)
    process.once("exit", (code) => {
      if (code === 0) writeIfPossible(cache, script.createCachedData());
    });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  const require = createRequire(file);
  const requireAny = Object.assign(
    (specifier: string): unknown => resolve?.(specifier) ?? require(specifier),
    require,
  );
  run(module.exports, requireAny, module, file, dirname(file));
  return module.exports;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function writeIfPossible(path: string, data: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, data, { flag: "wx" });
    renameSync(temporary, path);
  } catch {}
}
