import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { stressAccount } from "../../../src/connect/stress/stress-account.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { runCli } from "../../support/cli.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));

// docs/rules.md: rule 26, 28
it("processes that race for an expired account make one token request, and kill -9 at every write loses none", async () => {
  const result = await stressAccount({
    file: "tasks/pack.ts",
    cwd: examples,
    parallel: 5,
    processes: 2,
    redactor: createRedactor(),
  });
  expect(result).toMatchObject({ ok: true, race: { tokenRequests: 1, tokens: 1 } });
  expect(
    result.kills.map(({ point, moment, outcome }) => `${moment} ${point}: ${outcome}`),
  ).toEqual([
    "before take the lease: recovered",
    "uncommitted take the lease: recovered",
    "after take the lease: recovered",
    // The provider has rotated the tokens and its answer died with the process: it sees the old
    // refresh token again.
    "before keep the response: reconnect",
    "uncommitted keep the response: reconnect",
    "after keep the response: recovered",
    "before store the tokens: recovered",
    "uncommitted store the tokens: recovered",
    "after store the tokens: recovered",
    "before free the lease: recovered",
    "uncommitted free the lease: recovered",
    "after free the lease: recovered",
  ]);
  // Once the response is kept, nobody asks the provider again.
  expect(result.kills.slice(5).map((kill) => kill.tokenRequests)).toEqual(Array(7).fill(0));
});

it("auth stress prints one JSON document and leaves nothing behind, neither in the user's vault nor in the temporary folder", async () => {
  using home = makeTemporaryFolder();
  const run = await runCli(
    ["auth", "stress", "reports/pack.ts", "--parallel", "3", "--processes", "1", "--json"],
    {
      cwd: examples,
      env: { PACKSMITH_HOME: `${home.path}/none`, TMPDIR: home.path },
    },
  );
  expect(run).toMatchObject({ code: 0 });
  const { ok, race, kills } = run.json<{
    ok: boolean;
    race: object;
    kills: { outcome: string }[];
  }>();
  expect({ ok, race }).toMatchObject({
    ok: true,
    race: { processes: 1, parallel: 3, tokenRequests: 1, tokens: 1 },
  });
  expect(new Set(kills.map(({ outcome }) => outcome))).toEqual(new Set(["recovered"]));
  // Newer Nodes keep the compiled code of the command line there, which holds nothing of a run.
  expect(readdirSync(home.path).filter((name) => name !== "node-compile-cache")).toEqual([]);
});

it.each([
  ["--parallel", "0"],
  ["--processes", "many"],
  ["--processes", "33"],
])("auth stress refuses %s %s", async (option, value) => {
  const run = await runCli(["auth", "stress", "tasks/pack.ts", option, value, "--json"], {
    cwd: examples,
  });
  expect(run).toMatchObject({ code: 2 });
  expect(run.json()).toMatchObject({ ok: false, error: { code: "USAGE_INVALID" } });
});
