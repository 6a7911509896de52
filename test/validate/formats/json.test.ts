import { describe, expect, it } from "vitest";
import { renderJson } from "../../../src/validate/formats/json.ts";

describe("renderJson", () => {
  it("writes one document in one line, whatever it holds", () => {
    const issue = { code: "A", severity: "warning" as const, message: "a\nb", path: "", hint: "" };
    expect(renderJson([issue])).toBe(
      '{"ok":true,"issues":[{"code":"A","severity":"warning","message":"a\\nb","path":"","hint":""}]}',
    );
    expect(renderJson([{ ...issue, severity: "error" }], { error: { code: "B" } })).toContain(
      '"ok":false',
    );
    expect(renderJson([], { ok: false })).toBe('{"ok":false,"issues":[]}');
  });
});
