import { expect, it } from "vitest";
import { isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli.ts";

const STEPS = [
  "start the service",
  "start the provider",
  "build tasks",
  "connect tasks",
  "list rows",
  "upsert a row",
  "refresh an expired token",
  "build and connect reports",
  "report, write, expire",
];

it("the demo takes two Packs the whole way and ends with a table of the rows and `demo ok`", async () => {
  const run = await runCli(["demo"]);
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
  for (const step of STEPS) expect(run.stdout).toMatch(new RegExp(`✓ ${step} +\\d+ ms {2}\\S`));
  const lines = run.stdout.trimEnd().split("\n");
  expect(lines.at(-1)).toBe("demo ok");
  expect(
    lines.filter((line) => line.includes("Done") || line.includes("In review")).length,
  ).toBeGreaterThan(0);
});

it.runIf(isLong)(
  "the demo prints one JSON document with --json, without a token and a client secret",
  async () => {
    const run = await runCli(["demo", "--json"]);
    const { ok, steps, rows } = run.json<{
      ok: boolean;
      steps: { title: string }[];
      rows: unknown[];
    }>();
    expect(ok).toBe(true);
    expect(steps.map(({ title }) => title)).toEqual(STEPS);
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(run.stdout + run.stderr).not.toMatch(/access_token|refresh_token|client_secret|Bearer /);
  },
);
