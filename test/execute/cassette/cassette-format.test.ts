import { describe, expect, it } from "vitest";
import { parseCassette, serializeCassette } from "../../../src/execute/cassette/cassette-format.ts";

const exchange = {
  purpose: "pack",
  request: { method: "GET", url: "https://a.example/" },
  response: { status: 200, headers: { "content-type": "text/plain" }, body: "Hello" },
} as const;
const cassette = { packsmithCassette: 1, target: "Echo", accounts: {}, exchanges: [exchange] };
const account = { type: "OAuth2", clientId: "client" };

function catchReason(change: object): string {
  try {
    parseCassette(JSON.stringify({ ...cassette, ...change }), "a.json");
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

describe("a cassette", () => {
  it("is read as it was written", () => {
    const written = {
      ...cassette,
      packsmithCassette: 1,
      accounts: { system: { ...account, clientKey: "P-256", fields: ["token"] } },
      exchanges: [
        { ...exchange, response: undefined, failure: { code: "FETCH_FAILED", message: "No." } },
        { ...exchange, request: { ...exchange.request, body: { base64: "AAE=" } } },
      ],
    } as const;
    const text = JSON.stringify(written);
    const read = parseCassette(text, "a.json");
    expect(JSON.parse(serializeCassette(read))).toEqual(JSON.parse(text));
  });

  it.each([
    [{ target: 1 }, "target is not text"],
    [{ accounts: [] }, "accounts is not an object"],
    [{ accounts: { other: account } }, "accounts has the unknown field other"],
    [{ accounts: { user: { ...account, endpoint: "nowhere" } } }, "accounts.user cannot be read"],
    [{ accounts: { user: { ...account, clientKey: "dsa" } } }, "accounts.user cannot be read"],
    [{ exchanges: {} }, "exchanges is not a list"],
    [{ exchanges: [exchange, { ...exchange, purpose: "x" }] }, "exchanges[1] cannot be read"],
    [{ exchanges: [{ ...exchange, response: undefined }] }, "exchanges[0] cannot be read"],
    [
      { exchanges: [{ ...exchange, response: { status: 99, headers: {} } }] },
      "exchanges[0] cannot be read",
    ],
    [
      { exchanges: [{ ...exchange, response: { status: 200, headers: { A: "b" } } }] },
      "exchanges[0] cannot be read",
    ],
  ])("with %j is refused: %s", (change, reason) => {
    expect(catchReason(change)).toBe(`The cassette a.json cannot be used: ${reason}.`);
  });
});
