import { executeSyncTable } from "packsmith/testing";
import { expect, it } from "vitest";

it("syncs every page", async () => {
  const { rows, pages, end } = await executeSyncTable("pack.ts", "Tasks", [], {
    replay: "cassettes",
    strict: true,
  });
  expect({ rows: rows.length, pages, end }).toEqual({ rows: 5, pages: 3, end: "complete" });
  expect(rows[0]).toMatchObject({ title: "Write the welcome guide", done: false });
});
