import { listOf, type Members, membersOf } from "../shared/members.ts";
import type { Report } from "./change.ts";
import { compareMembers, isSame, shown, typeName } from "./members.ts";

/** Compares the parameters of a formula or table. Documents pass them by position. */
export function compareParameters(
  before: unknown,
  after: unknown,
  subject: string,
  report: Report,
): void {
  const [old, current] = [listOf(before).map(membersOf), listOf(after).map(membersOf)];
  const nameOf = (parameter: Members | undefined): string => String(parameter?.["name"] ?? "");
  const names = current.map(nameOf);
  for (const [index, parameter] of old.entries()) {
    const label = `${subject}: parameter "${nameOf(parameter)}"`;
    const place = names.indexOf(nameOf(parameter));
    const inPlace = current[index];
    if (place === index) {
      compareParameter(parameter, inPlace ?? {}, label, report);
    } else if (place >= 0) {
      report("PARAMETER_MOVED", label, `position ${index + 1} → ${place + 1}`);
      compareParameter(parameter, current[place] ?? {}, label, report);
    } else if (
      inPlace !== undefined &&
      !old.some((other) => nameOf(other) === nameOf(inPlace)) &&
      isRenamed(parameter, inPlace)
    ) {
      report("PARAMETER_RENAMED", label, `now "${nameOf(inPlace)}"`);
      compareParameter(parameter, inPlace, label, report);
    } else {
      report("PARAMETER_REMOVED", label, "removed");
    }
  }
  for (const [index, parameter] of current.entries()) {
    if (old.some((other) => nameOf(other) === nameOf(parameter))) continue;
    const label = `${subject}: parameter "${nameOf(parameter)}"`;
    const replaced = old[index];
    if (
      replaced !== undefined &&
      !names.includes(nameOf(replaced)) &&
      isRenamed(replaced, parameter)
    )
      continue;
    if (parameter["optional"] !== true) report("PARAMETER_REQUIRED", label, "added as required");
    else if (index < old.length)
      report("PARAMETER_INSERTED", label, `added at position ${index + 1}, before others`);
    else report("PARAMETER_ADDED", label, "added, optional");
  }
}

/**
 * Whether calls keep working. Optional parameters can be passed by name, so a new name breaks those
 * calls.
 */
function isRenamed(before: Members, after: Members): boolean {
  return before["optional"] !== true && isSame(before["type"], after["type"]);
}

function compareParameter(before: Members, after: Members, subject: string, report: Report): void {
  if (!isSame(before["type"], after["type"]))
    report("TYPE_CHANGED", subject, `${typeName(before["type"])} → ${typeName(after["type"])}`);
  const [wasOptional, isOptional] = [before["optional"] === true, after["optional"] === true];
  if (wasOptional && !isOptional) report("PARAMETER_REQUIRED", subject, "was optional");
  if (!wasOptional && isOptional) report("PARAMETER_OPTIONAL", subject, "was required");
  compareMembers(
    [before, after],
    { subject, codes: TEXTS, handled: ["name", "type", "optional"] },
    report,
  );
}

const TEXTS = {
  description: "TEXT_CHANGED",
  suggestedValue: "TEXT_CHANGED",
  ingestionSuggestedValue: "TEXT_CHANGED",
} as const;

/**
 * Compares parameters that may be repeated. A call passes them one after the other, in the order of
 * the list.
 */
export function compareVariableParameters(
  before: unknown,
  after: unknown,
  subject: string,
  report: Report,
): void {
  const [old, current] = [listOf(before), listOf(after)];
  if (old.length === 0 && current.length > 0) {
    report("PARAMETER_ADDED", subject, "repeated parameters added");
  } else if (old.length !== current.length) {
    report(
      "PARAMETER_REMOVED",
      subject,
      `repeated parameters: ${shown(old.length)} → ${shown(current.length)}`,
    );
  } else {
    compareParameters(before, after, subject, report);
  }
}
