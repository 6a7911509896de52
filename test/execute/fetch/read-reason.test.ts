import { describe, expect, it } from "vitest";
import { readReason } from "../../../src/execute/fetch/read-reason.ts";

describe("why a request failed", () => {
  it.each([
    [404, '{"error":"There is no such record."}', "There is no such record."],
    [400, '{"error":"invalid_grant","error_description":"The code expired."}', "The code expired."],
    [403, '{"error":{"code":403,"message":"No access."}}', "No access."],
    [422, '{"errors":[{"detail":"A price\\nis not negative."}]}', "A price is not negative."],
    [500, '{"title":"Broken","status":500}', "Broken"],
    [429, "Slow down.", "Slow down."],
    [502, "<html><body>Bad gateway</body></html>", undefined],
    [404, '{"items":[', undefined],
    [404, "", undefined],
    [200, '{"error":"none"}', undefined],
    [undefined, "x", undefined],
    [400, "x".repeat(300), `${"x".repeat(199)}…`],
  ])("is read from %s %s", (status, responseBody, reason) => {
    expect(readReason({ status, responseBody })).toBe(reason);
  });
});
