import { describe, expect, it } from "vitest";
import { chooseCases, isLong } from "../support/breadth.ts";
import {
  createMetadata,
  honestUrl,
  hostileUrl,
  type MixUpServers,
  readPath,
  startMixUpServers,
} from "../support/mix-up-servers.ts";

const SHARED = { redirectPath: "/registered" };
const KEPT = { redirectPath: "/oauth/callback" };
const HONEST = `authorizationUrl: "${honestUrl}/a", tokenUrl: "${honestUrl}/t"`;
const HOSTILE = `authorizationUrl: "${hostileUrl}/a", tokenUrl: "${hostileUrl}/t"`;
const PACKS = [
  ["has no issuer", HOSTILE],
  ["has an issuer of its own", `issuer: "${hostileUrl}", ${HOSTILE}`],
  ["has only an issuer of its own", `issuer: "${hostileUrl}"`],
  ["names the honest issuer next to its own URLs", `issuer: "${honestUrl}", ${HOSTILE}`],
] as const;

/** What the hostile server adds to the redirect URI, for an honest one that compares paths only. */
function inRedirectUri(query: string): MixUpServers["forge"] {
  return (search) => search.set("redirect_uri", `${search.get("redirect_uri")}?${query}`);
}

// RFC 9700 §4.4 and RFC 9207 §2.4.
// They wait for logins that nobody finishes.
describe.concurrent("on a redirect path that an honest connection has, a code is not stolen", () => {
  const FORGERIES: [string, MixUpServers][] = [
    ["no iss", {}],
    ["the iss of the hostile server", { forge: inRedirectUri(`iss=${hostileUrl}`) }],
    ["the iss of the honest server", { forge: inRedirectUri(`iss=${honestUrl}`) }],
    ["an empty iss", { forge: inRedirectUri("iss=") }],
    ["an iss with a slash", { forge: inRedirectUri(`iss=${hostileUrl}/`) }],
    ["two iss", { forge: inRedirectUri(`iss=${hostileUrl}`), namesItself: true }],
    ["two equal iss", { forge: inRedirectUri(`iss=${hostileUrl}&iss=${hostileUrl}`) }],
    ["two states", { forge: inRedirectUri(`iss=${hostileUrl}&state=x`) }],
    ["an iss below a name", { forge: inRedirectUri(`iss[]=${hostileUrl}`) }],
  ];
  it.each(chooseCases(FORGERIES, 6))("with %s", async (_, servers) => {
    await using run = await startMixUpServers({ namesItself: false, ...servers });
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
    for (const [, members] of PACKS) {
      const outcome = await run.connect("hostile", members, { ...SHARED, timeoutMs: 1_500 });
      expect(outcome).toMatch(
        /^OAUTH_(?:ISSUER_MISMATCH|CALLBACK_INVALID|STATE_MISMATCH|CONNECT_TIMEOUT)$/,
      );
    }
    expect(run.stolen).toEqual([]);
  });

  it.each(chooseCases(PACKS, 3))(
    "when a Pack %s, and the path is the one of all servers",
    async (_, members) => {
      await using run = await startMixUpServers();
      expect(readPath(await run.connect("honest", HONEST, KEPT))).toBe("/oauth/callback");
      expect(await run.connect("hostile", members, KEPT)).toBe("OAUTH_ISSUER_MISMATCH");
      expect(run.stolen).toEqual([]);
    },
  );

  it.runIf(isLong)("when the honest account was connected again on another device", async () => {
    const device = {
      device_authorization_endpoint: `${honestUrl}/d`,
    };
    await using run = await startMixUpServers({ namesItself: false, honestMetadata: device });
    const honest = `issuer: "${honestUrl}"`;
    expect(readPath(await run.connect("honest", honest, SHARED))).toBe("/registered");
    expect(await run.connect("honest", honest, { device: () => undefined })).toBe(undefined);
    expect(await run.connect("hostile", HOSTILE, SHARED)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it("when the honest account was revoked, or has moved to another path", async () => {
    await using run = await startMixUpServers({ namesItself: false });
    const moved = { redirectPath: "/moved" };
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
    expect(readPath(await run.connect("honest", HONEST, moved))).toBe("/moved");
    await run.revoke("honest");
    for (const options of [SHARED, moved])
      expect(await run.connect("hostile", HOSTILE, options)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
  });

  it.runIf(isLong)("after an honest account whose server names itself was revoked", async () => {
    await using run = await startMixUpServers({ forge: inRedirectUri(`iss=${hostileUrl}`) });
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
    await run.revoke("honest");
    expect(await run.connect("hostile", HOSTILE, SHARED)).toMatch(/^OAUTH_/);
    expect(run.stolen).toEqual([]);
  });

  // Servers of many tenants: an issuer is a path, and the origin says nothing about it.
  it.each(chooseCases([true, false], 2))(
    "when both servers are paths of one origin, also if the honest one names itself: %s",
    async (namesItself) => {
      const [honest, hostile] = ["https://login.example/honest", "https://login.example/hostile"];
      await using run = await startMixUpServers({ honest, hostile, namesItself });
      const urls = (issuer: string) => `authorizationUrl: "${issuer}/a", tokenUrl: "${issuer}/t"`;
      const first = await run.connect("honest", urls(honest), KEPT);
      expect(first).toBe(namesItself ? first : "OAUTH_ISSUER_MISMATCH");
      for (const members of [
        urls(hostile),
        `issuer: "${hostile}", ${urls(hostile)}`,
        `issuer: "${hostile}"`,
        `issuer: "${honest}", ${urls(hostile)}`,
      ])
        expect(await run.connect("hostile", members, KEPT)).toBe("OAUTH_ISSUER_MISMATCH");
      expect(run.stolen).toEqual([]);
    },
  );

  const SIMILAR = ["/registered/", "/REGISTERED", "/oauth/callback/", "/oauth/Callback"];
  it.each(chooseCases(SIMILAR, 5))(
    "when the hostile Pack listens on the similar path %s",
    async (redirectPath) => {
      const registered = ["/registered", "/oauth/callback"];
      await using run = await startMixUpServers({
        namesItself: false,
        registered,
        forge: (search) => {
          const uri = new URL(search.get("redirect_uri") ?? "");
          uri.pathname = redirectPath.toLowerCase().replace(/\/$/, "");
          search.set("redirect_uri", uri.href);
        },
      });
      expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
      const outcome = await run.connect("hostile", HOSTILE, { redirectPath, timeoutMs: 1_500 });
      expect(outcome).toBe("OAUTH_CONNECT_TIMEOUT");
      expect(run.stolen).toEqual([]);
    },
  );
});

const REFUSED = /^OAUTH_(?:ISSUER_MISMATCH|CONNECT_TIMEOUT|DISCOVERY_FAILED)$/;

describe.concurrent("metadata that changes during a connection gets no code of an honest server", () => {
  it.each(
    chooseCases(
      [
        ["the token endpoint was the honest one", { token_endpoint: `${honestUrl}/t` }],
        [
          "the authorization endpoint is the honest one",
          { authorization_endpoint: `${honestUrl}/a` },
        ],
        ["it then names the honest issuer", {}, { issuer: honestUrl }],
        ["it then promises iss", {}, { authorization_response_iss_parameter_supported: true }],
      ],
      2,
    ),
  )("when %s", async (_, first: object, later: object = {}) => {
    let reads = 0;
    await using run = await startMixUpServers({
      namesItself: false,
      registered: ["/registered", "/oauth/callback"],
      behave: (path) =>
        path === "metadata"
          ? { body: { ...createMetadata(hostileUrl), ...(reads++ === 0 ? first : later) } }
          : undefined,
    });
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
    for (const [name, options] of [
      ["other/honest", {}],
      ["hostile", SHARED],
      ["hostile", KEPT],
    ] as const) {
      reads = 0;
      const only = `issuer: "${hostileUrl}"`;
      expect(await run.connect(name, only, { ...options, timeoutMs: 1_500 })).toMatch(REFUSED);
    }
    expect(run.stolen).toEqual([]);
  });
});

describe.concurrent.each([
  ["names itself", true],
  ["does not name itself", false],
])("if the honest server %s, an MCP server gets no code with a server", (_, namesItself) => {
  const resource = `${hostileUrl}/mcp`;
  const mcpPack = `useDynamicClientRegistration: true, networkDomain: ["api.example", "hostile.example"];.addNetworkDomain("hostile.example")
    .addMCPServer({ name: "Tasks", endpointUrl: "${resource}" })`;
  it.each<[string, string[], object, RegExp]>(
    chooseCases(
      [
        ["of its own", [hostileUrl], {}, REFUSED],
        [
          "with the honest authorization endpoint",
          [hostileUrl],
          { authorization_endpoint: `${honestUrl}/a` },
          REFUSED,
        ],
        ["next to the honest one", [hostileUrl, honestUrl], {}, REFUSED],
        ["that says it is the honest one", [hostileUrl], { issuer: honestUrl }, REFUSED],
        // Its code goes to its own token endpoint.
        ["that is the honest one", [honestUrl, hostileUrl], {}, /^(?:http|OAUTH_)/],
      ],
      2,
    ),
  )("%s", async (_what, servers, metadata, refused) => {
    await using run = await startMixUpServers({
      namesItself,
      registered: ["/registered", "/oauth/callback"],
      behave: (path) => {
        if (path === "metadata") return { body: { ...createMetadata(hostileUrl), ...metadata } };
        if (path === "resource") return { body: { resource, authorization_servers: servers } };
        return path === "/mcp" ? { status: 401 } : undefined;
      },
    });
    expect(readPath(await run.connect("honest", HONEST, SHARED))).toBe("/registered");
    for (const options of [{}, SHARED, KEPT]) {
      const outcome = await run.connect("hostile", mcpPack, { ...options, timeoutMs: 1_500 });
      expect(outcome).toMatch(refused);
    }
    expect(run.stolen).toEqual([]);
  });
});
