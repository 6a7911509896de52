import { executeFormula, mockFetcher } from "packsmith/testing";
import { expect, it } from "vitest";

it("lists the recorded tasks", async () => {
  const tasks = await executeFormula("pack.ts", "ListTasks", ["open"], {
    replay: "cassettes",
    strict: true,
  });
  expect(tasks).toMatchObject([
    { title: "Write the welcome guide" },
    { title: "Test the price list" },
  ]);
});

it("sends the API key in its header", async () => {
  const fetcher = mockFetcher({
    "POST https://api.tasks.example/tasks": { status: 201, body: { id: "t4" } },
  });
  expect(
    await executeFormula("pack.ts", "AddTask", ["Tea"], {
      fetcher,
      credentials: { token: "a-key" },
    }),
  ).toBe("t4");
  expect(fetcher.requests[0]).toMatchObject({
    body: { title: "Tea" },
    headers: { "x-api-key": "a-key" },
  });
});
