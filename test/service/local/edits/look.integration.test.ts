import { describe, expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import { createLook, type LookOptions } from "../../../../src/service/local/edits/look.ts";
import { createRunningWork } from "../../../../src/service/local/edits/outside-work.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

const SETTINGS = {
  latency: "immediate",
  isHeld: false,
  snapshotLagMs: 0,
  failedMutation: "warning",
} as const;

/** A look at a real database, by a clock that the test sets. */
async function openLook(shared: Partial<LookOptions["storage"]> = {}) {
  const storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const time = { ms: 0 };
  const clock = createClock(() => time.ms);
  const real = createRunningWork({
    ...{ storage, clock, settings: SETTINGS, isAlone: false },
    actions: async () => {},
  });
  const asked: string[] = [];
  const noted =
    (name: "isAnyOpen" | "takeOffered" | "giveUpAbandoned") => async (): Promise<never> => {
      asked.push(name);
      return (await real[name]()) as never;
    };
  const { look, onSignal } = createLook({
    storage: { ...storage, ...shared },
    due: { isDue: async () => false, forget: () => {} },
    work: {
      isAnyOpen: noted("isAnyOpen"),
      takeOffered: noted("takeOffered"),
      giveUpAbandoned: noted("giveUpAbandoned"),
    },
    isAlone: false,
    beginDue: async () => {},
    uptime: () => time.ms,
  });
  /** What is asked in so many looks, a tenth of a second apart. */
  const lookOften = async (times: number): Promise<string[]> => {
    asked.length = 0;
    for (let each = 0; each < times; each++) {
      time.ms += 100;
      await look();
    }
    return [...asked];
  };
  const edit = { doc_id: "d", user_id: "u", edit: "{}", size: 2, accepted_at_ms: 0 };
  const insert = (id: string, state: "offered" | "running" | "done") =>
    storage.db
      .insertInto("mutations")
      .values({ ...edit, id, due_at_ms: 0, state })
      .execute();
  return { storage, lookOften, onSignal, insert, time };
}

describe("a look for work", () => {
  it("asks once after a change of the database, and nothing while it stays as it is", async () => {
    const { storage, lookOften, insert } = await openLook();
    await using _ = storage;
    expect(await lookOften(100)).toEqual(["isAnyOpen"]);
    await insert("m1", "done");
    expect(await lookOften(100)).toEqual(["isAnyOpen"]);
  });

  it("goes on while work is open, and gives it up when its process is gone", async () => {
    const { storage, lookOften, insert, time } = await openLook();
    await using _ = storage;
    await insert("m1", "running");
    expect(await lookOften(11)).toEqual([
      ...["isAnyOpen", "takeOffered", "giveUpAbandoned"],
      ...Array.from({ length: 4 }, () => ["isAnyOpen", "takeOffered"]).flat(),
      ...["isAnyOpen", "takeOffered", "giveUpAbandoned"],
    ]);
    time.ms += 60_000;
    await lookOften(2);
    expect(await storage.db.selectFrom("mutations").select("state").execute()).toEqual([
      { state: "done" },
    ]);
    await lookOften(4);
    expect(await lookOften(100)).toEqual([]);
  });

  it("asks a server after each signal, every few seconds without one, and often while none arrive", async () => {
    const signals = { isListening: true } as NonNullable<LookOptions["storage"]["signals"]>;
    const { storage, lookOften, onSignal } = await openLook({
      ...{ signals, version: undefined, engine: "postgres" },
    });
    await using _ = storage;
    expect(await lookOften(40)).toEqual(["isAnyOpen"]);
    onSignal();
    expect(await lookOften(5)).toEqual(["isAnyOpen"]);
    expect(await lookOften(100)).toEqual(["isAnyOpen", "isAnyOpen"]);
    Object.assign(signals, { isListening: false });
    expect(await lookOften(10)).toHaveLength(5);
  });

  it("asks again after a question that failed", async () => {
    const { storage, lookOften } = await openLook();
    await storage.close();
    await expect(lookOften(1)).rejects.toThrow();
    await expect(lookOften(3)).rejects.toThrow();
  });
});
