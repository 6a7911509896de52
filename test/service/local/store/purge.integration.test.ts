import { expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import { createPurge, KEPT_MS } from "../../../../src/service/local/store/purge.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

it("what became too old while an earlier purge ran is removed by the next one", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const clock = createClock(() => 0);
  const completed = { doc_id: "doc", user_id: "user", edit: "{}", size: 2, accepted_at_ms: 0 };
  await db
    .insertInto("mutations")
    .values({
      ...completed,
      position: 1,
      id: "edit",
      due_at_ms: 0,
      completed_at_ms: 0,
      state: "done",
    })
    .execute();
  await using purge = createPurge(storage, clock);
  purge.tick();
  clock.advance(KEPT_MS + 1);
  await purge.run();
  expect(await db.selectFrom("mutations").select("id").execute()).toEqual([]);
});
