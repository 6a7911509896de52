import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { oneFormula } from "../support/dev-pack.ts";

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A request with headers that `fetch` would not send. */
function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = options;
    const sent = httpRequest(url, { method, headers }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += String(part);
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("the server of packsmith dev", () => {
  let dev: DevProject;
  let origin: string;
  let cookie: string;
  let token: string;
  beforeAll(async () => {
    dev = await startDevProject({ "pack.ts": oneFormula('return "hello";') });
    origin = dev.server.origin;
    const launch = await ask(dev.server.createLink());
    cookie = String(launch.headers["set-cookie"]).split(";")[0] ?? "";
    token =
      /name="packsmith-token" content="([^"]+)"/.exec(
        (await ask(origin, { headers: { cookie } })).text,
      )?.[1] ?? "";
  });
  afterAll(() => dev?.[Symbol.asyncDispose]());
  const allowed = () => ({
    cookie,
    origin,
    "x-packsmith-token": token,
    "content-type": "application/json",
  });
  const post = (headers: Record<string, string>) =>
    ask(`${origin}/api/runs`, {
      method: "POST",
      headers,
      body: JSON.stringify({ target: "Hello", args: [] }),
    });

  // docs/rules.md: rule 4
  it("answers only requests for the exact host that it serves", async () => {
    for (const host of [
      "attacker.example",
      `attacker.example:${dev.server.port}`,
      `127.0.0.1.:${dev.server.port}`,
      "127.0.0.1",
    ]) {
      const { status, text } = await ask(`${origin}/api/pack`, { headers: { cookie, host } });
      expect({ host, status, text }).toMatchObject({
        host,
        status: 421,
        text: expect.not.stringContaining("Hello"),
      });
    }
    expect((await ask(`${origin}/api/pack`, { headers: { cookie } })).status).toBe(200);
  });

  // docs/rules.md: rule 12
  it("sends its security headers with every answer, also with errors", async () => {
    const answers = await Promise.all([
      ask(dev.server.createLink()),
      ask(origin, { headers: { cookie } }),
      ask(`${origin}/page.js`),
      ask(`${origin}/api/nothing`, { headers: { cookie } }),
      ask(`${origin}/api/pack`),
      ask(`${origin}/`, { headers: { host: "other.example" } }),
      post(allowed()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 200, 200, 404, 403, 421, 200]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("gives the page and its data only to the browser that the link of the terminal has opened", async () => {
    const launch = await ask(dev.server.createLink());
    expect(launch.headers["location"]).toBe("/");
    expect(String(launch.headers["set-cookie"])).toMatch(
      new RegExp(
        `^packsmith_dev_${dev.server.port}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/$`,
      ),
    );
    for (const path of ["/", "/api/pack", "/api/events", "/?launch=wrong"]) {
      expect((await ask(origin + path)).status).toBe(403);
      expect((await ask(origin + path, { headers: { cookie: `${cookie}x` } })).status).toBe(403);
    }
  });

  it("opens the page once per link, and again in the browser that has it", async () => {
    const link = dev.server.createLink();
    const navigation = { "sec-fetch-mode": "navigate" };
    // A file, or another site that has no key.
    const foreign = { ...navigation, "sec-fetch-site": "cross-site" };
    expect((await ask(`${origin}/?launch=wrong`, { headers: foreign })).status).toBe(403);
    const opened = await ask(link, { headers: foreign });
    expect(opened).toMatchObject({
      status: 200,
      text: expect.stringContaining('http-equiv="refresh" content="0;url=/"'),
    });
    expect(String(opened.headers["set-cookie"])).toContain(cookie);
    for (const headers of [{}, navigation, foreign])
      expect(await ask(link, { headers })).toMatchObject({
        status: 403,
        headers: expect.not.objectContaining({ "set-cookie": expect.anything() }),
      });
    const again = await ask(link, { headers: { ...navigation, cookie } });
    expect(again).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(again.headers["set-cookie"]).toBeUndefined();
  });

  it("gives a link and its data, but no change, to a command with the instance key", async () => {
    const headers = { "x-packsmith-instance": dev.server.instanceKey };
    const asked = await ask(`${origin}/instance/link`, { method: "POST", headers });
    expect((await ask((JSON.parse(asked.text) as { url: string }).url)).status).toBe(303);
    expect((await ask(`${origin}/api/pack`, { headers })).status).toBe(200);
    const json = { "content-type": "application/json", origin, "x-packsmith-token": token };
    expect((await post({ ...json, ...headers })).status).toBe(403);
    for (const wrong of [{}, { "x-packsmith-instance": `${dev.server.instanceKey}x` }]) {
      const link = await ask(`${origin}/instance/link`, { method: "POST", headers: wrong });
      expect(link.status).toBe(403);
      expect((await ask(`${origin}/api/pack`, { headers: wrong })).status).toBe(403);
    }
  });

  // docs/rules.md: rule 16
  it("accepts GET and POST, each where it belongs, and answers no preflight", async () => {
    expect(
      (
        await ask(`${origin}/api/pack`, {
          method: "OPTIONS",
          headers: { ...allowed(), origin: "https://attacker.example" },
        })
      ).status,
    ).toBe(405);
    expect((await ask(`${origin}/api/pack`, { method: "HEAD", headers: { cookie } })).status).toBe(
      405,
    );
    expect((await ask(`${origin}/api/pack`, { method: "DELETE", headers: allowed() })).status).toBe(
      405,
    );
    expect(await ask(`${origin}/api/pack`, { method: "POST", headers: allowed() })).toMatchObject({
      status: 405,
      headers: { allow: "GET" },
    });
    expect(await ask(`${origin}/api/choices`, { headers: { cookie } })).toMatchObject({
      status: 405,
      headers: { allow: "POST" },
    });
  });

  // docs/rules.md: rule 17
  it("changes something only for its own page: its cookie, its origin, its token, JSON", async () => {
    expect((await post(allowed())).status).toBe(200);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(allowed()).filter(([key]) => key !== name));
    expect((await post(without("cookie"))).status).toBe(403);
    expect((await post(without("origin"))).status).toBe(403);
    expect((await post(without("x-packsmith-token"))).status).toBe(403);
    expect((await post(without("content-type"))).status).toBe(415);
    expect((await post({ ...allowed(), origin: "https://attacker.example" })).status).toBe(403);
    expect((await post({ ...allowed(), origin: "http://127.0.0.1:1" })).status).toBe(403);
    expect((await post({ ...allowed(), origin: "null" })).status).toBe(403);
    expect((await post({ ...allowed(), "x-packsmith-token": `${token}x` })).status).toBe(403);
    expect((await post({ ...allowed(), "content-type": "text/plain" })).status).toBe(415);
    for (const site of ["cross-site", "same-site"])
      expect((await post({ ...allowed(), "sec-fetch-site": site })).status).toBe(403);
  });

  it("lets a page of another port link to it, and read nothing", async () => {
    const from = (mode: string) => ({
      headers: { cookie, "sec-fetch-site": "same-site", "sec-fetch-mode": mode },
    });
    expect((await ask(origin, from("navigate"))).status).toBe(200);
    expect((await ask(`${origin}/api/pack`, from("no-cors"))).status).toBe(403);
    expect((await ask(`${origin}/api/events`, from("cors"))).status).toBe(403);
  });

  it("answers what a page would not send with an error of one line, and lives on", async () => {
    const send = (body: string) =>
      ask(`${origin}/api/runs`, { method: "POST", headers: allowed(), body });
    for (const body of ["", "{", "[]", "null", '"text"', '{"target":5}']) {
      const { status, text } = await send(body);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ failure: { code: "USAGE_INVALID" } });
    }
    for (const path of [
      "/api/runs/nope",
      "/api/runs/%E0%A4%A",
      "/..%2f..%2fetc%2fpasswd",
      "//",
      "/api/runs/1/rows?from=-1",
    ]) {
      expect((await ask(origin + path, { headers: { cookie } })).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    expect((await post(allowed())).status).toBe(200);
  });

  it("listens on 127.0.0.1 only, and nowhere after it is closed", async () => {
    const other = await startDevProject({ "pack.ts": oneFormula('return "hello";') });
    await other.server.close();
    await expect(ask(other.server.origin)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await other[Symbol.asyncDispose]();
    await expect(ask(`http://[::1]:${dev.server.port}/`)).rejects.toThrow();
  });

  it("notifies every open page of a save and its outcome", async () => {
    const stream = await fetch(`${origin}/api/events`, { headers: { cookie } });
    expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    dev.project.write("pack.ts", "const = 1;\n");
    let text = "";
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.includes('"type":"pack"')) break;
    }
    expect(text).toContain('data: {"type":"pack","revision":2,"status":"broken"}');
    expect(await (await dev.get("/api/pack")).json()).toMatchObject({
      status: "broken",
      canRun: true,
      isStale: true,
    });
  });
});

