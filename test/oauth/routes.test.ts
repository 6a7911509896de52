import { describe, expect, it } from "vitest";
import { applyRoutes, parseRoutes } from "../../src/oauth/routes.ts";

describe("routes", () => {
  it("replaces an origin and keeps the rest byte for byte", () => {
    const routes = parseRoutes([
      "https://login.tasks.example=http://127.0.0.1:4711",
      "https://API.example:8443=http://[::1]:80",
    ]);
    expect(applyRoutes("https://login.tasks.example/t?refresh&a=%20#x", routes)).toBe(
      "http://127.0.0.1:4711/t?refresh&a=%20#x",
    );
    expect(applyRoutes("https://login.tasks.example", routes)).toBe("http://127.0.0.1:4711");
    expect(applyRoutes("https://api.example:8443/x", routes)).toBe("http://[::1]/x");
    for (const url of [
      "https://login.tasks.example.evil.example/t",
      "http://login.tasks.example/t",
      "not a url",
    ]) {
      expect(applyRoutes(url, routes)).toBe(url);
    }
  });

  // docs/rules.md: rule 19
  it.each([
    "https://a.example",
    "https://a.example=",
    "=http://127.0.0.1",
    "a.example=http://127.0.0.1",
    "https://a.example=http://10.0.0.1",
    "https://a.example=https://b.example",
    "https://a.example/path=http://127.0.0.1",
    "https://a.example=http://127.0.0.1/path",
    "https://a.example=http://u:p@127.0.0.1",
    "https://a.example=http://127.0.0.1.nip.example",
    "http://a.example=http://127.0.0.1",
    "https://a.example=b=http://127.0.0.1",
  ])("refuses the route %s", (route) => {
    expect(() => parseRoutes([route])).toThrow(expect.objectContaining({ code: "ROUTE_INVALID" }));
  });

  it("of a domain covers it and every host below it, unless the origin has a route of its own", () => {
    const routes = parseRoutes([
      "https://*.tasks.example=http://127.0.0.1:4001",
      "https://docs.tasks.example=http://127.0.0.1:4002",
    ]);
    const apply = (url: string) => applyRoutes(url, routes);
    expect(apply("https://tasks.example/a")).toBe("http://127.0.0.1:4001/a");
    expect(apply("https://v1.api.tasks.example/a?b")).toBe("http://127.0.0.1:4001/a?b");
    expect(apply("https://docs.tasks.example/a")).toBe("http://127.0.0.1:4002/a");
    for (const other of [
      "https://other-tasks.example/a",
      "http://tasks.example/a",
      "https://example/",
    ])
      expect(apply(other)).toBe(other);
  });

  it("refuses an origin that comes twice", () => {
    expect(() =>
      parseRoutes(["https://a.example=http://127.0.0.1:1", "https://a.example=http://127.0.0.1:2"]),
    ).toThrow(/repeats/);
  });
});
