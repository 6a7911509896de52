import { toMembers } from "../../shared/values.ts";

/** What hints say to users of the command line, and what they say to callers of a tool. */
const PHRASES = [
  ["without --no-fetch and --block-actions", 'with network: "live"'],
  ["--arg name=value for each argument", "the arguments in namedArgs"],
] as const;
const OPTION = /--([a-z][a-z-]*)/g;
/** A sentence that names the complete command, which the user can run as it is. */
const COMMAND = /\bpacksmith [a-z]/;

/**
 * Adapts the hints of a document, which are written for the command line, to a caller of a tool.
 * @param inputs names of the inputs of the tool
 */
export function adaptHints(document: object, inputs: readonly string[]): object {
  const adapt = (part: unknown) => {
    const { hint, ...rest } = toMembers(part);
    return typeof hint === "string" ? { ...rest, hint: adaptHint(hint, inputs) } : part;
  };
  const { error, issues } = toMembers(document);
  return {
    ...document,
    ...(error === undefined ? {} : { error: adapt(error) }),
    ...(Array.isArray(issues) ? { issues: issues.map(adapt) } : {}),
  };
}

/**
 * @returns the hint with the input in place of an option that the tool has, and with a sentence
 * about the options that only the user can pass
 */
export function adaptHint(hint: string, inputs: readonly string[]): string {
  const phrased = PHRASES.reduce((text, [before, after]) => text.replace(before, after), hint);
  const adapted = phrased.replaceAll(OPTION, (option, name: string) => {
    const input = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return inputs.includes(input) ? input : option;
  });
  const options = adapted
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !COMMAND.test(sentence))
    .flatMap((sentence) => sentence.match(OPTION) ?? []);
  if (options.length === 0) return adapted;
  const names = [...new Set(options)].join(" or ");
  return `${adapted} A tool cannot pass ${names}: ask the user to run the command in a terminal.`;
}
