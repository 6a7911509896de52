import { expect, it } from "vitest";
import { json, startTestServer } from "../../execute/http-server.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

const pack = (authentication: string) => `import { newPack, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("api.tasks.example").setUserAuthentication({ ${authentication},
  getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.tasks.example/me" })).body.name,
});
`;
const basic = pack(`type: "WebBasic"`);
const header = pack(`type: "CustomHeaderToken", headerName: "X-Api-Key"`);

it("auth connect takes values from the environment or stdin, auth list, test and disconnect know them", async () => {
  using project = makeProject({ "pack.ts": header });
  await using api = await startTestServer((request, response) =>
    json(response, 200, { name: `key ${String(request.headers["x-api-key"]).length}` }),
  );
  const run = (args: string[], more = {}, stdin = "") =>
    runCli(args, {
      cwd: project.path,
      env: { PACKSMITH_HOME: `${project.path}/home`, ...more },
      stdin,
    });
  const route = ["--route", `https://api.tasks.example=${api.origin}`];

  const missing = await run(["auth", "connect", "pack.ts", "--json"]);
  expect([missing.code, missing.json()]).toEqual([
    12,
    { ok: false, error: expect.objectContaining({ code: "CREDENTIAL_MISSING" }) },
  ]);

  const connected = await run(["auth", "connect", "pack.ts", "--json", ...route], {
    PACKSMITH_SECRET_TOKEN: "from-environment",
  });
  expect(connected.json()).toMatchObject({
    ok: true,
    account: { type: "CustomHeaderToken", connectionName: "key 16", status: "connected" },
  });
  const piped = await run(
    ["auth", "connect", "pack.ts", "--secrets-stdin", ...route],
    {},
    "from-stdin\n",
  );
  expect(piped.stderr).toContain("connected  key 10");

  expect((await run(["auth", "list"])).stdout).toMatch(
    /^\S+ {2}user\/default {2}key 10 {2}connected\n {2}pack\.ts {2}CustomHeaderToken\n$/,
  );
  expect((await run(["auth", "test", "pack.ts", ...route])).stdout).toBe(
    "passed   CustomHeaderToken  key 10\n",
  );
  expect((await run(["auth", "refresh", "pack.ts"])).code).toBe(2);
  expect((await run(["auth", "disconnect", "pack.ts"])).stderr).toContain("forgotten");
  expect((await run(["auth", "test", "pack.ts", "--json"])).json()).toMatchObject({
    ok: false,
    error: { code: "ACCOUNT_MISSING" },
  });
});

it("auth connect reads several values as JSON, and refuses what is no JSON of texts", async () => {
  using project = makeProject({ "pack.ts": basic });
  await using api = await startTestServer((request, response) =>
    json(response, 200, { name: request.headers.authorization?.slice(0, 5) }),
  );
  const run = (stdin: string) =>
    runCli(
      [
        "auth",
        "connect",
        "pack.ts",
        "--json",
        "--secrets-stdin",
        "--route",
        `https://api.tasks.example=${api.origin}`,
      ],
      {
        cwd: project.path,
        env: { PACKSMITH_HOME: `${project.path}/home` },
        stdin,
      },
    );
  expect((await run('{"username":"ada","password":"s3cret-word"}')).json()).toMatchObject({
    ok: true,
    account: { connectionName: "Basic" },
  });
  for (const [text, code] of [
    ['{"username":1}', "USAGE_INVALID"],
    ["{broken", "USAGE_INVALID"],
    ["s3cret-word", "CREDENTIAL_INVALID"],
  ] as const) {
    const refused = await run(text);
    expect(refused.json()).toMatchObject({ ok: false, error: { code } });
    expect(refused.stdout + refused.stderr).not.toContain("s3cret-word");
  }
});

it("auth connect reads a token with the groups of its user, of up to 64 kB, from stdin", async () => {
  using project = makeProject({
    "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("api.tasks.example")
  .setUserAuthentication({ type: "HeaderBearerToken" });
`,
  });
  const run = (stdin: string) =>
    runCli(["auth", "connect", "pack.ts", "--secrets-stdin", "--json"], {
      cwd: project.path,
      env: { PACKSMITH_HOME: `${project.path}/home` },
      stdin,
    });
  const [token, longer] = ["x".repeat(65_536), "x".repeat(65_537)];
  for (const stdin of [token, `${token}\n`, JSON.stringify({ token })])
    expect((await run(stdin)).json()).toMatchObject({ ok: true });
  for (const stdin of [longer, JSON.stringify({ token: longer }), "x".repeat(500_000)])
    expect((await run(stdin)).json()).toMatchObject({
      ok: false,
      error: { message: "The secret on stdin is longer than 64 kB." },
    });
});
