import { describe, expect, it } from "vitest";
import * as library from "../../src/legacy.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

describe.skipIf(!hasPublishedPackage)("what the published package exports", () => {
  it("is exported here, too: functions as functions, enumerations with equal members in the same order", async () => {
    const theirs = await askPublished<[string, unknown][]>({ kind: "exported" });
    expect(theirs.length).toBeGreaterThan(60);
    const own: ReadonlyMap<string, unknown> = new Map(Object.entries(library));
    const ours = theirs.map(([name]) => [name, typeof own.get(name) === "function" ? "function" : JSON.stringify(own.get(name))]);
    // Two of its values end in a character that no parameter type has.
    const textOf = (value: unknown) => (value === "function" ? value : JSON.stringify(value).replaceAll("Array`", "Array"));
    expect(ours).toEqual(theirs.map(([name, value]) => [name, textOf(value)]));
  });
});
