import { describe, expect, it } from "vitest";
import { createServerFetch } from "../../src/oauth/server-fetch.ts";
import {
  bareHost,
  checkUrl,
  isPublicAddress,
  publicOnlyFor,
  resolvePublicAddresses,
} from "../../src/oauth/url-policy.ts";
import { baseTokens, startTokenServer } from "../support/token-server.ts";

const refusedAsWritten = [
  "http://as.example/t",
  "ftp://as.example/t",
  "file:///etc/passwd",
  "data:application/json,{}",
  "//as.example/t",
  "/t",
  "",
  "https://",
  "https:///t",
  "https:\\\\as.example\\t",
  "https://as.example\\@evil.example/t",
  "https://as.example/\tt",
  "https://as.exa\nmple/t",
  "https://user:pw@as.example/t",
  "https://user@as.example/t",
  "https://@as.example/t",
  "https://as.example/t#x",
  "https://0x7f.1/t",
  "https://2130706433/t",
  "https://0177.0.0.1/t",
  "http://127.1/t",
  "https://①②⑦.⓪.⓪.①/t",
  "https://10.0.0.1/t",
  "https://172.16.0.1/t",
  "https://192.168.1.1/t",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/t",
  "https://0.0.0.0/t",
  "https://[::]/t",
  "https://[fe80::1]/t",
  "https://[fc00::1]/t",
  "https://[::ffff:10.0.0.1]/t",
  "https://[64:ff9b::a00:1]/t",
  "https://[2002:a00:1::]/t",
  "https://as.example:22/t",
  "https://as.example:25/t",
  "http://localhost.evil.example/t",
  "http://127.0.0.1.nip.example/t",
];
const hidden = [
  "10.1.2.3",
  "127.0.0.1",
  "169.254.169.254",
  "192.168.0.1",
  "::1",
  "fe80::1",
  "fd00::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
];
const definition = {
  type: "OAuth2",
  authorizationUrl: "https://as.example/a",
  tokenUrl: "https://as.example/t",
} as const;

describe("URL policy", () => {
  // docs/rules.md: rule 18, 19
  it.each(refusedAsWritten)("refuses %j before any request", (url) => {
    expect(() => checkUrl(url)).toThrow(expect.objectContaining({ code: "URL_NOT_ALLOWED" }));
  });

  // docs/rules.md: rule 18
  it.each([
    "https://as.example/t",
    "https://as.example:8443/t?x",
    "https://93.184.216.34/t",
    "http://127.0.0.1:4711/t",
    "http://[::1]:4711/t",
    "http://localhost:80/t",
  ])("accepts %s", (url) => {
    expect(() => checkUrl(url)).not.toThrow();
  });

  it("never shows user info or a query of a refused URL", () => {
    expect(() => checkUrl("https://me:hunter22@as.example/t?token=abcdef")).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/hunter22|abcdef/) }),
    );
  });

  // docs/rules.md: rule 19
  it.each(hidden)("refuses a name that resolves to %s", async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    const lookup = async () => ["93.184.216.34", address];
    await expect(resolvePublicAddresses("as.example", lookup)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      message: `The host as.example resolves to ${address}, which is not a public address.`,
    });
  });

  // docs/rules.md: rule 19
  it("refuses a name that resolves to nothing", async () => {
    await expect(resolvePublicAddresses("as.example", async () => [])).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
  });

  // docs/rules.md: rule 19
  it("returns the addresses of a name that resolves only to public ones", async () => {
    const addresses = ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"];
    expect(await resolvePublicAddresses("as.example", async () => addresses)).toEqual(addresses);
  });

  // docs/rules.md: rule 19
  it.each([
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[fd00::1]/",
  ])("refuses the host of %s without asking a resolver", async (url) => {
    const lookup = () => Promise.reject(new TypeError("an address needs no lookup"));
    await expect(resolvePublicAddresses(bareHost(new URL(url)), lookup)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
  });

  // docs/rules.md: rule 19
  it("allows any address where a route was given or the URL names this machine, and nowhere else", () => {
    const lookup = async () => [];
    const routes = { "https://as.example": "http://127.0.0.1:1" };
    expect(publicOnlyFor(new URL("https://as.example/t"), routes, lookup)).toBeUndefined();
    expect(publicOnlyFor(new URL("http://localhost:9000/t"), routes, lookup)).toBeUndefined();
    expect(publicOnlyFor(new URL("https://as.example.org/t"), routes, lookup)).toBe(lookup);
  });

  // docs/rules.md: rule 18, 19
  it("does not resolve a routed origin, and checks the declared URL before the route", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const lookup = () => Promise.reject(new Error("must not be called"));
    const routes = { "https://as.example": server.url, "http://as.example": server.url };
    const transport = createServerFetch({ definition, purpose: "discovery", routes, lookup });
    expect((await transport("https://as.example/t", { method: "POST", body: "a=1" })).status).toBe(
      200,
    );
    await expect(
      transport("http://as.example/t", { method: "POST", body: "a=1" }),
    ).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(server.requests).toHaveLength(1);
  });
});
