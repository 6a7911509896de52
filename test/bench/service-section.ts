import type { BenchContext, Measurement } from "./section.ts";
import { measureService } from "./service.ts";

/** What the local document service costs, from outside. */
export async function measureServer({ work }: BenchContext): Promise<Measurement[]> {
  const { list, page, upsert, startMs, resetMs, residentMb } = await measureService(work);
  return [
    {
      name: "lists of 25 rows",
      value: list.ours,
      unit: "a second",
      peer: { name: "bare express and the same query", value: list.bare },
      target: { of: "ratio", atLeast: 0.8 },
    },
    {
      name: "lists of 25 rows, as a number",
      value: list.ours,
      unit: "a second",
      target: { of: "value", atLeast: 1_500 },
    },
    {
      name: "a page of 1,000,000 rows",
      value: page.large,
      unit: "ms",
      peer: { name: "of 1,000 rows", value: page.small },
      target: { of: "ratio", atMost: 1.3 },
    },
    {
      name: "a keyed upsert among 1,000,000 rows",
      value: upsert.large,
      unit: "ms",
      peer: { name: "among 1,000 rows", value: upsert.small },
      target: { of: "ratio", atMost: 1.3 },
    },
    {
      name: "start, complete process",
      value: startMs,
      unit: "ms",
      target: { of: "value", atMost: 500 },
    },
    { name: "reset", value: resetMs, unit: "ms", target: { of: "value", atMost: 5 } },
    {
      name: "resident memory after the lists",
      value: residentMb,
      unit: "MB",
      target: { of: "value", atMost: 120 },
    },
  ];
}
