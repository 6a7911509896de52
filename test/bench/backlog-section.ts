import { join } from "node:path";
import { measureBacklog, measureByHand } from "./backlog.ts";
import type { BenchContext, Measurement } from "./section.ts";
import { withServerDatabase } from "./service-process.ts";

/** How fast 5,000 edits of one document are applied that waited, on each engine. */
export async function measureBacklogs({ work, skip }: BenchContext): Promise<Measurement[]> {
  const measurements = await measureEngine("SQLite", work, join(work, "backlog.db"), 1_000);
  const server = process.env["PACKSMITH_TEST_POSTGRES"];
  if (server === undefined) {
    skip("PostgreSQL: PACKSMITH_TEST_POSTGRES names no server");
    return measurements;
  }
  return [
    ...measurements,
    ...(await withServerDatabase(server, (url) => measureEngine("PostgreSQL", work, url, 500))),
  ];
}

async function measureEngine(
  engine: string,
  work: string,
  database: string,
  atLeast: number,
): Promise<Measurement[]> {
  const figures = await measureBacklog(work, database);
  const byHand = await measureByHand(work, database);
  return figures.map(({ name, rate }, at) => ({
    name: `${engine}: 5,000 edits of one document that waited: ${name}`,
    value: rate,
    unit: "a second",
    ...(at === 0
      ? { peer: { name: "rows inserted by hand, a statement for each", value: byHand } }
      : {}),
    target: { of: "value", atLeast },
  }));
}
