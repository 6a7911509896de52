import { type Change, gravest } from "./change.ts";

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
