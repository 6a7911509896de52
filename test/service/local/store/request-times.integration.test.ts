import { describe, expect, it } from "vitest";
import { openRequestTimes } from "../../../../src/service/local/store/request-times.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { hasPostgres, makePostgresDatabase } from "../../../support/postgres.ts";

const ENGINES = ["memory", ...(hasPostgres ? ["postgres"] : [])];

describe.each(ENGINES)("the times of requests (%s)", (engine) => {
  it("are kept for each name, listed and removed", async () => {
    await using database = engine === "postgres" ? await makePostgresDatabase() : undefined;
    await using storage = await openDatabase<ServiceSchema>({
      url: database?.url ?? ":memory:",
      schema: "packsmith_service",
      migrations: serviceMigrations,
    });
    const times = openRequestTimes(storage);
    await Promise.all([
      times.update("read one", (before) => [...before, 1]),
      times.update("read one", (before) => [...before, 2]),
      times.update("write one", () => [3]),
    ]);
    const listed = [...(await times.list())].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(listed).toEqual([
      { name: "read one", times: expect.arrayContaining([1, 2]) },
      { name: "write one", times: [3] },
    ]);
    await times.clear();
    expect(await times.list()).toEqual([]);
  });
});
