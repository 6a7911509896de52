import { describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { honestUrl, hostileUrl, readPath, startMixUpServers } from "../support/mix-up-servers.ts";

const SHARED = { redirectPath: "/registered" };
const TUNNEL = { redirectUri: "https://tunnel.example/registered" };
const HONEST = `authorizationUrl: "${honestUrl}/a", tokenUrl: "${honestUrl}/t"`;
const HOSTILE = `authorizationUrl: "${hostileUrl}/a", tokenUrl: "${hostileUrl}/t"`;
const REFUSED = "OAUTH_ISSUER_MISMATCH";

type Connect = Awaited<ReturnType<typeof startMixUpServers>>["connect"];
type Browser = Extract<ConnectAccountOptions["browser"], (...given: never[]) => unknown>;

/** An honest server that names itself nowhere, and issues codes from the time its user logs in. */
async function startServers() {
  const registered: string[] = [];
  const run = await startMixUpServers({ registered, namesItself: false });
  const logIn: Browser = async (url) => {
    registered.push("/registered");
    await run.follow(url);
  };
  /** A user who gives up if the first visit does not connect the account. */
  const visitOnce = () => {
    const interruption = new AbortController();
    const browser = async (url: string) => {
      await run.follow(url);
      interruption.abort();
    };
    return { browser, timeoutMs: 60_000, signal: interruption.signal };
  };
  return { ...run, logIn, visitOnce };
}

/** Begins a connection whose user waits at the open browser. */
async function beginWaiting(
  connect: Connect,
  name: string,
  members: string,
  { browser, ...options }: Partial<ConnectAccountOptions> & { browser: Browser },
) {
  const [opened, open] = createGate();
  const [continued, goOn] = createGate();
  const outcome = connect(name, members, {
    ...SHARED,
    timeoutMs: 60_000,
    ...options,
    browser: async (url, about) => {
      open();
      await continued;
      return await browser(url, about);
    },
  });
  await opened;
  return {
    finish: async () => {
      goOn();
      return await outcome;
    },
  };
}

function createGate<Value = void>(): [Promise<Value>, (value: Value) => void] {
  let open: (value: Value) => void = () => {};
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

// RFC 9700 §4.4.2: neither connection is in the vault when the other one begins.
describe("two first connections at once with one redirect path", () => {
  it("give the hostile server no code when the honest one began first", async () => {
    await using run = await startServers();
    const honest = await beginWaiting(run.connect, "honest", HONEST, {
      browser: run.logIn,
    });
    run.registered?.push("/registered");
    expect(await run.connect("hostile", HOSTILE, SHARED)).toBe(REFUSED);
    expect(readPath(await honest.finish())).toBe("/registered");
    expect(await run.connect("hostile", HOSTILE, SHARED)).toBe(REFUSED);
    expect(run.stolen).toEqual([]);
  });

  it("give the hostile server no code when it began first", async () => {
    await using run = await startServers();
    const hostile = await beginWaiting(run.connect, "hostile", HOSTILE, run.visitOnce());
    expect(await run.connect("honest", HONEST, { ...SHARED, browser: run.logIn })).toBe(REFUSED);
    expect(await hostile.finish()).toBe("INTERRUPTED");
    expect(readPath(await run.connect("honest", HONEST, { ...SHARED, browser: run.logIn }))).toBe(
      "/registered",
    );
    expect(run.stolen).toEqual([]);
  });

  it("give the hostile server no code when both begin in one moment", async () => {
    await using run = await startServers();
    const honest = run.connect("honest", HONEST, { ...SHARED, browser: run.logIn });
    const { browser, ...visit } = run.visitOnce();
    const hostile = run.connect("hostile", HOSTILE, {
      ...SHARED,
      ...visit,
      browser: async (url) => {
        await honest;
        await browser(url);
      },
    });
    expect(await Promise.all([honest, hostile])).toContain(REFUSED);
    expect(run.stolen).toEqual([]);
  });

  it("both work when they are of one account and server, however one of them ends", async () => {
    await using run = await startServers();
    const begin = () => beginWaiting(run.connect, "honest", HONEST, { browser: run.logIn });
    const [first, interruption] = [await begin(), new AbortController()];
    await beginWaiting(run.connect, "honest", HONEST, {
      signal: interruption.signal,
      browser: run.logIn,
    }).then(({ finish }) => {
      interruption.abort();
      return finish();
    });
    expect(await run.connect("hostile", HOSTILE, SHARED)).toBe(REFUSED);
    expect(readPath(await first.finish())).toBe("/registered");
  });
});

// The hostile Pack's documentation tells the user to pass the path.
describe("the default redirect path of an honest connection", () => {
  /** The path that a connection of this name uses by default. */
  async function findDefaultPath(
    { connect }: Pick<Awaited<ReturnType<typeof startServers>>, "connect">,
    name: string,
    members: string,
  ): Promise<string> {
    let path = "";
    const ended = new AbortController();
    await connect(name, members, {
      signal: ended.signal,
      browser: async (url) => {
        const { headers } = await fetch(url, { redirect: "manual" });
        const { searchParams } = new URL(headers.get("location") ?? "");
        path = readPath(searchParams.get("redirect_uri") ?? undefined);
        ended.abort();
      },
    });
    return path;
  }

  it("gets the hostile server no code while the honest connection runs", async () => {
    await using run = await startServers();
    const redirectPath = await findDefaultPath(run, "honest", HONEST);
    run.registered?.push(redirectPath);
    const honest = await beginWaiting(run.connect, "honest", HONEST, {
      redirectPath: undefined,
      browser: run.follow,
    });
    expect(await run.connect("hostile", HOSTILE, { redirectPath })).toBe(REFUSED);
    expect(readPath(await honest.finish())).toBe(redirectPath);
    expect(await run.connect("hostile", HOSTILE, { redirectPath })).toBe(REFUSED);
    expect(run.stolen).toEqual([]);
  });

  it("gets the hostile server no code when its connection began first", async () => {
    await using run = await startServers();
    const redirectPath = await findDefaultPath(run, "honest", HONEST);
    const hostile = await beginWaiting(run.connect, "hostile", HOSTILE, {
      redirectPath,
      ...run.visitOnce(),
    });
    expect(await run.connect("honest", HONEST)).toBe(REFUSED);
    expect(await hostile.finish()).toBe("INTERRUPTED");
    run.registered?.push(redirectPath);
    expect(readPath(await run.connect("honest", HONEST))).toBe(redirectPath);
    expect(run.stolen).toEqual([]);
  });

  it("gets the hostile server no code when the path is its own", async () => {
    await using run = await startServers();
    const redirectPath = await findDefaultPath(run, "hostile", HOSTILE);
    run.registered?.push(redirectPath);
    expect(readPath(await run.connect("honest", HONEST, { redirectPath }))).toBe(redirectPath);
    expect(await run.connect("hostile", HOSTILE)).toBe(REFUSED);
    expect(run.stolen).toEqual([]);
  });
});

describe("a redirect path that a connection has reserved", () => {
  it.each([
    ["has failed", () => ({ timeoutMs: 100 })],
    ["was interrupted", () => ({ signal: AbortSignal.timeout(100) })],
  ])("is free again when that connection %s", async (_, createLimit) => {
    await using run = await startServers();
    const browser = () => Promise.resolve();
    expect(await run.connect("hostile", HOSTILE, { ...SHARED, browser, ...createLimit() })).toMatch(
      /^(?:OAUTH_CONNECT_TIMEOUT|INTERRUPTED)$/,
    );
    expect(readPath(await run.connect("honest", HONEST, { ...SHARED, browser: run.logIn }))).toBe(
      "/registered",
    );
  });

  it("stays that of an account whose next connection fails", async () => {
    await using run = await startServers();
    const honest = { ...SHARED, browser: run.logIn };
    expect(readPath(await run.connect("honest", HONEST, honest))).toBe("/registered");
    const browser = () => Promise.resolve();
    expect(await run.connect("honest", HONEST, { ...SHARED, browser, timeoutMs: 100 })).toBe(
      "OAUTH_CONNECT_TIMEOUT",
    );
    expect(await run.connect("hostile", HOSTILE, SHARED)).toBe(REFUSED);
  });

  it("is free again after the time limit of a process that was killed", async () => {
    await using run = await startServers();
    const reservation = { address: "/registered", binding: "of-the-killed-process" };
    {
      await using vault = await openVault({ directory: run.home, now: () => 1_000 });
      await vault.reserveRedirect({ ...reservation, flowId: "killed", lifetimeMs: 5_000 });
    }
    const connect = (nowMs: number) =>
      run.connect("honest", HONEST, { ...SHARED, browser: run.logIn, now: () => nowMs });
    expect(await connect(5_999)).toBe(REFUSED);
    expect(readPath(await connect(6_000))).toBe("/registered");
    await using vault = await openVault({ directory: run.home });
    expect(await vault.listRedirects()).toMatchObject([{ address: "/registered" }]);
  });

  it("gets no code after its time limit if another connection has begun since", async () => {
    await using run = await startServers();
    let nowMs = 1_000;
    const begin = async (name: string, members: string) => {
      const [shown, show] = createGate<string>();
      const [pasted, paste] = createGate<string>();
      const outcome = run.connect(name, members, {
        ...TUNNEL,
        now: () => nowMs,
        timeoutMs: 4_000,
        // No limit of time ends the wait for an address.
        paste: async (url) => {
          show(new URL(url).searchParams.get("state") ?? "");
          return await pasted;
        },
      });
      const state = await shown;
      return {
        finish: async () => {
          paste(`${TUNNEL.redirectUri}?code=honest-code&state=${state}`);
          return await outcome;
        },
      };
    };
    const hostile = await begin("hostile", HOSTILE);
    nowMs += 4_000;
    const honest = await begin("honest", HONEST);
    expect(await hostile.finish()).toBe(REFUSED);
    expect(await honest.finish()).toBe(TUNNEL.redirectUri);
    expect(run.stolen).toEqual([]);
  });
});
