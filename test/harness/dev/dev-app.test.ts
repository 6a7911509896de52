import { describe, expect, it } from "vitest";
import { startDevProject } from "../../support/dev.ts";

const PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
`;
const start = () => startDevProject({ "pack.ts": PACK });

describe("the server of the page", () => {
  it("answers the page, its files and its data only to who came by the link of the terminal", async () => {
    await using dev = await start();
    expect((await fetch(`${dev.server.origin}/`)).status).toBe(403);
    expect((await fetch(`${dev.server.origin}/api/pack`)).status).toBe(403);
    expect((await fetch(`${dev.server.origin}/?launch=wrong`)).status).toBe(403);
    expect((await dev.get("/api/pack")).status).toBe(200);
  });

  it("sends the headers of rule 12 with every answer", async () => {
    await using dev = await start();
    for (const response of [await dev.get("/"), await dev.get("/page.js"), await dev.get("/nothing"), await fetch(dev.server.origin)]) {
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(response.headers.get("x-powered-by")).toBeNull();
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it.each([
    ["a POST to what is only read", "/api/pack", "POST", 405],
    ["a path that nobody has", "/api/nothing", "GET", 404],
    ["another method", "/api/pack", "DELETE", 405],
    ["a preflight (rule 16)", "/api/pack", "OPTIONS", 405],
    ["a path that cannot be decoded", "/api/%", "GET", 404],
    ["a path with another host in it", "//other.example/", "GET", 404],
  ])("refuses %s", async (_name, path, method, status) => {
    await using dev = await start();
    const response =
      method === "POST" ? await dev.post(path) : method === "GET" ? await dev.get(path) : await fetch(dev.server.origin + path, { method });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/\bat .*\.[jt]s:\d/);
  });

  it("refuses a body that is no JSON without a stack trace", async () => {
    await using dev = await start();
    const page = await (await dev.get("/")).text();
    const response = await fetch(`${dev.server.origin}/api/pack`, {
      method: "POST",
      headers: {
        cookie: dev.cookie,
        origin: dev.server.origin,
        "x-packsmith-token": /name="packsmith-token" content="([^"]+)"/.exec(page)?.[1] ?? "",
        "content-type": "application/json",
      },
      body: "{",
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ failure: { code: "USAGE_INVALID", message: "The request is no JSON." } });
  });

  it.each([
    ["without the token of the page (rule 17)", { "x-packsmith-token": "" }, 403],
    ["from another origin (rule 17)", { origin: "http://other.example" }, 403],
    ["from another site (rule 17)", { "sec-fetch-site": "cross-site" }, 403],
    ["that is a form (rule 17)", { "content-type": "text/plain" }, 415],
  ])("refuses a POST %s", async (_name, headers, status) => {
    await using dev = await start();
    expect((await dev.post("/api/pack", {}, headers)).status).toBe(status);
  });
});
