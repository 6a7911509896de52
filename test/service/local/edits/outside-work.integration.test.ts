import { expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import { createRunningWork } from "../../../../src/service/local/edits/outside-work.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

it("a look for abandoned work writes only when there is some", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const edit = { doc_id: "d", user_id: "u", edit: "{}", size: 2, accepted_at_ms: 0 };
  for (const [position, due] of [0, 1_000_000].entries())
    await storage.db
      .insertInto("mutations")
      .values({ ...edit, id: `m${position}`, position, due_at_ms: due, state: "running" })
      .execute();
  const clock = createClock(() => 1_000_000);
  const settings = {
    latency: "immediate",
    isHeld: false,
    snapshotLagMs: 0,
    failedMutation: "warning",
  } as const;
  const { db } = storage;
  const work = createRunningWork({ storage, clock, settings, actions: undefined, isAlone: false });
  const readStates = () =>
    db.selectFrom("mutations").select(["id", "state", "warning"]).orderBy("position").execute();
  const version = storage.version ?? (() => "");
  await work.giveUpAbandoned();
  expect(await readStates()).toEqual([
    {
      id: "m0",
      state: "done",
      warning: "The service stopped before the action reported a result.",
    },
    { id: "m1", state: "running", warning: null },
  ]);
  const before = version();
  await work.giveUpAbandoned();
  expect(version()).toBe(before);
});
