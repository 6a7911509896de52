import { resolve } from "node:path";
import { PackError } from "../errors.ts";
import { isLegacyProject } from "../init/adopt-project.ts";
import { requireEmpty } from "../init/init-project.ts";
import { TEMPLATES } from "../init/templates.ts";
import type { Streams } from "./output.ts";

interface WantedProject {
  directory: string;
  template: string | undefined;
}

/**
 * Asks a person for the folder and the template of a new project, as far as they were not given.
 * @param given `hasSource` when it is decided what the project begins with
 * @throws {PackError} INTERRUPTED, TARGET_NOT_EMPTY
 */
export async function askProject(
  given: { directory: string | undefined; template: string | undefined; hasSource: boolean },
  streams: Streams,
  defaultDirectory: string,
): Promise<WantedProject> {
  const prompts = await import("@clack/prompts");
  const output = streams.stderr as NodeJS.WriteStream;
  const directory =
    given.directory ??
    requireAnswer(
      await prompts.text({
        message: "Folder of the new project",
        placeholder: defaultDirectory,
        defaultValue: defaultDirectory,
        output,
      }),
    );
  const target = resolve(streams.cwd, directory);
  // A project that is taken over stays as it is.
  const isKnown = given.hasSource || (await isLegacyProject(target));
  if (isKnown) return { directory, template: given.template };
  // Said before more is asked.
  await requireEmpty(target);
  const width = Math.max(...Object.keys(TEMPLATES).map((name) => name.length));
  const template = await prompts.select({
    message: "Which template do you want to start with?",
    options: Object.entries(TEMPLATES).map(([value, { description }]) => ({
      value,
      label: `${value.padEnd(width)}  ${description}`,
    })),
    output,
  });
  return { directory, template: requireAnswer(template) };
}

/** @throws {PackError} INTERRUPTED when the prompt was left */
function requireAnswer(answer: string | symbol): string {
  if (typeof answer === "symbol")
    throw new PackError("INTERRUPTED", "Nothing was created.", { details: undefined });
  return answer;
}
