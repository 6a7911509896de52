import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PROVIDER_PROFILES } from "../../provider/profiles/catalogue.ts";
import { packageRoot } from "../../shared/own-package.ts";
import { listCodes } from "../../validate/explanations/explain.ts";
import { TIMER_STRATEGIES } from "../build-flags.ts";
import { ISSUE_FORMATS } from "../issues.ts";
import type { KnownWords } from "./command-model.ts";

/** Words that stand for values which the commands check themselves. `commands` are what help can be asked about. */
export function knownWords(commands: readonly string[]): KnownWords {
  const templates = readdirSync(join(packageRoot(), "templates"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name);
  return {
    "--template": templates,
    "--profile": PROVIDER_PROFILES.map(({ name }) => name),
    "--format": ISSUE_FORMATS,
    "--timer-strategy": TIMER_STRATEGIES,
    "--redirect-host": ["127.0.0.1", "localhost"],
    "--browser": ["system"],
    "explain <code>": listCodes().map(({ code }) => code),
    "help <command>": commands,
  };
}
