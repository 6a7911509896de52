import { describe, expect, it } from "vitest";
import { PackError } from "../../../src/errors.ts";
import { createTokenLifecycle } from "../../../src/oauth/run/token-lifecycle.ts";
import { createTokenSet, type TokenSet } from "../../../src/oauth/token-set.ts";

const down = () =>
  new PackError("OAUTH_TOKEN_UNAVAILABLE", "down", {
    details: { status: 503, retryAfterSeconds: undefined },
  });

function tokens(
  accessToken: string,
  expiresAtMs: number | undefined,
  refreshToken: string | undefined = "rt",
): TokenSet {
  const rest = {
    scopes: undefined,
    endpoint: undefined,
    extra: {},
    clientAuthentication: "body",
  } as const;
  return createTokenSet({ accessToken, tokenType: "Bearer", expiresAtMs, refreshToken, ...rest });
}

function setUp(
  initial: TokenSet | undefined,
  options: { fails?: () => Error | undefined; lifetimeMs?: number; beforeTurn?: () => void } = {},
) {
  const world = { now: 1_000_000, stored: initial, renewals: 0, loads: 0, turns: 0 };
  const lifecycle = createTokenLifecycle({
    clientId: "client",
    now: () => world.now,
    load: async () => {
      world.loads++;
      return world.stored;
    },
    canRenew: (tokenSet) => tokenSet?.refreshToken !== undefined,
    exclusively: async (work) => {
      world.turns++;
      options.beforeTurn?.();
      return await work();
    },
    renew: async () => {
      world.renewals++;
      const error = options.fails?.();
      if (error !== undefined) throw error;
      world.stored = tokens(`at-${world.renewals}`, world.now + (options.lifetimeMs ?? 3_600_000));
      return world.stored;
    },
  });
  return { world, lifecycle };
}

describe("createTokenLifecycle", () => {
  // docs/rules.md: rule 28
  it("renews once for 50 concurrent calls on an expired token", async () => {
    const { world, lifecycle } = setUp(tokens("old", 999_000));
    const got = await Promise.all(Array.from({ length: 50 }, () => lifecycle.getAccessToken()));
    expect(new Set(got)).toEqual(new Set(["at-1"]));
    expect(world.renewals).toBe(1);
  });

  // docs/rules.md: rule 28
  it("renews once for 50 concurrent 401s, and not at all for a token that was replaced", async () => {
    const { world, lifecycle } = setUp(tokens("old", undefined));
    await lifecycle.getAccessToken();
    const got = await Promise.all(
      Array.from({ length: 50 }, () => lifecycle.renewAfterUnauthorized("old")),
    );
    expect(new Set(got)).toEqual(new Set(["at-1"]));
    expect(await lifecycle.renewAfterUnauthorized("old")).toBe("at-1");
    expect(world.renewals).toBe(1);
  });

  // docs/rules.md: rule 28
  it("uses a stored token that has not expired without waiting for a turn", async () => {
    const { world, lifecycle } = setUp(tokens("stored", 4_600_000));
    expect(await lifecycle.getAccessToken()).toBe("stored");
    expect(world.turns).toBe(0);
  });

  // docs/rules.md: rule 28
  it("uses what another process stored while this one waited for its turn", async () => {
    const { world, lifecycle } = setUp(tokens("old", 999_000), {
      beforeTurn: () => {
        world.stored = tokens("theirs", world.now + 3_600_000);
      },
    });
    expect(await lifecycle.getAccessToken()).toBe("theirs");
    expect(world.renewals).toBe(0);
  });

  // docs/rules.md: rule 28
  it("uses what another process stored after a 401 instead of renewing", async () => {
    const { world, lifecycle } = setUp(tokens("old", undefined));
    await lifecycle.getAccessToken();
    world.stored = tokens("theirs", undefined);
    expect(await lifecycle.renewAfterUnauthorized("old")).toBe("theirs");
    expect(world.renewals).toBe(0);
  });

  // docs/rules.md: rule 36
  it("renews 60 seconds before the expiry", async () => {
    const { world, lifecycle } = setUp(tokens("old", 1_000_000 + 61_000));
    expect(await lifecycle.getAccessToken()).toBe("old");
    world.now += 1_000;
    expect(await lifecycle.getAccessToken()).toBe("at-1");
  });

  it("uses a token of unknown expiry until a 401", async () => {
    const { world, lifecycle } = setUp(tokens("old", undefined));
    await lifecycle.getAccessToken();
    world.now += 1e12;
    expect(await lifecycle.getAccessToken()).toBe("old");
  });

  it("does not loop for a token that lives 60 days", async () => {
    const { world, lifecycle } = setUp(undefined, { lifetimeMs: 60 * 86_400_000 });
    world.stored = tokens("old", 1);
    for (let call = 0; call < 20; call++) await lifecycle.getAccessToken();
    expect(world.renewals).toBe(1);
  });

  it("falls back to a token that still works when the provider is down, and fails when it does not", async () => {
    const { world, lifecycle } = setUp(tokens("old", 1_000_000 + 30_000), { fails: down });
    expect(await lifecycle.getAccessToken()).toBe("old");
    world.now += 30_000;
    await expect(lifecycle.getAccessToken()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
    });
    expect(world.stored?.accessToken).toBe("old");
  });

  it("recovers after a failed renewal", async () => {
    let broken = true;
    const { lifecycle } = setUp(tokens("old", 1), { fails: () => (broken ? down() : undefined) });
    await expect(lifecycle.getAccessToken()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
    });
    broken = false;
    expect(await lifecycle.getAccessToken()).toBe("at-2");
  });

  it("gives no other token when there is nothing to renew with, and uses the old one to its end", async () => {
    const { world, lifecycle } = setUp(
      createTokenSet({ ...tokens("old", 1_000_000 + 5_000), refreshToken: undefined }),
    );
    expect(await lifecycle.getAccessToken()).toBe("old");
    expect(await lifecycle.renewAfterUnauthorized("old")).toBeUndefined();
    expect(world.renewals).toBe(0);
  });
});
