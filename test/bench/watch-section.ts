import type { BenchContext, Measurement } from "./section.ts";
import { measureWatch } from "./watch.ts";

/** What a save costs. */
export async function measureSaves({ work }: BenchContext): Promise<Measurement[]> {
  const { median, slowest, bare } = await measureWatch(work);
  return [
    {
      name: "save to validated bundle",
      value: median,
      unit: "ms",
      peer: { name: "esbuild alone", value: bare },
      target: { of: "value", atMost: 50 },
    },
    { name: "the slowest of them", value: slowest, unit: "ms" },
  ];
}
