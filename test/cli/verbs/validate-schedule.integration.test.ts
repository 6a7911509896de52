import { expect, it } from "vitest";
import { validatePacks } from "../../../src/build/validate-packs.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

const AGENT = `import { newAgent } from "packsmith";
export const pack = newAgent()
  .setInstructions("Help with the weekly report.")
  .setTools({ docs: true })
  .setDefaultScheduleTrigger({ rruleString: "DTSTART;TZID=Europe/Berlin:20260105T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO" });
`;

it("validatePacks gives the next five times of an agent's schedule", async () => {
  using project = makeProject({ "pack.ts": AGENT });
  const result = await validatePacks(["pack.ts"], {
    cwd: project.path,
    types: false,
    now: () => Date.UTC(2026, 2, 20),
  });
  expect(result).toMatchObject({ ok: true, issues: [] });
  expect(result.schedules).toEqual([
    {
      file: "pack.ts",
      timeZone: "Europe/Berlin",
      next: [
        "2026-03-23T08:00:00.000Z",
        ...["2026-03-30", "2026-04-06", "2026-04-13", "2026-04-20"].map(
          (day) => `${day}T07:00:00.000Z`,
        ),
      ],
    },
  ]);
});

it("packsmith validate shows the times where the schedule is, and build writes the agent's metadata", async () => {
  using project = makeProject({ "pack.ts": AGENT, "package.json": '{ "name": "reporter" }' });
  const run = await runCli(["validate", "--no-types"], { cwd: project.path });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(
    /^schedule {2}pack\.ts {2}next: (?:\d{4}-\d{2}-\d{2} 09:00, ){4}\d{4}-\d{2}-\d{2} 09:00 \(Europe\/Berlin\)$/m,
  );
  expect((await runCli(["build", "--no-types"], { cwd: project.path })).code).toBe(0);
  expect(JSON.parse(project.read("build/reporter/manifest.json"))).toMatchObject({
    agent: { instructions: "Help with the weekly report.", tools: [{ type: "CodaDocsAndTables" }] },
    defaultTriggers: [{ kind: "schedule" }],
  });
});
