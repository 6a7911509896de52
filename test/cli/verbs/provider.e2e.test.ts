import { describe, expect, it } from "vitest";
import { startCliServer } from "../../support/cli.ts";
import { makeProject } from "../../support/project.ts";

interface Facts {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  issuers?: Record<string, Facts>;
}

it("serves with the profiles that it is given", async () => {
  await using provider = await startCliServer<Facts>([
    "provider",
    "--profile",
    "nested-data",
    "--profile",
    "expiry-text",
  ]);
  const { tokenUrl, clientId, clientSecret } = provider.facts;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  expect(await (await fetch(tokenUrl, { method: "POST", body })).json()).toMatchObject({
    code: 0,
    data: { expires_in: "3600" },
  });
});

describe("provider --options", () => {
  it("takes JSON: users, grants, JWT access tokens and answers to script", async () => {
    const options = {
      users: [{ id: "ada", name: "Ada", password: "planted-password-1" }],
      grants: ["password"],
      jwtAccessTokens: { claims: { groups: ["staff"] }, minLength: 5_000 },
      issuers: { "/tenant-b": {} },
      faults: [
        {
          kind: "response",
          status: 503,
          headers: { "Retry-After": "7" },
          body: { error: "temporarily_unavailable" },
        },
      ],
    };
    using project = makeProject({ "provider.json": JSON.stringify(options) });
    await using provider = await startCliServer<Facts>(["provider", "--options", "provider.json"], {
      cwd: project.path,
    });
    const { tokenUrl, clientId, clientSecret, issuers } = provider.facts;
    const user = { grant_type: "password", username: "ada", password: "planted-password-1" };
    const ask = () =>
      fetch(tokenUrl, {
        method: "POST",
        body: new URLSearchParams({ ...user, client_id: clientId, client_secret: clientSecret }),
      });
    const first = await ask();
    expect([first.status, first.headers.get("retry-after"), await first.json()]).toEqual([
      503,
      "7",
      { error: "temporarily_unavailable" },
    ]);
    const { access_token: token } = (await (await ask()).json()) as { access_token: string };
    expect(token.length).toBeGreaterThanOrEqual(5_000);
    const claims: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
    );
    expect(claims).toMatchObject({ sub: "ada", groups: ["staff"] });
    expect(issuers?.["/tenant-b"]?.tokenUrl).toBe(tokenUrl.replace("/token", "/tenant-b/token"));
  });

  it("takes a module, whose functions may be used too, and flags come after it", async () => {
    const module =
      'export default { accessTokenTtlSeconds: 5, now: () => Date.parse("2031-01-01T00:00:00Z"), jwtAccessTokens: {} };';
    using project = makeProject({ "provider.mjs": module });
    await using provider = await startCliServer<Facts>(
      ["provider", "--options", "provider.mjs", "--token-ttl", "60"],
      {
        cwd: project.path,
      },
    );
    const { tokenUrl, clientId, clientSecret } = provider.facts;
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = (await (await fetch(tokenUrl, { method: "POST", body })).json()) as {
      access_token: string;
      expires_in: number;
    };
    const { iat } = JSON.parse(
      Buffer.from(answer.access_token.split(".")[1] ?? "", "base64url").toString(),
    ) as { iat: number };
    expect([answer.expires_in, iat]).toEqual([60, Date.parse("2031-01-01T00:00:00Z") / 1_000]);
  });
});
