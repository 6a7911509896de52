import { join } from "node:path";
import { loadCompiled } from "./load-compiled.ts";

/** How a script names a module of another one: `commands:SCRIPT/MODULE`. */
const MODULE_OF_SCRIPT = /^commands:([^/]+)\/(.+)$/;

/** Each module that other scripts import, as a function that runs it once. */
type Script = Readonly<Record<string, () => unknown>>;

/**
 * Makes a function that loads a module of the commands, which are divided into scripts
 * (.ci/command-scripts.mjs).
 * @param files the file of each script, in `folder`
 * @param isFrequent whether this process may fill the code caches that all commands share
 */
export function createCommandLoader(
  folder: string,
  files: Readonly<Record<string, string>>,
  isFrequent: boolean,
): (script: string, module: string) => unknown {
  const scripts = new Map<string, Script>();
  const load = (script: string, module: string): unknown => {
    const loaded = scripts.get(script) ?? loadScript(script);
    scripts.set(script, loaded);
    return loaded[module]?.();
  };
  const loadScript = (script: string): Script =>
    loadCompiled(join(folder, files[script] ?? ""), {
      mayKeep: isFrequent || script === "others",
      resolve: (specifier) => {
        const [, script, module] = MODULE_OF_SCRIPT.exec(specifier) ?? [];
        return script === undefined || module === undefined ? undefined : load(script, module);
      },
    }) as Script;
  return load;
}
