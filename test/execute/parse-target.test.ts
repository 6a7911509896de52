import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPackError } from "../../src/errors.ts";
import { parseTarget } from "../../src/execute/parse-target.ts";

describe("parseTarget", () => {
  it.each([
    ["Tasks", { kind: "block", name: "Tasks" }],
    ["Old::Tasks", { kind: "block", name: "Tasks", isNamespaced: true }],
    ["Tasks:update", { kind: "update", table: "Tasks" }],
    ["Tasks:permissions", { kind: "permissions", table: "Tasks" }],
    ["Tasks>permissions", { kind: "syncThenPermissions", table: "Tasks" }],
    ["Tasks>incremental", { kind: "incremental", table: "Tasks" }],
    ["Tasks:validateParameters", { kind: "validateParameters", of: "Tasks" }],
    ["Tasks:autocomplete:list", { kind: "autocomplete", of: "Tasks", parameter: "list" }],
    ["Tasks:options:state", { kind: "propertyOptions", table: "Tasks", property: "state" }],
    ["Tasks:listDynamicUrls", { kind: "listDynamicUrls", table: "Tasks" }],
    ["Tasks:searchDynamicUrls", { kind: "searchDynamicUrls", table: "Tasks" }],
    ["Tasks:getName", { kind: "getName", table: "Tasks" }],
    ["Tasks:getDisplayUrl", { kind: "getDisplayUrl", table: "Tasks" }],
    ["Tasks:getSchema", { kind: "getSchema", table: "Tasks" }],
    ["Auth:getConnectionName", { kind: "getConnectionName" }],
    ["SystemAuth:getConnectionName", { kind: "getConnectionName", slot: "system" }],
    ["UserAuth:getConnectionUserId", { kind: "getConnectionUserId", slot: "user" }],
    ["Auth:postSetup:setEndpoint:Pick", { kind: "postSetup", step: "Pick" }],
    ["Formats:match", { kind: "matchFormats" }],
    ["constructor", { kind: "block", name: "constructor" }],
    ["constructor:update", { kind: "update", table: "constructor" }],
  ])("reads %s", (text, expected) => {
    expect(parseTarget(text)).toEqual(expected);
  });

  it.each(
    [
      "",
      ":",
      ">",
      "A:",
      ":update",
      "A:b",
      "A:update:b",
      "A>b",
      "A>incremental>x",
      "A:update>incremental",
      "A:autocomplete",
      "A:autocomplete:",
      "A:autocomplete:b:c",
      "A::",
      "::A",
      "A::b:c",
      "Auth",
      "Auth:",
      "Auth:postSetup:setEndpoint",
      "Auth:postSetup:other:x",
      "Auth:getName",
      "Tasks:incremental",
    ].filter((text) => text !== "Auth"),
  )("refuses %j and says what there is", (text) => {
    expect(() => parseTarget(text)).toThrow(
      expect.objectContaining({
        code: "TARGET_INVALID",
        hint: expect.stringMatching(/forms are|>incremental/),
      }),
    );
  });

  it("gives a target or one typed error for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(fc.constantFrom("A", ":", ">", "update", "Auth", "autocomplete", "::"))
            .map((parts) => parts.join("")),
        ),
        (text) => {
          try {
            expect(parseTarget(text)).toHaveProperty("kind");
          } catch (error) {
            expect(isPackError(error, "TARGET_INVALID")).toBe(true);
          }
        },
      ),
    );
  });
});
