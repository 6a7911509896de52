import { describe, expect, it } from "vitest";
import * as legacy from "../../src/legacy.ts";
import { ENUMERATIONS, LEGACY_ENUMERATIONS, LEGACY_VALUES, VALUES } from "./names.ts";

const exported: ReadonlyMap<string, unknown> = new Map(Object.entries(legacy));

describe("the names that existing Packs import", () => {
  it.each([...VALUES, ...LEGACY_VALUES])("%s is a value", (name) => {
    expect(exported.get(name)).toBeDefined();
  });

  it.each(Object.entries({ ...ENUMERATIONS, ...LEGACY_ENUMERATIONS }))(
    "%s has every member, and no other",
    (name, members) => {
      expect(exported.get(name)).toEqual(members);
    },
  );
});
