import { expect, it } from "vitest";
import { startService } from "../../../src/service/local/service.ts";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";

describePostgres("the local service on a database server", () => {
  it("keeps documents across restarts, and writes rows that reads then see", async () => {
    await using database = await makePostgresDatabase();
    const users = [{ name: "Owner", email: "owner@service.example" }];
    const seed = {
      users,
      docs: [
        {
          id: "docOne",
          title: "One",
          tables: [{ id: "grid-one", name: "Things", columns: [{ name: "Name" }] }],
        },
      ],
    };
    const options = { database: database.url, seed, token: "writer-token", mutationDelayMs: 0 };
    const listRows = async (url: string) => {
      const response = await fetch(`${url}/docs/docOne/tables/grid-one/rows?useColumnNames=true`, {
        headers: { authorization: "Bearer writer-token" },
      });
      return ((await response.json()) as { items: { values: { Name: string } }[] }).items.map(
        ({ values }) => values.Name,
      );
    };
    const first = await startService(options);
    const written = await fetch(`${first.url}/docs/docOne/tables/grid-one/rows`, {
      method: "POST",
      headers: { authorization: "Bearer writer-token", "content-type": "application/json" },
      body: JSON.stringify({
        rows: ["a", "b"].map((value) => ({ cells: [{ column: "Name", value }] })),
      }),
    });
    expect(written.status).toBe(202);
    await first.settle();
    expect(await listRows(first.url)).toEqual(["a", "b"]);
    await first.close();
    await using second = await startService(options);
    expect(await listRows(second.url)).toEqual(["a", "b"]);
  });
});
