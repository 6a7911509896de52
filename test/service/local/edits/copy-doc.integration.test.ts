import { describe, expect, it, vi } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import { copyDoc, copyRows } from "../../../../src/service/local/edits/copy-doc.ts";
import { findDoc } from "../../../../src/service/local/store/doc-store.ts";
import { loadSeed } from "../../../../src/service/local/store/load-seed.ts";
import { createPurge, KEPT_MS } from "../../../../src/service/local/store/purge.ts";
import { readRows } from "../../../../src/service/local/store/row-store.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { parseSeed } from "../../../../src/service/local/store/seed.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";

const ROWS = 700;
const REMOVED = {
  name: "HttpError",
  status: 503,
  message: "The rows of the copy were removed before it was complete. Send the request again.",
};

describe("in SQLite", () => {
  testCopies(async () => ({ url: ":memory:", [Symbol.asyncDispose]: async () => {} }));
});
describePostgres("in PostgreSQL", () => {
  testCopies(makePostgresDatabase);
});

function testCopies(makeDatabase: () => Promise<AsyncDisposable & { url: string }>): void {
  it("rows of a copy that was never completed are removed, and those of one that goes on are not", async () => {
    await using database = await makeDatabase();
    await using test = await startCopies(database.url);
    const { storage, source, purge } = test;
    await copyRows(storage, source, "abandoned");
    const rows = await copyRows(storage, source, "goes-on");
    await purge.run();
    expect(await test.countRows("abandoned")).toBe(ROWS);
    await test.ageMarkers("abandoned");
    await purge.run();
    expect(await test.countRows("abandoned")).toBe(0);
    expect(await test.readKinds()).toEqual(["copiedTable"]);
    await storage.transaction((transaction) => copyDoc(transaction, source, "goes-on", rows));
    expect(await test.readKinds()).toEqual([]);
    await purge.run();
    const copy = { docId: "goes-on", tableId: "grid-t", seq: 1 };
    const copied = (await readRows(storage.db, copy)).map(({ position, cells }) => [
      position,
      cells,
    ]);
    expect(copied).toEqual(Array.from({ length: ROWS }, (_, at) => [at, { "c-text": `${at}` }]));
  });

  it("a copy whose rows are being removed is not completed", async () => {
    await using database = await makeDatabase();
    await using test = await startCopies(database.url);
    const { storage, source, purge } = test;
    const rows = await copyRows(storage, source, "late");
    await test.ageMarkers("late");
    await purge.run();
    await expect(
      storage.transaction((transaction) => copyDoc(transaction, source, "late", rows)),
    ).rejects.toMatchObject(REMOVED);
    expect(await test.countRows("late")).toBe(0);
  });

  it("a copy whose rows are removed between two pieces adds no more rows", async () => {
    await using database = await makeDatabase();
    await using test = await startCopies(database.url);
    let pieces = 0;
    const copied = test.copyInPieces("stopped", async () => {
      pieces++;
      if (pieces > 1) return;
      expect(await test.countRows("stopped")).toBeGreaterThan(0);
      await test.ageMarkers("stopped");
      await test.purge.run();
    });
    await expect(copied).rejects.toMatchObject(REMOVED);
    expect(pieces).toBe(1);
    expect(await test.countRows("stopped")).toBe(0);
    expect(await test.readKinds()).toEqual([]);
  });

  it("a copy whose source is removed before it is complete is not completed", async () => {
    await using database = await makeDatabase();
    await using test = await startCopies(database.url);
    const { storage, source } = test;
    const rows = await test.copyInPieces("of-removed", async () => {
      await storage.db
        .updateTable("docs")
        .set({ deleted: 1 })
        .where("id", "=", source.id)
        .execute();
      await using purge = createPurge(
        storage,
        createClock(() => KEPT_MS),
      );
      await purge.run();
    });
    expect(await test.countRows("of-removed")).toBeLessThan(ROWS);
    await expect(
      storage.transaction((transaction) => copyDoc(transaction, source, "of-removed", rows)),
    ).rejects.toMatchObject(REMOVED);
    // They are those of a copy that was never completed.
    expect(await test.readKinds()).toEqual(["copiedTable"]);
  });

  it("a copy that takes long is not removed while it adds rows", async () => {
    await using database = await makeDatabase();
    await using test = await startCopies(database.url);
    let pieces = 0;
    await test.copyInPieces("long", async () => {
      pieces++;
      await test.purge.run();
      // Before the next piece, which renews it.
      await test.ageMarkers("long");
    });
    expect(pieces).toBeGreaterThan(2);
    expect(await test.countRows("long")).toBe(ROWS);
  });
}

async function startCopies(url: string) {
  const storage = await openDatabase<ServiceSchema>({
    url,
    schema: "packsmith_service",
    migrations: serviceMigrations,
  });
  const rows = Array.from({ length: ROWS }, (_, at) => ({ Text: `${at}` }));
  const columns = [{ id: "c-text", name: "Text", type: "text" }];
  const seed = parseSeed({
    users: [{ name: "U", email: "u@people.example" }],
    docs: [{ id: "d", title: "D", tables: [{ id: "grid-t", name: "T", columns, rows }] }],
  });
  await storage.transaction((transaction) => loadSeed(transaction, seed, 0));
  const source = await findDoc(storage.db, "d");
  if (source === undefined) throw new Error("The document of the seed is missing.");
  const { db } = storage;
  const purge = createPurge(
    storage,
    createClock(() => 1_000_000),
  );
  return {
    storage,
    source,
    purge,
    async countRows(docId: string): Promise<number> {
      const found = db.selectFrom("row_versions").select("id").where("doc_id", "=", docId);
      return (await found.execute()).length;
    },
    /** Copies the smallest pieces, each in its own transaction. */
    async copyInPieces(docId: string, afterPiece: () => Promise<void>) {
      let nowMs = 0;
      using _ = vi.spyOn(performance, "now").mockImplementation(() => {
        nowMs += 1_000;
        return nowMs;
      });
      const paused = {
        ...storage,
        letOthersWrite: async () => {
          await afterPiece();
          await storage.letOthersWrite();
        },
      };
      return await copyRows(paused, source, docId);
    },
    /** As if the last piece of the copy had been long ago. */
    async ageMarkers(docId: string): Promise<void> {
      await db
        .updateTable("doc_parts")
        .set({ record: JSON.stringify({ renewedAtMs: 0 }) })
        .where("doc_id", "=", docId)
        .where("kind", "=", "copiedTable")
        .execute();
    },
    async readKinds(): Promise<string[]> {
      const kinds = db.selectFrom("doc_parts").select("kind").where("kind", "like", "%Table");
      return (await kinds.execute()).map(({ kind }) => kind);
    },
    async [Symbol.asyncDispose]() {
      await purge[Symbol.asyncDispose]();
      await storage.close();
    },
  };
}
