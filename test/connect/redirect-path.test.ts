import { describe, expect, it } from "vitest";
import { chooseRedirect, ownRedirect, redirectAddress } from "../../src/connect/redirect-path.ts";

/** A connection whose server does not name itself, at this address. */
const vaultWith = (address: string) => ({
  listRedirects: async () => [{ address, binding: "honest", namesIssuer: false }],
});

// RFC 9700 §4.4.2
describe("another connection has the redirect URI already", () => {
  it.each([
    "https://tunnel.example/registered",
    "https://tunnel.example/registered?x=1",
    "https://tunnel.example/registered?code=1",
    "https://tunnel.example:443/registered",
    "https://tunnel.example:8443/registered",
    "https://TUNNEL.example/a/../registered",
    "https://tunnel.example./registered",
    "https://ｔunnel.example/registered",
  ])("that is written as %s", async (redirectUri) => {
    const { sharing } = await chooseRedirect({
      own: { path: "/oauth/callback/other", binding: "hostile" },
      choice: { redirectUri },
      before: undefined,
      vault: vaultWith(redirectAddress("https://tunnel.example/registered")),
    });
    expect(sharing).toBe("unnamed");
  });

  it.each([
    "https://tunnel.example/registered/",
    "https://tunnel.example/Registered",
    "https://tunnel.example/%72egistered",
    "https://other.example/registered",
    "http://127.0.0.1:3000/registered",
  ])("but not one that is another, %s", async (redirectUri) => {
    const { sharing } = await chooseRedirect({
      own: { path: "/oauth/callback/other", binding: "hostile" },
      choice: { redirectUri },
      before: undefined,
      vault: vaultWith(redirectAddress("https://tunnel.example/registered")),
    });
    expect(sharing).toBe("none");
  });

  it.each([
    "http://localhost:3000/registered",
    "http://127.0.0.1:3000/registered?x=1",
    "https://[::1]:9/registered",
    "http://127.1:3000/registered",
  ])("on this machine, that is written as %s", async (redirectUri) => {
    const { sharing } = await chooseRedirect({
      own: { path: "/oauth/callback/other", binding: "hostile" },
      choice: { redirectUri },
      before: undefined,
      vault: vaultWith("/registered"),
    });
    expect(sharing).toBe("unnamed");
  });
});

describe("a connection that has not ended has the redirect URI", () => {
  const find = async (
    others: { binding: string; namesIssuer: boolean; expiresAtMs?: number }[],
  ) => {
    const { sharing } = await chooseRedirect({
      own: { path: "/oauth/callback/own", binding: "own" },
      choice: { redirectPath: "/registered" },
      before: undefined,
      vault: {
        ...vaultWith("/registered"),
        listRedirects: async () => others.map((other) => ({ address: "/registered", ...other })),
      },
    });
    return sharing;
  };
  const running = { binding: "other", namesIssuer: false, expiresAtMs: 1 };

  it("to another server, whose responses are not known yet", async () => {
    expect(await find([running])).toBe("reserved");
  });

  it("next to an account whose server names itself", async () => {
    const named = { binding: "third", namesIssuer: true };
    expect(await find([running, named])).toBe("reserved");
    expect(await find([named, running])).toBe("reserved");
  });

  it("next to an account whose server does not, for which waiting would not help", async () => {
    const unnamed = { binding: "third", namesIssuer: false };
    expect(await find([running, unnamed])).toBe("unnamed");
    expect(await find([unnamed, running])).toBe("unnamed");
  });

  it("to the same server", async () => {
    expect(await find([{ ...running, binding: "own" }])).toBe("none");
  });
});

describe("the redirect path of a connection", () => {
  const build = (packName: string) =>
    ownRedirect({
      packName,
      packPath: "/packs/pack.ts",
      slot: "user",
      issuer: undefined,
      endpoint: undefined,
      definition: {
        type: "OAuth2",
        authorizationUrl: "https://login.tasks.example/authorize",
        tokenUrl: "https://login.tasks.example/token",
      },
    }).path;

  it.each([
    ["Tasks", /^\/oauth\/callback\/tasks-[\w-]{16}$/],
    ["ünï-tasks", /^\/oauth\/callback\/n--tasks-[\w-]{16}$/],
    ["日本", /^\/oauth\/callback\/pack-[\w-]{16}$/],
  ])("for %s has only characters that a URL keeps as they are", (name, path) => {
    expect(build(name)).toMatch(path);
  });
});
