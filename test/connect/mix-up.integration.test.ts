import { describe, expect, it } from "vitest";
import { honestUrl, hostileUrl, readPath, startMixUpServers } from "../support/mix-up-servers.ts";

const HONEST_URLS = `authorizationUrl: "${honestUrl}/a", tokenUrl: "${honestUrl}/t"`;
const HONEST = `issuer: "${honestUrl}", ${HONEST_URLS}`;
const HOSTILE = `authorizationUrl: "${hostileUrl}/a", tokenUrl: "${hostileUrl}/t"`;

// RFC 9700 §4.4: the hostile server sends the user to an honest one, whose code then goes to it.
describe("a code of an honest server goes to no other one", () => {
  it.each([
    ["names the honest issuer next to its own URLs", `issuer: "${honestUrl}", ${HOSTILE}`],
    ["has no issuer", HOSTILE],
    ["has an issuer of its own", `issuer: "${hostileUrl}", ${HOSTILE}`],
    ["has only an issuer of its own", `issuer: "${hostileUrl}"`],
  ])("when a Pack of another name %s, and the honest server checks nothing", async (_, members) => {
    await using run = await startMixUpServers();
    expect(await run.connect("hostile", members)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it.each([
    ["names the honest issuer next to its own URLs", `issuer: "${honestUrl}", ${HOSTILE}`],
    ["has no issuer", HOSTILE],
    ["has only an issuer of its own", `issuer: "${hostileUrl}"`],
    ["has the honest authorization URL", HOSTILE.replace(`${hostileUrl}/a`, `${honestUrl}/a`)],
  ])(
    "when a Pack has the name of the honest one and %s, and no server names itself",
    async (_, members) => {
      const registered: string[] = ["/oauth/callback"];
      await using run = await startMixUpServers({ registered, namesItself: false });
      await run.connect("one/tasks", HONEST, {
        timeoutMs: 60_000,
        browser: async (url, { redirectUri }) => {
          registered.push(readPath(redirectUri));
          await run.follow(url);
        },
      });
      const outcome = await run.connect("two/tasks", members, { timeoutMs: 300 });
      expect(outcome).toBe("OAUTH_CONNECT_TIMEOUT");
      expect(run.stolen).toEqual([]);
    },
  );

  it("when both are connected with a registered path, because responses must then name their server", async () => {
    await using run = await startMixUpServers({ namesItself: false });
    const shared = { redirectPath: "/registered" };
    expect(readPath(await run.connect("honest", HONEST, shared))).toBe("/registered");
    const only = `issuer: "${hostileUrl}"`;
    expect(await run.connect("hostile", only, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(await run.connect("hostile", HOSTILE, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    const borrowed = `issuer: "${honestUrl}", ${HOSTILE}`;
    expect(await run.connect("hostile", borrowed, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it.each([
    ["names itself", true, HONEST, "/oauth/callback"],
    [
      "names itself, also without an issuer in the definition",
      true,
      HONEST_URLS,
      "/oauth/callback",
    ],
    ["does not", false, HONEST, "OAUTH_ISSUER_MISMATCH"],
    ["does not, and the definition has no issuer", false, HONEST_URLS, "OAUTH_ISSUER_MISMATCH"],
  ])(
    "when the path is the one that all servers had, which works if the server %s",
    async (_, namesItself, members, expected) => {
      await using run = await startMixUpServers({ namesItself });
      const outcome = await run.connect("honest", members, { redirectPath: "/oauth/callback" });
      expect(outcome?.startsWith("http") ? readPath(outcome) : outcome).toBe(expected);
    },
  );

  it("when an account is connected again by a definition that has moved to another server", async () => {
    await using run = await startMixUpServers({ namesItself: false });
    const path = readPath(await run.connect("tasks", HONEST));
    expect(readPath(await run.connect("tasks", HONEST))).toBe(path);
    expect(await run.connect("tasks", HOSTILE)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it("when the address of another connection is pasted", async () => {
    await using run = await startMixUpServers();
    const pasted: string[] = [];
    const paste = async (url: string): Promise<string> => {
      const state = new URL(url).searchParams.get("state") ?? "";
      pasted.push(state);
      return pasted.length > 1 ? "" : `http://127.0.0.1/oauth/callback/other?code=c&state=${state}`;
    };
    expect(await run.connect("hostile", HOSTILE, { paste })).toBe("OAUTH_CALLBACK_INVALID");
    expect(run.stolen).toEqual([]);
  });
});
