import { resolve } from "node:path";
import { isOlderProject } from "../commands/adopt-project.ts";
import { TEMPLATES } from "../commands/templates.ts";
import { PackError } from "../errors.ts";
import type { Streams } from "./output.ts";

interface WantedProject {
  directory: string;
  template: string | undefined;
}

/**
 * Asks a person for the folder and the template of a new project, as far as they were not given.
 * @throws {PackError} INTERRUPTED
 */
export async function askProject(
  given: { directory: string | undefined; template: string | undefined },
  streams: Streams,
  defaultDirectory: string,
): Promise<WantedProject> {
  const prompts = await import("@clack/prompts");
  const output = streams.stderr as NodeJS.WriteStream;
  const directory =
    given.directory ??
    answered(
      await prompts.text({
        message: "Folder of the new project",
        placeholder: defaultDirectory,
        defaultValue: defaultDirectory,
        output,
      }),
    );
  // A project that is taken over stays as it is.
  if (given.template !== undefined || (await isOlderProject(resolve(streams.cwd, directory)))) return { ...given, directory };
  const template = await prompts.select({
    message: "What does it begin with?",
    options: Object.entries(TEMPLATES).map(([value, { description }]) => ({ value, label: value, hint: description })),
    output,
  });
  return { directory, template: answered(template) };
}

/** @throws {PackError} INTERRUPTED when the prompt was left */
function answered(answer: string | symbol): string {
  if (typeof answer === "symbol") throw new PackError("INTERRUPTED", "Nothing was created.", { details: undefined });
  return answer;
}
