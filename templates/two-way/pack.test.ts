import { executeSyncTable, executeUpdate, mockFetcher } from "packsmith/testing";
import { expect, it } from "vitest";

const before = { id: "t1", title: "Write the welcome guide", done: false };
const edit = {
  previousValue: before,
  newValue: { ...before, done: true },
  updatedFields: ["done"],
};

it("syncs the recorded tasks", async () => {
  const { rows } = await executeSyncTable("pack.ts", "Tasks", [], {
    replay: "cassettes",
    strict: true,
  });
  expect(rows).toHaveLength(3);
});

it("writes only the edited properties", async () => {
  const fetcher = mockFetcher({
    "PATCH https://api.tasks.example/tasks/:id": { body: { ...before, done: true } },
  });
  expect(await executeUpdate("pack.ts", "Tasks", [], [edit], { fetcher })).toMatchObject([
    { outcome: "success" },
  ]);
  expect(fetcher.requests.map(({ body }) => body)).toEqual([{ done: true }]);
});

it("reports the row that could not be written", async () => {
  const fetcher = mockFetcher({
    "PATCH https://api.tasks.example/tasks/:id": { status: 409, body: { message: "Closed." } },
  });
  expect(await executeUpdate("pack.ts", "Tasks", [], [edit], { fetcher })).toMatchObject([
    { outcome: "error" },
  ]);
});
