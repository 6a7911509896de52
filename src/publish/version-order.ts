/**
 * Orders versions of one to three numbers, with or without `-prerelease.N`.
 * @returns below zero when `one` is lower; a prerelease is lower than its release
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map(numbersOfVersion);
  const at = [0, 1, 2, 3].find((index) => left?.[index] !== right?.[index]);
  return at === undefined ? 0 : (left?.[at] ?? 0) > (right?.[at] ?? 0) ? 1 : -1;
}

function numbersOfVersion(version: string): number[] {
  const [numbers = "", prerelease] = version.split("-prerelease.");
  const [major = 0, minor = 0, patch = 0] = numbers.split(".").map((text) => Number(text) || 0);
  const last = prerelease === undefined ? Number.POSITIVE_INFINITY : Number(prerelease) || 0;
  return [major, minor, patch, last];
}
