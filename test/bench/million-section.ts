import { join } from "node:path";
import { type MillionFigures, measureMillion, ROWS, withServerDatabase } from "./million.ts";
import type { BenchContext, Measurement } from "./section.ts";

/**
 * What the local document service does with a table of a million rows in a SQLite file, next to SQL
 * that is written by hand.
 */
export async function measureMillionRows({ work }: BenchContext): Promise<Measurement[]> {
  return measurementsOf("SQLite", await measureMillion(work, join(work, "million.db")));
}

/** The same on a PostgreSQL server. */
export async function measureMillionRowsOnServer({
  work,
  skip,
}: BenchContext): Promise<Measurement[]> {
  const server = process.env["PACKSMITH_TEST_POSTGRES"];
  if (server === undefined) {
    skip("PACKSMITH_TEST_POSTGRES names no server");
    return [];
  }
  return measurementsOf(
    "PostgreSQL",
    await withServerDatabase(server, (url) => measureMillion(work, url)),
  );
}

function measurementsOf(
  engine: string,
  { compared, longestWait, list, purge, memoryMb }: MillionFigures,
): Measurement[] {
  return [
    { name: `${engine}: rows of the table`, value: ROWS, unit: "" },
    ...compared.flatMap(({ name, first, later }): Measurement[] => [
      {
        name: `${engine}: ${name}`,
        value: later.ours,
        unit: "ms",
        peer: { name: "express and the same SQL", value: later.express },
        target: { of: "ratio", atMost: 2 },
      },
      {
        name: `${engine}: the same`,
        value: later.ours,
        unit: "ms",
        peer: { name: "only the SQL", value: later.sql },
      },
      ...(first === undefined
        ? []
        : [
            {
              name: `${engine}: the same, the first time, without an index and next to another request`,
              value: first.ours,
              unit: "ms",
              peer: { name: "only the SQL", value: first.sql },
            },
          ]),
    ]),
    ...(["first", "later", "purge"] as const).flatMap((when): Measurement[] => [
      {
        name: `${engine}: the longest wait of another request, ${WHEN[when]}`,
        value: longestWait[when].ms,
        unit: "ms",
        peer: { name: "the longest without these requests", value: longestWait.alone.ms },
      },
      {
        name: `${engine}: the same, without the time in which other programs had the cores`,
        value: longestWait[when].ownMs,
        unit: "ms",
        peer: { name: "the longest without these requests", value: longestWait.alone.ownMs },
        target: { of: "value", atMost: 50 },
      },
    ]),
    {
      name: `${engine}: a list after half of the rows were deleted`,
      value: list.after,
      unit: "ms",
      peer: { name: "before", value: list.before },
      target: { of: "ratio", atMost: 1.3 },
    },
    {
      name: `${engine}: removing what is older than a day: the versions and deletions of half of the rows`,
      value: purge.seconds,
      unit: "s",
    },
    {
      name: `${engine}: what is left of them`,
      value: purge.left,
      unit: "",
      target: { of: "value", atMost: 0 },
    },
    ...(memoryMb === undefined
      ? []
      : [
          { name: `${engine}: the most memory that the service used`, value: memoryMb, unit: "MB" },
        ]),
  ];
}

const WHEN = {
  first: "the first time",
  later: "with indexes",
  purge: "while what is older than a day is removed",
};
