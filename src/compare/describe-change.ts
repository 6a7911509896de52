import type { Change } from "./change-schema.ts";

/** A change as a sentence for the users of a Pack. */
export function describeChange({ code, subject, message }: Change): string {
  switch (code) {
    case "BLOCK_ADDED":
    case "PARAMETER_ADDED":
    case "PROPERTY_ADDED":
      return `Adds ${describeSubject(subject)}.`;
    case "BLOCK_REMOVED":
    case "PROPERTY_REMOVED":
      return `Removes ${describeSubject(subject)}.`;
    case "CODE_CHANGED":
      return "The Pack's code has changed.";
    default:
      return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${message}.`;
  }
}

/** `formula Hello: result: property "id"` as `property "id" of formula Hello: result`. */
function describeSubject(subject: string): string {
  const [block = "", ...parts] = subject.split(": ");
  const [last, ...others] = parts.reverse();
  if (last === undefined) return block;
  return `${last} of ${[block, ...others.reverse()].join(": ")}`;
}
