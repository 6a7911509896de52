import { describe, expect, it } from "vitest";
import { fillPath, queryString } from "../../../src/service/client/call.ts";

describe("fillPath", () => {
  it("puts the parameters, encoded, into the path", () =>
    expect(fillPath("/docs/{docId}/tables/{table}", { docId: "a b", table: "x/y?" })).toBe(
      "/docs/a%20b/tables/x%2Fy%3F",
    ));

  it.each(["", ".", ".."])("refuses the name %j, which would change the path", (docId) =>
    expect(() => fillPath("/docs/{docId}", { docId })).toThrow(TypeError),
  );

  it("refuses a parameter that is missing or not a text", () => {
    expect(() => fillPath("/docs/{docId}", {})).toThrow(TypeError);
    expect(() => fillPath("/docs/{docId}", { docId: 5 as unknown as string })).toThrow(TypeError);
  });

  it("takes a name of three dots", () =>
    expect(fillPath("/docs/{docId}", { docId: "..." })).toBe("/docs/..."));
});

describe("queryString", () => {
  it("is empty without values", () => expect(queryString({ limit: undefined })).toBe(""));
});
