import { describe, expect, it } from "vitest";
import { parseConnectFlags, parsePort } from "../../src/cli/parse-flags.ts";

describe("parseConnectFlags", () => {
  it("turns text into numbers and milliseconds", () => {
    expect(
      parseConnectFlags({
        port: "3000",
        redirectHost: "localhost",
        timeout: "1.5",
        requestTimeout: "5",
      }),
    ).toEqual({
      port: 3000,
      redirectHost: "localhost",
      timeoutMs: 1500,
      requestTimeoutMs: 5000,
    });
  });

  it.each([
    { port: "http", redirectHost: "127.0.0.1", timeout: "1" },
    { port: "65536", redirectHost: "127.0.0.1", timeout: "1" },
    { port: "-1", redirectHost: "127.0.0.1", timeout: "1" },
    { port: "0", redirectHost: "0.0.0.0", timeout: "1" },
    { port: "0", redirectHost: "127.0.0.1", timeout: "0" },
    { port: "0", redirectHost: "127.0.0.1", timeout: "soon" },
    { port: "0", redirectHost: "127.0.0.1", timeout: "1", requestTimeout: "-1" },
  ])("refuses %j", (flags) => {
    expect(() => parseConnectFlags({ requestTimeout: "30", ...flags })).toThrow(
      expect.objectContaining({ code: "USAGE_INVALID" }),
    );
  });

  it.each(["not a url", "", "https://", "http://login.example", "https://a:b@login.example"])(
    "refuses the endpoint %j, whatever the Pack does with one",
    (endpoint) => {
      const flags = { port: "0", redirectHost: "127.0.0.1", timeout: "1", requestTimeout: "30" };
      expect(() => parseConnectFlags({ ...flags, endpoint })).toThrow(
        expect.objectContaining({ code: "ENDPOINT_INVALID" }),
      );
    },
  );

  it("takes port 0 for a free one", () => {
    expect(parsePort("0")).toBe(0);
  });
});
