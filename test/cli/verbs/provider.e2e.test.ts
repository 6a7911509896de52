import { describe, expect, it } from "vitest";
import { runCli, startCliServer } from "../../support/cli.ts";
import { makeProject } from "../../support/project.ts";

interface Facts {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  issuers?: Record<string, Facts>;
}

it("lists the profiles and what each imitates", async () => {
  const run = await runCli(["provider", "--list-profiles"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^strict +follows the specifications exactly\n/);
  expect(run.stdout).toMatch(/^nested-data +nests the tokens in data$/m);
  const document = (await runCli(["provider", "--list-profiles", "--json"])).json<{
    profiles: object[];
  }>();
  expect(document.profiles).toContainEqual({
    name: "nested-data",
    summary: "nests the tokens in data",
    needs: { nestedResponseKey: "data" },
  });
});

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

it.each([
  [["--profile", "nonsense"], "PROFILE_UNKNOWN"],
  [["--profile", "nested-data", "--profile", "nested-user"], "PROFILE_CONFLICT"],
])("refuses %j with %s", async (flags, code) => {
  const run = await runCli(["provider", ...flags, "--json"]);
  expect([run.code, run.json()]).toEqual([
    2,
    { ok: false, error: expect.objectContaining({ code }) },
  ]);
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

  it.each<[string, string, string, string]>([
    ["a file that does not exist", "missing.json", "", "cannot be read"],
    ["broken JSON", "provider.json", "{", "cannot be read"],
    [
      "a module that throws",
      "provider.mjs",
      'throw new Error("no options today");',
      "no options today",
    ],
    [
      "a module without a default export",
      "provider.mjs",
      "export const users = [];",
      "not contain an object",
    ],
    ["a list", "provider.json", "[]", "not contain an object"],
    ["an unknown option", "provider.json", '{"user":[]}', "unknown option user"],
    [
      "an answer without its kind",
      "provider.json",
      '{"faults":[{"status":503}]}',
      "Fault 0: kind must be",
    ],
    [
      "an answer with an impossible status",
      "provider.json",
      '{"faults":[{"kind":"response","status":99}]}',
      "status must be",
    ],
    ["users that are not a list", "provider.json", '{"users":5}', "users must be a list"],
    [
      "a lifetime in words",
      "provider.json",
      '{"accessTokenTtlSeconds":"soon"}',
      "accessTokenTtlSeconds must be a number",
    ],
    ["an unknown grant", "provider.json", '{"grants":["pasword"]}', "grants can have"],
    ["a client without an ID", "provider.json", '{"clients":[{"clientSecret":"x"}]}', "clients[0]"],
  ])("refuses %s, with the reason and without a stack", async (_name, file, text, reason) => {
    using project = makeProject(file === "missing.json" ? {} : { [file]: text });
    const run = await runCli(["provider", "--options", file, "--json"], { cwd: project.path });
    expect([run.code, run.json()]).toEqual([
      2,
      {
        ok: false,
        error: expect.objectContaining({
          code: "USAGE_INVALID",
          message: expect.stringContaining(reason),
          hint: expect.any(String),
        }),
      },
    ]);
    expect(run.stderr + run.stdout).not.toMatch(/\n\s+at /);
  });
});
