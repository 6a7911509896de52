/**
 * What a change means for those who use the Pack. `breaking`: something that works in their documents fails, or they must act.
 * `review`: it may, and a person has to judge. `safe`: nothing that works can fail.
 */
export type ChangeClass = "safe" | "review" | "breaking";

const RANK: Readonly<Record<ChangeClass, number>> = { safe: 0, review: 1, breaking: 2 };

/** Every kind of change, and what it means. A code never changes its meaning. */
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
  /** What it is about, such as `formula GetItem: parameter "id"`. */
  subject: string;
  /** What happened to it, such as `number → text`. */
  message: string;
}

export type Report = (code: ChangeCode, subject: string, message: string) => void;

/** @returns the changes that a comparison reports, the gravest first, otherwise in the order in which they were found */
export function collectChanges(compare: (report: Report) => void): Change[] {
  const changes: Change[] = [];
  compare((code, subject, message) => changes.push({ class: CHANGE_CODES[code], code, subject, message }));
  return changes.sort((a, b) => RANK[b.class] - RANK[a.class]);
}

/** @returns the gravest class among changes; undefined when there are none */
export function gravest(changes: readonly Change[]): ChangeClass | undefined {
  const [first, ...others] = changes.map((change) => change.class);
  return first === undefined ? undefined : others.reduce((worst, next) => (RANK[next] > RANK[worst] ? next : worst), first);
}

const VERSION = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/;

/**
 * The next version by what changed (semver.org): something breaks → major, something new → minor, otherwise patch.
 * @param version that of the older build
 * @returns undefined when there is nothing to publish, or the version is none
 */
export function adviseVersion(version: string | undefined, changes: readonly Change[]): string | undefined {
  const [, major, minor = "0", patch = "0"] = VERSION.exec(version ?? "") ?? [];
  if (major === undefined || changes.length === 0) return undefined;
  if (gravest(changes) === "breaking") return `${Number(major) + 1}.0.0`;
  const isNew = changes.some(({ code }) => code.endsWith("_ADDED"));
  return isNew ? `${major}.${Number(minor) + 1}.0` : `${major}.${minor}.${Number(patch) + 1}`;
}
