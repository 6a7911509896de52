import { expect, it } from "vitest";
import type { FaultEndpoint } from "../../src/provider/faults.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { authorizationUrl, clientFields, connect, me, post } from "./flow.ts";

it("spoils each endpoint for as many requests as it says, and leaves the others alone", async () => {
  await using provider = await startProvider();
  const { access_token } = await connect(provider);
  const ask: Record<string, () => Promise<Response>> = {
    authorize: () => fetch(authorizationUrl(provider), { redirect: "manual" }),
    token: () =>
      fetch(provider.tokenUrl, {
        method: "POST",
        body: new URLSearchParams(clientFields(provider)),
      }),
    introspect: () =>
      fetch(provider.introspectionUrl, {
        method: "POST",
        body: new URLSearchParams({ token: "x" }),
      }),
    revoke: () =>
      fetch(provider.revocationUrl, { method: "POST", body: new URLSearchParams({ token: "x" }) }),
    me: () => me(provider, access_token),
    metadata: () => fetch(`${provider.issuer}/.well-known/openid-configuration`),
  };
  for (const [endpoint, request] of Object.entries(ask)) {
    const usual = (await request()).status;
    provider.addFaults({
      kind: "response",
      endpoint: endpoint as FaultEndpoint,
      status: 503,
      times: 2,
    });
    const others = await Promise.all(
      Object.keys(ask).map(async (name) => (name === endpoint ? 0 : (await ask[name]?.())?.status)),
    );
    expect(others).not.toContain(503);
    expect(
      [(await request()).status, (await request()).status, (await request()).status],
      endpoint,
    ).toEqual([503, 503, usual]);
  }
});

it("drops, truncates, redirects and floods a protected resource, and delays by the injected sleep", async () => {
  const waits: number[] = [];
  await using provider = await startProvider({ sleep: async (ms) => void waits.push(ms) });
  const { access_token } = await connect(provider);
  const ask = () => me(provider, access_token);
  provider.addFaults({ kind: "drop", endpoint: "me" }, { kind: "truncate", endpoint: "me" });
  await expect(ask()).rejects.toThrow();
  await expect(ask().then((response) => response.json())).rejects.toThrow();
  provider.addFaults({ kind: "redirect", endpoint: "me", location: "/authorize", status: 302 });
  const redirected = await fetch(provider.meUrl, { redirect: "manual" });
  expect([redirected.status, redirected.headers.get("location")]).toEqual([302, "/authorize"]);
  provider.addFaults({ kind: "huge", endpoint: "me", bytes: 200_000 });
  expect((await (await ask()).text()).length).toBeGreaterThan(200_000);
  provider.addFaults({ kind: "delay", endpoint: "me", delayMs: 5_000 });
  expect([(await ask()).status, waits]).toEqual([200, [5_000]]);
});

it("loses an answer after the work was done, whatever the endpoint", async () => {
  await using provider = await startProvider();
  const { refresh_token } = await connect(provider);
  provider.addFaults({ kind: "html", endpoint: "revoke", status: 502, processed: true });
  const revoked = await fetch(provider.revocationUrl, {
    method: "POST",
    body: new URLSearchParams({ token: refresh_token, ...clientFields(provider) }),
  });
  expect([revoked.status, revoked.headers.get("content-type")]).toEqual([
    502,
    "text/html; charset=utf-8",
  ]);
  const answer = await post(provider.tokenUrl, {
    grant_type: "refresh_token",
    refresh_token,
    ...clientFields(provider),
  });
  expect(answer.body.error).toBe("invalid_grant");
});

it("takes faults of an endpoint over the control plane, and refuses unknown ones", async () => {
  await using provider = await startProvider();
  const control = (faults: unknown) =>
    fetch(`${provider.controlUrl}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ faults }),
    }).then(({ status }) => status);
  expect(await control([{ kind: "html", endpoint: "me", status: 500 }])).toBe(204);
  expect((await fetch(provider.meUrl)).status).toBe(500);
  expect(await control([{ kind: "html", endpoint: "elsewhere" }])).toBe(400);
});