describe("starting packsmith dev", () => {
  it("takes the next port when one is taken, if it may", async () => {
    await using first = await startDevProject({ "pack.ts": oneFormula('return "";') });
    const { port } = first.server;
    await expect(
      startDevProject({ "pack.ts": oneFormula('return "";') }, { port }),
    ).rejects.toMatchObject({
      code: "PORT_IN_USE",
      details: { port },
    });
    await using second = await startDevProject(
      { "pack.ts": oneFormula('return "";') },
      { port, furtherPorts: 20 },
    );
    expect(second.server.port).toBeGreaterThan(port);
  });

  it("fails at once for a file that is not there, and starts with a Pack that is broken", async () => {
    await expect(startDevProject({})).rejects.toMatchObject({ code: "PACK_FILE_UNREADABLE" });
    await using dev = await startDevProject({ "pack.ts": "export const = 1;" });
    expect(await (await dev.get("/api/pack")).json()).toMatchObject({
      status: "broken",
      canRun: false,
      issues: [
        {
          code: "PACK_BUILD_FAILED",
          file: "pack.ts",
          line: 1,
          frame: [{ text: "export const = 1;" }, { isMark: true }],
        },
      ],
    });
    const answer = await dev.post("/api/runs", { target: "Hello", args: [] });
    expect(await answer.json()).toMatchObject({
      state: "ended",
      failure: { code: "PACK_BUILD_FAILED" },
    });
  });
});
