import { CHANGE_CLASSES, CHANGE_CODES, type ChangeClass, type ChangeCode } from "./change-codes.ts";
import type { Change } from "./change-schema.ts";

export type Report = (code: ChangeCode, subject: string, message: string) => void;

/**
 * @returns the changes that a comparison reports: the most serious class first, in each class in
 * the order in which they were found
 */
export function collectChanges(compare: (report: Report) => void): Change[] {
  const changes: Change[] = [];
  compare((code, subject, message) =>
    changes.push({ class: CHANGE_CODES[code], code, subject, message }),
  );
  return changes.sort((a, b) => rank(b.class) - rank(a.class));
}

/** @returns the most serious class of the changes; undefined when there are none */
export function mostSerious(changes: readonly Change[]): ChangeClass | undefined {
  const [first, ...others] = changes.map((change) => change.class);
  return first === undefined
    ? undefined
    : others.reduce((worst, next) => (rank(next) > rank(worst) ? next : worst), first);
}

function rank(name: ChangeClass): number {
  return CHANGE_CLASSES.indexOf(name);
}

const VERSION = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/;

/**
 * Suggests the next version (semver.org): major when something breaks, minor when something is new,
 * otherwise patch.
 * @param version the version of the older build
 * @returns undefined when nothing changed, or when `version` is not a version
 */
export function adviseVersion(
  version: string | undefined,
  changes: readonly Change[],
): string | undefined {
  const [, major, minor = "0", patch = "0"] = VERSION.exec(version ?? "") ?? [];
  if (major === undefined || changes.length === 0) return undefined;
  if (mostSerious(changes) === "breaking") return `${Number(major) + 1}.0.0`;
  const isNew = changes.some(({ code }) => code.endsWith("_ADDED"));
  return isNew ? `${major}.${Number(minor) + 1}.0` : `${major}.${minor}.${Number(patch) + 1}`;
}
