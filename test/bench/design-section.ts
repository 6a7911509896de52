import { join } from "node:path";
import { COLUMNS, type DesignFigures, measureDesign, ROWS } from "./design.ts";
import type { BenchContext, Measurement } from "./section.ts";
import { withServerDatabase } from "./service-process.ts";

/** What the service does at its design sizes in a SQLite file, next to SQL that is written by hand. */
export async function measureDesignSizes({ work }: BenchContext): Promise<Measurement[]> {
  return listMeasurements("SQLite", await measureDesign(work, join(work, "design.db")));
}

/** The same on a PostgreSQL server. */
export async function measureDesignSizesOnServer({
  work,
  skip,
}: BenchContext): Promise<Measurement[]> {
  const server = process.env["PACKSMITH_TEST_POSTGRES"];
  if (server === undefined) {
    skip("PACKSMITH_TEST_POSTGRES names no server");
    return [];
  }
  const figures = await withServerDatabase(server, (url) => measureDesign(work, url));
  return listMeasurements("PostgreSQL", figures);
}

function listMeasurements(engine: string, { compared, waits, list }: DesignFigures): Measurement[] {
  return [
    { name: `${engine}: rows of the table, with ${COLUMNS} columns`, value: ROWS, unit: "" },
    ...compared.map(
      ({ name, ours, sql, atMost }): Measurement => ({
        name: `${engine}: ${name}, processor time`,
        value: ours,
        unit: "ms",
        peer: { name: "the same in plain SQL", value: sql },
        target: { of: "ratio", atMost },
      }),
    ),
    ...waits.flatMap(({ during, read, write, totalMs }): Measurement[] => [
      {
        name: `${engine}: the longest read of another document while ${during}`,
        value: read,
        unit: "ms",
        target: { of: "value", atMost: 50 },
      },
      {
        name: `${engine}: the longest write of another document, the same time`,
        value: write,
        unit: "ms",
        target: { of: "value", atMost: 50 },
      },
      { name: `${engine}: until all of it was done`, value: totalMs, unit: "ms" },
    ]),
    {
      name: `${engine}: a list of 25 of 10,000 documents, processor time`,
      value: list.many,
      unit: "ms",
      peer: { name: "a list of 2", value: list.few },
      target: { of: "ratio", atMost: 1.5 },
    },
  ];
}
