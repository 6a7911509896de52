/**
 * Orders versions as a registry does: by their numbers, a missing one is 0, and a prerelease comes
 * before its release. Written apart from what the client takes for the order, so that a mistake in
 * one of them shows.
 * @returns a number below zero when `one` is lower
 */
export function compareVersions(one: string, other: string): number {
  const left = readVersion(one);
  const right = readVersion(other);
  for (const [at, number] of left.entries()) {
    const difference = number - (right[at] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

const VERSION = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-prerelease\.(\d+))?$/;

function readVersion(version: string): number[] {
  const [, major = "0", minor = "0", patch = "0", prerelease] = VERSION.exec(version) ?? [];
  const last = prerelease === undefined ? Number.POSITIVE_INFINITY : Number(prerelease);
  return [Number(major), Number(minor), Number(patch), last];
}
