import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createKeptResponses } from "../../src/accounts/kept-responses.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const RESPONSE = {
  version: 1,
  pending: {
    status: 200,
    contentType: "application/json",
    text: '{"access_token":"planted-token"}',
    receivedAtMs: 0,
  },
};

describe("a token response that the database could not store", () => {
  it("is sealed in a file that only its user can read, until it is forgotten", async () => {
    using folder = makeTemporaryFolder();
    const responses = createKeptResponses(folder.path, new Uint8Array(32).fill(1));
    await responses.keep("account", RESPONSE);
    const [name = ""] = readdirSync(folder.path);
    const path = join(folder.path, name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain("planted-token");
    expect(responses.find("account")).toEqual(RESPONSE);
    expect(responses.find("another")).toBeUndefined();
    responses.forget("account");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
