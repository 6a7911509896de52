import { resolve } from "node:path";
import type { Message } from "esbuild";
import { polyfillOf } from "./node-modules.ts";
import { isAuthoringFile } from "./own-modules.ts";

/**
 * Puts an import of a name that this package, or one of its modules of Node, does not have into the author's words; esbuild names
 * a file of the package.
 * @param folder the folder that paths in the message are relative to
 * @returns undefined for every other message
 */
export function explainMissingName(message: Message, folder: string): Message | undefined {
  const { name, file } =
    /^No matching export in "(?<file>[^"]+)" for import "(?<name>[^"]+)"/.exec(message.text)?.groups ??
    /^Import "(?<name>[^"]+)" will always be undefined because there is no matching export in "(?<file>[^"]+)"/.exec(message.text)
      ?.groups ??
    {};
  if (name === undefined || file === undefined) return undefined;
  const path = resolve(folder, file);
  const owner = isAuthoringFile(path) ? "packsmith" : polyfillOf(path);
  if (owner === undefined) return undefined;
  const nearest = message.location?.suggestion ?? "";
  return { ...message, text: `${owner} has no "${name}".${nearest === "" ? "" : ` Did you mean "${nearest}"?`}` };
}
