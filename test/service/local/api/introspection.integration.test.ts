import http from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import {
  introspectToken,
  readIntrospection,
} from "../../../../src/service/local/api/introspection.ts";
import { startService } from "../../../../src/service/local/service.ts";
import { startRawServer } from "../../../support/raw-server.ts";
import { type Answer, startTokenServer } from "../../../support/token-server.ts";

const NOW_S = 1_800_000_000;
const read = (body: object) => readIntrospection(body as Record<string, unknown>, NOW_S * 1_000);

// RFC 7662 §2.2
describe("an introspection response", () => {
  it.each<[string, object]>([
    ["is not active", { active: false }],
    ["is not active, whatever else it says", { active: false, scope: ["a"], exp: "soon" }],
    ["has expired", { active: true, exp: NOW_S - 61 }],
    ["has expired in the last century", { active: true, exp: -1 }],
    ["is not valid yet", { active: true, nbf: NOW_S + 61 }],
  ])("of a token that %s accepts nothing", (_, body) => expect(read(body)).toBeUndefined());

  it.each<[string, object, string]>([
    ["no member", {}, "active is missing"],
    ["null", { active: null }, "active is missing"],
    ["an inherited active", JSON.parse('{"__proto__":{"active":true}}'), "active is missing"],
    ["active as a text", { active: "true" }, "active is not a boolean"],
    ["active as a number", { active: 1 }, "active is not a boolean"],
    ["active as a list", { active: [true] }, "active is not a boolean"],
    ["a scope that is a list", { active: true, scope: ["docs:write"] }, "scope is not a string"],
    ["a scope that is an object", { active: true, scope: {} }, "scope is not a string"],
    ["an expiry as a text", { active: true, exp: "1900000000" }, "exp is not a number"],
    ["an expiry as a list", { active: true, exp: [1] }, "exp is not a number"],
    ["a start as a text", { active: true, nbf: "0" }, "nbf is not a number"],
  ])("with %s cannot be used", (_, body, reason) => {
    expect(() => read(body)).toThrow(
      `The introspection endpoint did not give a usable response: ${reason}.`,
    );
  });

  it.each<[string, object, object]>([
    ["nothing else", {}, { scopes: [], name: "Unknown client" }],
    ["scopes", { scope: "docs:read docs:write" }, { scopes: ["docs:read", "docs:write"] }],
    ["spaces around them", { scope: "  a  b " }, { scopes: ["a", "b"] }],
    ["an empty scope", { scope: "" }, { scopes: [] }],
    ["members that are null", { scope: null, exp: null, nbf: null }, { scopes: [] }],
    ["a user", { username: "ada", client_id: "c" }, { name: "ada" }],
    ["names that are no texts", { name: 5, username: ["ada"], client_id: "c" }, { name: "c" }],
    ["clocks that differ by a minute", { exp: NOW_S - 59, nbf: NOW_S + 59 }, { scopes: [] }],
    ["an expiry in a far future", { exp: 1e300 }, { scopes: [] }],
  ])("of an active token with %s is read", (_, body, expected) =>
    expect(read({ active: true, ...body })).toMatchObject(expected),
  );
});

describe("an introspection endpoint gives no usable response", () => {
  const JWT = "eyJhbGciOiJub25lIn0.eyJhY3RpdmUiOnRydWV9.";
  it.each<[string, Answer]>([
    [
      "a JWT (RFC 9701)",
      { body: JWT, headers: { "content-type": "application/token-introspection+jwt" } },
    ],
    ["a list", { body: [{ active: true }] }],
    ["a text", { body: '"active"' }],
    ["a page", { body: "<title>active</title>" }],
    ["a form", { body: "active=true" }],
    ["nothing", { body: "" }],
    ["a redirect", { status: 307, headers: { location: "/other" }, body: { active: true } }],
    ...[201, 400, 401, 403, 404, 429, 500, 503].map((status): [string, Answer] => [
      `status ${status}`,
      { status, body: { active: true } },
    ]),
  ])("with %s", async (_, answer) => {
    await using server = await startTokenServer(({ url }) =>
      url === "/introspect" ? answer : { body: { active: true } },
    );
    const introspection = { url: `${server.url}/introspect`, clientId: "c", clientSecret: "s" };
    await expect(introspectToken(introspection, "planted-token", 0)).rejects.toMatchObject({
      status: 503,
      message: "The introspection endpoint did not give a usable response.",
    });
    expect(server.requests.map(({ url }) => url)).toEqual(["/introspect"]);
  });
});

