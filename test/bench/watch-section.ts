import type { BenchContext, Measurement } from "./section.ts";
import { measureWatch } from "./watch.ts";

/** What an author waits for after a save. */
export async function measureWatching({ work }: BenchContext): Promise<Measurement[]> {
  const { median, slowest, bare } = await measureWatch(work);
  return [
    {
      name: "from the save to the validated bundle",
      value: median,
      unit: "ms",
      peer: { name: "esbuild's own context", value: bare },
      target: { of: "value", atMost: 60 },
    },
    { name: "the slowest of these", value: slowest, unit: "ms" },
  ];
}
