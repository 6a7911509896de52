import { describe, expect, it } from "vitest";
import {
  hostMatchesDomain,
  isLoopbackHost,
  joinEndpoint,
  parseEndpoint,
} from "../../src/define/hosts.ts";

describe("joinEndpoint", () => {
  it.each([
    ["https://acme.example", "/oauth/token", "https://acme.example/oauth/token"],
    ["https://acme.example/", "/oauth/token", "https://acme.example/oauth/token"],
    [
      "https://login.example/tenant-1",
      "/oauth2/v2.0/token",
      "https://login.example/tenant-1/oauth2/v2.0/token",
    ],
    [
      "https://login.example/tenant-1/",
      "/oauth2/v2.0/token",
      "https://login.example/tenant-1/oauth2/v2.0/token",
    ],
    ["https://ACME.example", "/t?refresh", "https://acme.example/t?refresh"],
    ["https://acme.example/a%2Fb", "/t", "https://acme.example/a%2Fb/t"],
    ["http://127.0.0.1:4711/api", "/t", "http://127.0.0.1:4711/api/t"],
  ])("joins %s and %s byte for byte", (endpoint, relative, joined) => {
    expect(joinEndpoint(endpoint, relative)).toBe(joined);
  });

  it.each([
    "oauth/token",
    "//evil.test/x",
    "/\\evil.test/x",
    "/../x",
    "/%2e%2e/x",
    "/a/.%2E/x",
    "/./x",
    "",
    "/a b",
    "https://evil.test/",
  ])("refuses the relative URL %j", (relative) => {
    expect(() => joinEndpoint("https://acme.example/t", relative)).toThrow(
      expect.objectContaining({ code: "URL_NOT_ALLOWED" }),
    );
  });

  it.each([
    "https://acme.example?x=1",
    "https://u:p@acme.example",
    "https://acme.example#x",
    "http://acme.example",
    "ftp://acme.example",
    "",
    "a b",
  ])("refuses the endpoint %j", (endpoint) => {
    expect(() => joinEndpoint(endpoint, "/t")).toThrow(
      expect.objectContaining({ code: "ENDPOINT_INVALID" }),
    );
  });
});

describe("parseEndpoint", () => {
  it("reads a host or a URL, and drops trailing slashes", () => {
    expect(parseEndpoint("Acme.example")).toBe("https://acme.example");
    expect(parseEndpoint("https://acme.example/a//")).toBe("https://acme.example/a");
    expect(parseEndpoint("http://localhost:80/")).toBe("http://localhost");
  });
});

describe("hostMatchesDomain", () => {
  // docs/rules.md: rule 20
  it.each([
    ["example.com", "example.com", true],
    ["a.b.Example.com", "example.COM", true],
    ["example.com.", "example.com", true],
    ["evil-example.com", "example.com", false],
    ["example.com.evil.test", "example.com", false],
    ["com", "example.com", false],
    ["example.com:8443", "example.com", false],
    ["example.com:8443", "example.com:8443", true],
    ["127.0.0.1:4711", "127.0.0.1", true],
    ["127.0.0.1:4711", "127.0.0.1:4712", false],
    ["[::1]:4711", "[::1]", true],
    ["x.localhost", "localhost", false],
    ["", "", false],
  ])("compares %s with the domain %s by labels: %s", (host, domain, expected) => {
    expect(hostMatchesDomain(host, domain)).toBe(expected);
  });

  it("knows loopback hosts with and without a port", () => {
    for (const host of [
      "localhost",
      "LOCALHOST:1",
      "127.0.0.1",
      "127.9.9.9:80",
      "[::1]",
      "[::1]:80",
    ])
      expect(isLoopbackHost(host), host).toBe(true);
    for (const host of [
      "localhost.evil.test",
      "127.0.0.1.nip.test",
      "128.0.0.1",
      "[::2]",
      "10.0.0.1",
      "",
    ])
      expect(isLoopbackHost(host), host).toBe(false);
  });
});