describe("an introspection response", () => {
  const ACTIVE = JSON.stringify({ active: true, scope: "docs:read", client_id: "c" });
  const head = (extra: string) =>
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${extra}\r\n`);
  const coded = (coding: string, bytes: Uint8Array) => [
    head(`content-encoding: ${coding}\r\ncontent-length: ${bytes.byteLength}\r\n`),
    bytes,
  ];
  const ask = async (parts: readonly Uint8Array[]) => {
    await using server = await startRawServer((socket) => socket.write(Buffer.concat(parts)));
    return await introspectToken({ url: server.url, clientId: "c", clientSecret: "s" }, "token", 0);
  };
  const gzip = gzipSync(ACTIVE);

  it("is read when its body is complete", async () => {
    expect(await ask(coded("gzip", gzip))).toEqual({ scopes: ["docs:read"], name: "c" });
  });

  it.each<[string, readonly Uint8Array[]]>([
    ["gzip without its end", coded("gzip", gzip.subarray(0, -8))],
    ["gzip without its last byte", coded("gzip", gzip.subarray(0, -1))],
    ["deflate without its end", coded("deflate", deflateSync(ACTIVE).subarray(0, -4))],
    ["brotli without its end", coded("br", brotliCompressSync(ACTIVE).subarray(0, -1))],
    ["a length that is too long", [head("content-length: 500\r\n"), Buffer.from(ACTIVE)]],
    [
      "chunks without an end",
      [
        head("transfer-encoding: chunked\r\n"),
        Buffer.from(`${ACTIVE.length.toString(16)}\r\n${ACTIVE}\r\n`),
      ],
    ],
    ["20 MB in a small gzip", coded("gzip", gzipSync(ACTIVE + " ".repeat(20_000_000)))],
    [
      "forty levels",
      [head(""), Buffer.from(`{"active":true,"x":${"[".repeat(40)}${"]".repeat(40)}}`)],
    ],
  ])("with %s cannot be used", async (_, parts) => {
    await expect(ask(parts)).rejects.toMatchObject({ status: 503 });
  });

  it("of more than 64 kB cannot be used, and the error says why", async () => {
    const text = JSON.stringify({ active: true, more: "x".repeat(70_000) });
    await expect(ask([head(""), Buffer.from(text)])).rejects.toMatchObject({
      status: 503,
      message:
        "The introspection endpoint did not give a usable response: larger than 65536 bytes.",
    });
  });
});

describe("an introspection endpoint", () => {
  // Linux and macOS connect to this machine when they are asked for 0.0.0.0.
  it.skipIf(process.platform === "win32")("can have a private address", async () => {
    const body = { active: true, scope: "docs:read", client_id: "c" };
    await using server = await startTokenServer(() => ({ body }));
    const url = server.url.replace("127.0.0.1", "0.0.0.0");
    expect(await introspectToken({ url, clientId: "c", clientSecret: "s" }, "token", 0)).toEqual({
      scopes: ["docs:read"],
      name: "c",
    });
  });

  it.each(["93.184.216.34", "[2606:2800:220:1::1]"])(
    "with the public address %s is not requested with http",
    async (host) => {
      const requests = vi.spyOn(http, "request");
      try {
        const introspection = { url: `http://${host}/`, clientId: "c", clientSecret: "s" };
        await expect(introspectToken(introspection, "token", 0)).rejects.toMatchObject({
          status: 503,
          message:
            "The introspection endpoint did not give a usable response: it uses http, and its host has a public address.",
        });
        expect(requests).not.toHaveBeenCalled();
      } finally {
        requests.mockRestore();
      }
    },
  );
});

describe("a service", () => {
  it("compares the expiry of a token with its own time, whatever its clock was set to", async () => {
    let nowMs = 1_000_000;
    await using server = await startTokenServer(() => ({
      body: { active: true, scope: "docs:read", client_id: "c", exp: 2_000 },
    }));
    await using service = await startService({
      now: () => nowMs,
      tokenIntrospection: { url: `${server.url}/introspect`, clientId: "c", clientSecret: "s" },
    });
    const ask = async () =>
      (await fetch(`${service.url}/whoami`, { headers: { authorization: "Bearer one" } })).status;
    expect(await ask()).toBe(200);
    service.clock.advance(10_000_000);
    expect(await ask()).toBe(200);
    nowMs = 3_000_000;
    expect(await ask()).toBe(401);
  });

  const tokenIntrospection = { url: "nonsense", clientId: "c", clientSecret: "s" };
  const refusal = { code: "USAGE_INVALID", message: "tokenIntrospection.url is not a valid URL." };

  it("does not start with a URL of an introspection endpoint that cannot be used", async () => {
    await expect(startService({ tokenIntrospection })).rejects.toMatchObject(refusal);
  });

  it("does not accept tokens from one that cannot be used", async () => {
    await using service = await startService();
    expect(() => service.acceptTokensFrom(tokenIntrospection)).toThrow(
      expect.objectContaining(refusal),
    );
  });
});
