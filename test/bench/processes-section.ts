import { measureProcesses } from "./processes.ts";
import type { BenchContext, Measurement } from "./section.ts";
import { withServerDatabase } from "./service-process.ts";

/**
 * How far one PostgreSQL server goes: lists and edits a second of one, two and four processes that
 * share it.
 */
export async function measureServers({ work, skip }: BenchContext): Promise<Measurement[]> {
  const server = process.env["PACKSMITH_TEST_POSTGRES"];
  if (server === undefined) {
    skip("PACKSMITH_TEST_POSTGRES names no server");
    return [];
  }
  const figures = await withServerDatabase(server, (url) => measureProcesses(work, url));
  const [one] = figures;
  return figures.flatMap(({ processes, lists, edits }): Measurement[] => {
    const name = processes === 1 ? "one process" : `${processes} processes`;
    const peer = (value: number | undefined) =>
      processes === 1 || value === undefined ? {} : { peer: { name: "one process", value } };
    return [
      { name: `${name}: lists of 25 rows`, value: lists, unit: "a second", ...peer(one?.lists) },
      {
        name: `${name}: edits of different documents, accepted and applied`,
        value: edits,
        unit: "a second",
        ...peer(one?.edits),
      },
    ];
  });
}
