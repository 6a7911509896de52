import type { Report } from "./change.ts";
import { compareMembers, formatShown, isSame, typeName } from "./members.ts";
import type { ParameterMetadata } from "./metadata.ts";

/** Compares the parameters of a formula or table. Documents pass them by position. */
export function compareParameters(
  old: readonly ParameterMetadata[],
  current: readonly ParameterMetadata[],
  subject: string,
  report: Report,
): void {
  const names = current.map(({ name }) => name);
  for (const [index, parameter] of old.entries()) {
    const label = `${subject}: parameter "${parameter.name}"`;
    const place = names.indexOf(parameter.name);
    const inPlace = current[index];
    const sameName = current[place];
    if (sameName !== undefined) {
      if (place !== index) report("PARAMETER_MOVED", label, `position ${index + 1} → ${place + 1}`);
      compareParameter(parameter, sameName, label, report);
    } else if (
      inPlace !== undefined &&
      !old.some((other) => other.name === inPlace.name) &&
      isRenamed(parameter, inPlace)
    ) {
      report("PARAMETER_RENAMED", label, `now "${inPlace.name}"`);
      compareParameter(parameter, inPlace, label, report);
    } else {
      report("PARAMETER_REMOVED", label, "removed");
    }
  }
  for (const [index, parameter] of current.entries()) {
    if (old.some((other) => other.name === parameter.name)) continue;
    const label = `${subject}: parameter "${parameter.name}"`;
    const replaced = old[index];
    if (replaced !== undefined && !names.includes(replaced.name) && isRenamed(replaced, parameter))
      continue;
    if (parameter.optional !== true) report("PARAMETER_REQUIRED", label, "added as required");
    else if (index < old.length)
      report("PARAMETER_INSERTED", label, `added at position ${index + 1}, before others`);
    else report("PARAMETER_ADDED", label, "added, optional");
  }
}

/**
 * Whether calls keep working. Optional parameters can be passed by name, so a new name breaks those
 * calls.
 */
function isRenamed(before: ParameterMetadata, after: ParameterMetadata): boolean {
  return before.optional !== true && isSame(before.type, after.type);
}

function compareParameter(
  before: ParameterMetadata,
  after: ParameterMetadata,
  subject: string,
  report: Report,
): void {
  if (!isSame(before.type, after.type))
    report("TYPE_CHANGED", subject, `${typeName(before.type)} → ${typeName(after.type)}`);
  const [wasOptional, isOptional] = [before.optional === true, after.optional === true];
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
  autocomplete: "TEXT_CHANGED",
} as const;

/**
 * Compares parameters that may be repeated. A call passes them one after the other, in the order of
 * the list.
 */
export function compareVariableParameters(
  old: readonly ParameterMetadata[],
  current: readonly ParameterMetadata[],
  subject: string,
  report: Report,
): void {
  if (old.length === 0 && current.length > 0) {
    report("PARAMETER_ADDED", subject, "repeated parameters added");
  } else if (old.length !== current.length) {
    report(
      "PARAMETER_REMOVED",
      subject,
      `repeated parameters: ${formatShown(old.length)} → ${formatShown(current.length)}`,
    );
  } else {
    compareParameters(old, current, subject, report);
  }
}
