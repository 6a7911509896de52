import { describe, expect, it } from "vitest";
import { CHANGE_CODES, type ChangeCode } from "../../src/compare/change-codes.ts";
import type { Change } from "../../src/compare/change-schema.ts";
import { isPackError } from "../../src/errors.ts";
import { decideVersion } from "../../src/publish/release-version.ts";
import { compareVersions } from "../../src/publish/version-order.ts";

const createChanges = (...codes: ChangeCode[]): Change[] =>
  codes.map((code) => ({
    class: CHANGE_CODES[code],
    code,
    subject: "formula A",
    message: "changed",
  }));

const catchCode = (decide: () => string): string => {
  try {
    return decide();
  } catch (error) {
    if (isPackError(error)) return error.code;
    throw error;
  }
};

describe("the version of a release", () => {
  it.each<
    [
      current: string | undefined,
      previous: string | undefined,
      codes: ChangeCode[],
      version: string,
    ]
  >([
    [undefined, undefined, [], "1.0.0"],
    ["0.3.0", undefined, [], "0.3.0"],
    ["1.2.0", "1.2.0", ["TEXT_CHANGED"], "1.2.1"],
    ["1.2.0", "1.2.0", ["TEXT_CHANGED", "BLOCK_ADDED"], "1.3.0"],
    ["1.2.0", "1.2.0", ["BLOCK_REMOVED", "BLOCK_ADDED"], "2.0.0"],
    ["1.5.0", "1.2.0", ["TEXT_CHANGED"], "1.5.0"],
    ["1.2", "1.2.0", ["CODE_CHANGED"], "1.2.1"],
    ["2.0.0-prerelease.3", "2.0.0-prerelease.3", ["CODE_CHANGED"], "2.0.0"],
    ["2.0.0-prerelease.4", "2.0.0-prerelease.3", ["CODE_CHANGED"], "2.0.0-prerelease.4"],
    ["2.0.0-prerelease.3", "2.0.0-prerelease.3", ["BLOCK_REMOVED"], "3.0.0"],
    ["1.2.0", "1.2.0", [], "RELEASE_UNCHANGED"],
    ["1.1.0", "1.2.0", ["TEXT_CHANGED"], "RELEASE_VERSION"],
    ["1.3.0", "1.2.0", ["BLOCK_REMOVED"], "RELEASE_BREAKING"],
  ])(
    "follows from what changed: %s after %s with %j is %s",
    (current, previous, codes, version) => {
      expect(
        catchCode(() => decideVersion({ current, previous, changes: createChanges(...codes) })),
      ).toBe(version);
    },
  );

  it.each<
    [
      wanted: { version: string } | { bump: "patch" | "minor" | "major" },
      previous: string | undefined,
      codes: ChangeCode[],
      version: string,
    ]
  >([
    [{ bump: "patch" }, "1.2.3", [], "1.2.4"],
    [{ bump: "minor" }, "1.2.3", [], "1.3.0"],
    [{ bump: "major" }, "1.2.3", ["BLOCK_REMOVED"], "2.0.0"],
    [{ bump: "minor" }, undefined, [], "1.1.0"],
    [{ bump: "patch" }, "1.2.0-prerelease.1", [], "1.2.0"],
    [{ version: "4" }, "1.2.3", [], "4"],
    [{ bump: "minor" }, "1.2.3", ["BLOCK_REMOVED"], "RELEASE_BREAKING"],
    [{ version: "1.2.3" }, "1.2.3", ["TEXT_CHANGED"], "RELEASE_VERSION"],
    [{ version: "1.2.3-prerelease.9" }, "1.2.3", ["TEXT_CHANGED"], "RELEASE_VERSION"],
    [{ version: "next" }, undefined, [], "RELEASE_VERSION"],
    [{ version: "1.2.3.4" }, "1.0.0", [], "RELEASE_VERSION"],
  ])("is what was asked for: %j after %s with %j is %s", (wanted, previous, codes, version) => {
    expect(
      catchCode(() =>
        decideVersion({
          current: previous ?? "1.0.0",
          previous,
          changes: createChanges(...codes),
          wanted,
        }),
      ),
    ).toBe(version);
  });

  it("may break documents when that is said", () => {
    const question = {
      current: "1.2.0",
      previous: "1.2.0",
      changes: createChanges("BLOCK_REMOVED"),
      wanted: { bump: "minor" },
      allowBreaking: true,
    } as const;
    expect(decideVersion(question)).toBe("1.3.0");
  });

  it("is ordered by its numbers, a prerelease before its release", () => {
    const sorted = ["1.10", "1.9.9", "2", "1.10.0-prerelease.2", "1.10.0-prerelease.10"].sort(
      compareVersions,
    );
    expect(sorted).toEqual(["1.9.9", "1.10.0-prerelease.2", "1.10.0-prerelease.10", "1.10", "2"]);
  });
});
