import { describe, expect, it } from "vitest";
import type { PackStatus } from "../../../src/publish/pack-status.ts";
import { judgeFormulas } from "../../../src/publish/registry/read-pack-status.ts";
import { hello } from "../../publish/registry/registry.ts";
import { chooseCases } from "../../support/breadth.ts";
import { startPublishCli, versioned } from "./publish-cli.ts";

const FILE = "packs/one/pack.ts";

interface Document {
  ok: boolean;
  results: PackStatus[];
}

describe("packsmith status", () => {
  it("shows what users have, what is uploaded, what the source changes, and what waits", async () => {
    await using cli = await startPublishCli(["one"]);
    await cli.run("create", FILE);
    cli.commit("Create");
    expect((await cli.run("status", FILE)).stdout).toContain("users have  no version");
    await cli.run("release", FILE, "--publish", "--no-types", "--notes", "First");
    cli.write(FILE, versioned("1.1.0", hello(), hello("Says goodbye.", "Bye")));
    await cli.run("upload", FILE, "--no-types");
    await cli.test.write("POST", "/packs/1001/invitations", {
      email: "grace@tasks.example",
      access: "edit",
    });
    await cli.test.write("POST", "/packs/1001/reviews", { packVersion: "1.1.0" });
    const { code, document } = await cli.json<Document>("status", FILE);
    expect(code).toBe(0);
    expect(document.results[0]).toMatchObject({
      released: "1.0.0",
      newest: "1.1.0",
      changes: expect.arrayContaining([
        expect.objectContaining({ subject: "formula Bye", class: "safe" }),
      ]),
      reviews: [{ version: "1.1.0" }],
      invitations: [{ email: "grace@tasks.example", access: "edit" }],
      hasListingDraft: false,
      formulas: [],
    });
    const shown = await cli.run("status", FILE);
    expect(shown.stdout).toMatch(/^users have {2}1\.0\.0 {2}since \d{4}-/m);
    expect(shown.stdout).toMatch(/^uploaded {4}1\.1\.0$/m);
    expect(shown.stdout).toMatch(/^invited {5}grace@tasks\.example {2}edit/m);
  });
});

describe("packsmith status --fail-on-errors", () => {
  const today = new Date().toISOString().slice(0, 10);
  const seed = (errors: number) => ({
    users: [{ name: "Ada", email: "ada@tasks.example" }],
    docs: [],
    analytics: {
      packs: [
        {
          id: 1001,
          name: "one",
          metrics: [],
          formulas: [
            {
              name: "Hello",
              type: "formula" as const,
              metrics: [{ date: today, formulaInvocations: 10, errors }],
            },
          ],
        },
      ],
    },
  });

  const CALLS = [
    [3, 1],
    [0, 0],
  ] as const;
  it.each(chooseCases(CALLS, 2))(
    "with %i failed calls since the release ends with exit code %i",
    async (errors, exitCode) => {
      await using cli = await startPublishCli(["one"], { seed: seed(errors) });
      await cli.run("create", FILE);
      cli.commit("Create");
      await cli.run("release", FILE, "--publish", "--no-types", "--notes", "First");
      const { code, document } = await cli.json<Document>("status", FILE, "--fail-on-errors");
      expect([code, document.ok]).toEqual([exitCode, exitCode === 0]);
      expect(document.results[0]?.formulas).toHaveLength(errors === 0 ? 0 : 1);
      expect((await cli.run("status", FILE)).code).toBe(0);
    },
  );
});

describe("the health of a formula", () => {
  const day = (date: string, formulaInvocations: number, errors: number) =>
    ({ date, formulaInvocations, errors }) as never;
  const formula = (name: string, ...metrics: never[]) => ({
    formula: { name, type: "formula" as const },
    metrics,
  });

  it("compares the share of calls that failed since the release with that before", () => {
    const items = [
      formula("Better", day("2026-03-01", 100, 50), day("2026-03-05", 100, 10)),
      formula("Worse", day("2026-03-01", 1_000, 10), day("2026-03-05", 10, 5)),
      formula("Fine", day("2026-03-01", 10, 5), day("2026-03-05", 10, 0)),
    ];
    expect(judgeFormulas(items, "2026-03-05", true)).toMatchObject([
      { name: "Worse", now: { calls: 10, errors: 5 }, before: { calls: 1_000 }, isWorse: true },
      { name: "Better", isWorse: false },
    ]);
  });

  it("takes every error of a first release as worse", () => {
    const items = [formula("New", day("2026-03-05", 10, 1))];
    expect(judgeFormulas(items, "2026-03-05", false)).toMatchObject([
      { before: undefined, isWorse: true },
    ]);
  });
});
