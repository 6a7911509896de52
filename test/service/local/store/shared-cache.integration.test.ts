import { afterAll, beforeAll, expect, it } from "vitest";
import { openReadCache } from "../../../../src/service/local/store/open-read-cache.ts";
import type { ReadCache } from "../../../../src/service/local/store/read-cache.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { raiseStructure, renewService } from "../../../../src/service/local/store/versions.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import type { Storage } from "../../../../src/storage/storage.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { type ServiceUnderTest, startTestService } from "../../support.ts";
import { SHARED } from "../seeds.ts";

const TABLE = "/docs/shared/tables/grid-one";

describePostgres("what a process keeps of a database that others change", () => {
  let database: Awaited<ReturnType<typeof makePostgresDatabase>>;
  let one: ServiceUnderTest;
  let other: ServiceUnderTest;

  beforeAll(async () => {
    database = await makePostgresDatabase();
    one = await startTestService({ database: database.url, seed: SHARED });
    other = await startTestService({ database: database.url, seed: SHARED });
  });

  afterAll(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const firstRow = async () => {
    const { body } = await other.send(`${TABLE}/rows?limit=1&useColumnNames=true`);
    return (body["items"] as { values: object }[])[0]?.values;
  };
  const readAs = async (token: string) => (await other.send(`${TABLE}/rows`, { token })).status;

  it("a column that another process renames has its new name, and its earlier one again", async () => {
    await one.control("/snapshot", { name: "before" });
    expect(await firstRow()).toHaveProperty("Count", 1);
    const renamed = JSON.stringify(SHARED).replaceAll('"Count"', '"Amount"');
    await one.control("/seed", JSON.parse(renamed));
    expect(await firstRow()).toHaveProperty("Amount", 1);
    expect(await firstRow()).not.toHaveProperty("Count");
    await one.control("/restore", { name: "before" });
    expect(await firstRow()).toHaveProperty("Count", 1);
    await one.control("/reset", {});
    expect(await firstRow()).toHaveProperty("Count", 1);
  });

  it("a permission that is given or taken away in another process counts with the next request", async () => {
    const path = "/docs/shared/acl/permissions";
    expect(await readAs("stranger")).toBe(404);
    await one.write("POST", path, {
      access: "readonly",
      principal: { type: "email", email: "stranger@elsewhere.example" },
    });
    expect(await readAs("stranger")).toBe(200);
    const { body } = await one.send(path);
    const given = (body["items"] as { id: string; principal: { email?: string } }[]).find(
      ({ principal }) => principal.email === "stranger@elsewhere.example",
    );
    expect((await one.write("DELETE", `${path}/${given?.id}`)).status).toBe(200);
    expect(await readAs("stranger")).toBe(404);
  });

  it("a page that another process renames or deletes has its new name, or its tables are gone", async () => {
    const nameOfPage = async () => {
      const { body } = await other.send(TABLE);
      return (body["parent"] as { name: string }).name;
    };
    expect(await nameOfPage()).toBe("Second");
    await one.write("PUT", "/docs/shared/pages/canvas-second", { name: "Renamed" });
    await one.service.settle();
    expect(await nameOfPage()).toBe("Renamed");
    expect(await readAs("writer")).toBe(200);
    await one.write("DELETE", "/docs/shared/pages/canvas-second");
    await one.service.settle();
    expect(await readAs("writer")).toBe(404);
    await one.control("/reset", {});
    expect(await readAs("writer")).toBe(200);
  });

  it("a document that another process deletes is gone, for its owner in other words", async () => {
    expect(await readAs("reader")).toBe(200);
    await one.write("DELETE", "/docs/shared");
    const { status, body } = await other.send(`${TABLE}/rows`);
    expect([status, body["message"]]).toEqual([404, "Doc has been deleted."]);
    await one.control("/reset", {});
    expect(await readAs("reader")).toBe(200);
  });
});

describePostgres("the versions under which a process keeps what it read", () => {
  let database: Awaited<ReturnType<typeof makePostgresDatabase>>;
  let storage: Storage<ServiceSchema>;

  beforeAll(async () => {
    database = await makePostgresDatabase();
    storage = await openDatabase<ServiceSchema>({
      url: database.url,
      schema: "packsmith_service",
      migrations: serviceMigrations,
    });
    const times = { created_at_ms: 0, updated_at_ms: 0 };
    const doc = { id: "doc", title: "", search_title: "", owner_id: "", seq: 1, deleted: 0 };
    await storage.db
      .insertInto("docs")
      .values({ ...doc, ...times, record: "{}", structure: 0, purged_seq: 0 })
      .execute();
  });

  afterAll(async () => {
    await storage.close();
    await database[Symbol.asyncDispose]();
  });

  /** Reads a text that is the number of the load. */
  const countLoads = () => {
    let loads = 0;
    return (cache: ReadCache, kept: "service" | "structure" | "snapshot" = "structure") =>
      cache.read(
        kept,
        kept === "service"
          ? kept
          : kept === "structure"
            ? { structureOf: "doc" }
            : { snapshotOf: "doc" },
        async () => ++loads,
      );
  };

  it("each kind is read again after its own changes", async () => {
    const shared = openReadCache(storage);
    const read = countLoads();
    const readAll = async () => {
      const cache = shared.ofRequest("doc");
      return [await read(cache, "service"), await read(cache), await read(cache, "snapshot")];
    };
    expect(await readAll()).toEqual([1, 2, 3]);
    expect(await readAll()).toEqual([1, 2, 3]);
    await storage.db.updateTable("docs").set({ seq: 2 }).execute();
    expect(await readAll()).toEqual([1, 2, 4]);
    await raiseStructure(storage.db, "doc");
    expect(await readAll()).toEqual([1, 5, 6]);
    await renewService(storage.db);
    expect(await readAll()).toEqual([7, 8, 9]);
  });

  it("a change that is rolled back is none", async () => {
    const shared = openReadCache(storage);
    const read = countLoads();
    expect(await read(shared.ofRequest("doc"))).toBe(1);
    const failing = storage.transaction(async (transaction) => {
      await raiseStructure(transaction, "doc");
      expect(await read(shared.ofRequest("doc"))).toBe(1);
      throw new RangeError("rolled back");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await read(shared.ofRequest("doc"))).toBe(1);
  });

  it("a request keeps its version, and does not keep it for later requests", async () => {
    const shared = openReadCache(storage);
    const read = countLoads();
    const early = shared.ofRequest("doc");
    expect(await read(early)).toBe(1);
    await raiseStructure(storage.db, "doc");
    expect(await read(early)).toBe(1);
    expect(await read(shared.ofRequest("doc"))).toBe(2);
    early.refresh();
    expect(await read(early)).toBe(2);
  });

  it("what was loaded while it changed is loaded again by the next request", async () => {
    const shared = openReadCache(storage);
    const early = shared.ofRequest("doc");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = early.read("columns", { structureOf: "doc" }, async () => {
      await held;
      return "as they were";
    });
    await early.readDoc("doc");
    await raiseStructure(storage.db, "doc");
    const next = shared
      .ofRequest("doc")
      .read("columns", { structureOf: "doc" }, async () => "as they are");
    release();
    expect([await slow, await next]).toEqual(["as they were", "as they are"]);
    const later = shared.ofRequest("doc");
    expect(await later.read("columns", { structureOf: "doc" }, async () => "loaded")).toBe(
      "as they are",
    );
  });

  it("what does not exist and what could not be read is not kept", async () => {
    const shared = openReadCache(storage);
    const read = (load: () => Promise<string | undefined>) =>
      shared.ofRequest("doc").read("absent", { structureOf: "doc" }, load);
    expect(await read(async () => undefined)).toBeUndefined();
    await expect(read(() => Promise.reject(new RangeError("broken")))).rejects.toThrow(RangeError);
    expect(await read(async () => "there")).toBe("there");
    const unknown = () =>
      shared.ofRequest("other").read("of none", { structureOf: "other" }, async () => "read");
    expect(await unknown()).toBe("read");
    expect(await shared.ofRequest("other").readDoc("other")).toBeUndefined();
  });
});
