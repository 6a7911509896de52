import { executeSyncTable, executeUpdate, startService } from "packsmith/testing";
import { expect, it } from "vitest";

it("writes an edit back, and the next sync reads it", async () => {
  // The service applies edits before the response, so the test does not wait.
  await using service = await startService({ mutationDelayMs: 0 });
  const options = {
    credentials: { token: service.token },
    routes: [`https://docs.planning.example=${new URL(service.url).origin}`],
  };
  const sync = async () =>
    (await executeSyncTable("pack.ts", "Tasks", [service.docId], options)).rows as Record<
      string,
      unknown
    >[];

  const [first, second, ...rest] = await sync();
  expect(rest).toHaveLength(22);
  const updates = [
    { previousValue: first, newValue: { ...first, status: "Done" }, updatedFields: ["status"] },
    { previousValue: second, newValue: { ...second, estimate: -1 }, updatedFields: ["estimate"] },
  ];
  expect(await executeUpdate("pack.ts", "Tasks", [service.docId], updates, options)).toMatchObject([
    { outcome: "success", finalValue: { status: "Done" } },
    { outcome: "error", error: { message: "An estimate cannot be negative." } },
  ]);
  expect((await sync()).slice(0, 2)).toEqual([{ ...first, status: "Done" }, second]);
});
