/**
 * What a change means for the users of a Pack. `breaking`: something in their documents stops
 * working, or they have to act.
 * `review`: it may be breaking, and a person has to judge. `safe`: everything that works keeps working.
 */
export type ChangeClass = "safe" | "review" | "breaking";

const RANK: Readonly<Record<ChangeClass, number>> = { safe: 0, review: 1, breaking: 2 };

/** Every kind of change with its class. A code never changes its meaning. */
export const CHANGE_CODES = {
  BLOCK_REMOVED: "breaking",
  BLOCK_ADDED: "safe",
  PARAMETER_REMOVED: "breaking",
  PARAMETER_REQUIRED: "breaking",
  PARAMETER_OPTIONAL: "safe",
  PARAMETER_ADDED: "safe",
  PARAMETER_INSERTED: "breaking",
  PARAMETER_MOVED: "breaking",
  PARAMETER_RENAMED: "review",
  TYPE_CHANGED: "breaking",
  PROPERTY_REMOVED: "breaking",
  PROPERTY_ADDED: "safe",
  PROPERTY_LESS_CERTAIN: "review",
  PROPERTY_MORE_CERTAIN: "safe",
  IDENTITY_CHANGED: "breaking",
  EDITING_REMOVED: "breaking",
  EDITING_ADDED: "safe",
  CONNECTION_REQUIRED: "breaking",
  CONNECTION_RELAXED: "safe",
  AUTHENTICATION_CHANGED: "breaking",
  SCOPE_ADDED: "breaking",
  SCOPE_REMOVED: "review",
  DOMAIN_ADDED: "review",
  DOMAIN_REMOVED: "review",
  TEXT_CHANGED: "safe",
  BEHAVIOUR_CHANGED: "review",
  CODE_CHANGED: "review",
} as const satisfies Record<string, ChangeClass>;

export type ChangeCode = keyof typeof CHANGE_CODES;

export interface Change {
  class: ChangeClass;
  code: ChangeCode;
  /** What changed, such as `formula GetItem: parameter "id"`. */
  subject: string;
  /** How it changed, such as `number → text`. */
  message: string;
}

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
  return changes.sort((a, b) => RANK[b.class] - RANK[a.class]);
}

/** @returns the most serious class of the changes; undefined when there are none */
export function mostSerious(changes: readonly Change[]): ChangeClass | undefined {
  const [first, ...others] = changes.map((change) => change.class);
  return first === undefined
    ? undefined
    : others.reduce((worst, next) => (RANK[next] > RANK[worst] ? next : worst), first);
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
