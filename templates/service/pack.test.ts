import { connectPack, executeFormula, startService } from "packsmith/testing";
import { expect, it } from "vitest";

it("lists the recorded tasks", async () => {
  const tasks = await executeFormula("pack.ts", "TasksByStatus", ["demoDoc001", "Done"], {
    replay: "cassettes",
    strict: true,
  });
  expect(tasks).toHaveLength(5);
});

it("adds a task to a document of the local service", async () => {
  await using service = await startService();
  await using account = await connectPack("pack.ts", {
    secrets: { token: service.token },
    routes: { "https://docs.service.example": service.url.replace("/apis/v1", "") },
  });
  const requestId = await account.execute("AddTask", [service.docId, "Tea"]);
  expect(requestId).toMatch(/./);
  expect(service.requests.at(-1)).toMatchObject({ method: "POST", status: 202 });
});
