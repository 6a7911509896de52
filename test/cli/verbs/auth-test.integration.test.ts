import { expect, it } from "vitest";
import { isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

const pack = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({
  type: "OAuth2", authorizationUrl: "https://login.tasks.example/a", tokenUrl: "https://login.tasks.example/t",
});
`;

it("prints a matrix, with the edit below what fails, and exits with 1", async () => {
  using project = makeProject({ "pack.ts": pack });
  const run = await runCli(
    ["auth", "test", "pack.ts", "--profile", "expiry-text", "--profile", "nested-data"],
    { cwd: project.path },
  );
  expect(run.code).toBe(1);
  expect(run.stdout).toMatchInlineSnapshot(`
    "passed   expiry-text  expires_in is a string
    failed   nested-data  nests the tokens in data
                          connect: OAUTH_TOKEN_RESPONSE_INVALID  login.tasks.example answered with status 200 and no usable token: there is no access_token among "code", "message", "data".
                          → add nestedResponseKey: "data"
    "
  `);
  expect(run.stderr).toMatch(/^1 passed, 1 failed, in \d+\.\d s\n$/);
});

it("exits with 0 when everything passes, and gives one document with --json", async () => {
  using project = makeProject({ "pack.ts": pack });
  const run = await runCli(["auth", "test", "pack.ts", "--profile", "json-as-html", "--json"], {
    cwd: project.path,
  });
  expect(run.code).toBe(0);
  expect(run.json()).toMatchObject({
    ok: true,
    results: [{ profile: "json-as-html", outcome: "passed" }],
  });
});

it.runIf(isLong)("prints no secret of the simulated account in any profile", async () => {
  using project = makeProject({ "pack.ts": pack });
  const run = await runCli(["auth", "test", "pack.ts", "--all-profiles", "--json"], {
    cwd: project.path,
  });
  expect(run.code).toBe(1);
  expect(run.stdout + run.stderr).not.toMatch(/secret\+of|secret%2Bof|c2VjcmV0K29m/);
});

it("refuses profiles that do not exist, and both ways to choose at once", async () => {
  using project = makeProject({ "pack.ts": pack });
  const unknown = await runCli(["auth", "test", "pack.ts", "--profile", "nonsense", "--json"], {
    cwd: project.path,
  });
  expect([unknown.code, unknown.json()]).toEqual([
    2,
    { ok: false, error: expect.objectContaining({ code: "PROFILE_UNKNOWN" }) },
  ]);
  const both = await runCli(["auth", "test", "pack.ts", "--profile", "strict", "--all-profiles"], {
    cwd: project.path,
  });
  expect(both.code).toBe(2);
});
