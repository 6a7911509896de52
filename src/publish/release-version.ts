import { adviseVersion, mostSerious } from "../compare/change.ts";
import type { Change } from "../compare/change-schema.ts";
import { PackError } from "../errors.ts";
import { compareVersions } from "./version-order.ts";

export type Bump = "patch" | "minor" | "major";

export interface VersionFacts {
  /** The version in the definition, when it has one. */
  current: string | undefined;
  /** The version of the previous release, when there is one. */
  previous: string | undefined;
  /** The version that was uploaded last, when a registry was asked: another one must be above. */
  newest?: string | undefined;
  /** What changed since the previous release. */
  changes: readonly Change[];
  /** What the user asked for. @default the version that the changes require */
  wanted?: { version: string } | { bump: Bump } | undefined;
  /** Allows breaking changes without a new major version. */
  allowBreaking?: boolean | undefined;
}

/**
 * Decides the version of a release: the one that the user asked for, the one that the author wrote
 * since the previous release, or the
 * next version that the changes require.
 * @throws {PackError} RELEASE_VERSION it is not a version, or not above the previous one
 * @throws {PackError} RELEASE_BREAKING something breaks, and the major version stays the same
 * @throws {PackError} RELEASE_UNCHANGED nothing has changed
 */
export function decideVersion({
  current,
  previous,
  newest,
  changes,
  wanted,
  allowBreaking = false,
}: VersionFacts): string {
  const version = candidate({ current, previous, newest, changes, wanted });
  const parts = parse(version);
  if (previous === undefined) return version;
  const before = parse(previous);
  if (compareVersions(version, previous) <= 0) {
    throw versionError(
      `The version ${version} is not higher than ${previous}, the latest release.`,
      version,
      previous,
    );
  }
  if (
    mostSerious(changes) === "breaking" &&
    parts.numbers[0] === before.numbers[0] &&
    !allowBreaking
  ) {
    const breaking = changes.filter((change) => change.class === "breaking");
    const [first] = breaking;
    throw new PackError(
      "RELEASE_BREAKING",
      `Version ${version} would break documents: ${first?.subject}: ${first?.message}.`,
      {
        details: { version, previous, changes: breaking.length },
        hint: `Release the change as ${before.numbers[0] + 1}.0.0, undo the change, or pass --allow-breaking.`,
      },
    );
  }
  return version;
}

function candidate({
  current,
  previous,
  newest,
  changes,
  wanted,
}: Omit<VersionFacts, "allowBreaking">): string {
  if (wanted !== undefined && "version" in wanted) return wanted.version;
  const isUnreleased =
    newest !== undefined && (previous === undefined || compareVersions(newest, previous) > 0);
  const base = isUnreleased ? newest : (previous ?? current);
  if (wanted !== undefined) return bump(base ?? "0.0.0", wanted.bump);
  // An uploaded version stays as it is, so another source needs one above it.
  const isTaken =
    newest !== undefined && (current === undefined || compareVersions(current, newest) <= 0);
  if (previous === undefined) return isTaken ? bump(newest, "minor") : (current ?? "1.0.0");
  const isWritten = current !== undefined && compareVersions(current, previous) !== 0;
  if (isWritten && !isTaken) return current;
  const advice = adviseVersion(withoutPrerelease(previous), changes);
  if (advice !== undefined || isWritten) {
    const next = advice ?? previous;
    const version =
      parse(previous).prerelease === undefined ? next : afterPrerelease(previous, next);
    return isTaken && compareVersions(version, newest) <= 0 ? bump(newest, "minor") : version;
  }
  throw new PackError("RELEASE_UNCHANGED", `Nothing has changed since version ${previous}.`, {
    details: { previous },
    hint: "There is nothing to release. To release anyway, pass --version or --bump.",
  });
}

/** The release that the prereleases led up to, unless something breaks. */
function afterPrerelease(previous: string, advice: string): string {
  return parse(advice).numbers[0] > parse(previous).numbers[0]
    ? advice
    : withoutPrerelease(previous);
}

function withoutPrerelease(version: string): string {
  return version.replace(/-.*$/, "");
}

function bump(version: string, kind: Bump): string {
  const { numbers, prerelease } = parse(version);
  const [major, minor, patch] = numbers;
  switch (kind) {
    case "major":
      return `${major + 1}.0.0`;
    case "minor":
      return `${major}.${minor + 1}.0`;
    case "patch":
      return prerelease === undefined
        ? `${major}.${minor}.${patch + 1}`
        : `${major}.${minor}.${patch}`;
  }
}

interface Version {
  numbers: readonly [major: number, minor: number, patch: number];
  prerelease: number | undefined;
}

/** Up to three numbers, and optionally `-prerelease.N`. */
function parse(version: string): Version {
  const [, major, minor = "0", patch = "0", prerelease] =
    /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-prerelease\.(\d+))?$/.exec(version) ?? [];
  if (major === undefined)
    throw versionError(`"${version.slice(0, 60)}" is not a valid version.`, version, undefined);
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    prerelease: prerelease === undefined ? undefined : Number(prerelease),
  };
}

function versionError(
  message: string,
  version: string,
  previous: string | undefined,
): PackError<"RELEASE_VERSION"> {
  const hint =
    previous === undefined
      ? 'Write a version such as "1.2.3".'
      : `Choose a version higher than ${previous}, or use --bump.`;
  return new PackError("RELEASE_VERSION", message, {
    details: { version: version.slice(0, 60), previous },
    hint,
  });
}
