import { measureClient } from "./client.ts";
import type { BenchContext, Measurement } from "./section.ts";

/** What the typed client of the service costs. */
export async function measureCalls({ work }: BenchContext): Promise<Measurement[]> {
  const { rows, insert, paging, heapMb } = await measureClient(work);
  const count = rows.toLocaleString("en");
  return [
    {
      name: `${count} rows inserted`,
      value: insert.ours,
      unit: "ms",
      peer: { name: "only SQLite", value: insert.bare },
      target: { of: "ratio", atMost: 2 },
    },
    {
      name: "the same",
      value: insert.ours,
      unit: "ms",
      peer: { name: "only SQLite, with the service's columns and indexes", value: insert.indexed },
    },
    {
      name: `${count} rows read in pages`,
      value: paging.ours,
      unit: "ms",
      peer: { name: "fetch and JSON.parse", value: paging.bare },
      target: { of: "ratio", atMost: 1 / 0.9 },
    },
    {
      name: "heap after all rows",
      value: heapMb.all,
      unit: "MB",
      peer: { name: "after a tenth", value: heapMb.tenth },
    },
  ];
}
