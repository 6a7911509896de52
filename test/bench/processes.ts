import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { computeMedian } from "./section.ts";
import { measureRate } from "./service-load.ts";
import { startService } from "./service-process.ts";

const TOKEN = "bench-token";
const ROWS = 1_000;
const DOCS = 4;
const ROUNDS = 3;
const ROUND_MS = 2_000;

export interface ProcessFigures {
  processes: number;
  /** A second, from all processes together. */
  lists: number;
  edits: number;
}

/** Measures so many processes that share one database, in alternating rounds. */
export async function measureProcesses(work: string, database: string): Promise<ProcessFigures[]> {
  const seed = join(work, "processes-seed.json");
  writeFileSync(seed, JSON.stringify(processesSeed()));
  const start = () => startService(["--seed", seed, "--database", database]);
  const services = [await start(), await start(), await start(), await start()];
  try {
    for (const { facts } of services)
      await fetch(`${facts.controlUrl}/latency`, {
        method: "POST",
        body: JSON.stringify({ latency: "immediate" }),
      });
    const rounds = [1, 2, 4].map((processes) => ({
      processes,
      lists: [] as number[],
      edits: [] as number[],
    }));
    for (let round = -1; round < ROUNDS; round++) {
      for (const { processes, lists, edits } of rounds) {
        const used = services.slice(0, processes);
        const measureOperations = async (work: (url: string, at: number) => Promise<number>) =>
          (await Promise.all(used.map(({ facts }, at) => work(facts.url, at)))).reduce(
            (sum, rate) => sum + rate,
            0,
          );
        const listed = await measureOperations((url, at) =>
          measureRate(`${url}${createTableName(at)}?limit=25`, TOKEN, ROUND_MS),
        );
        const edited = await measureOperations((url, at) =>
          measureEdits(`${url}${createTableName(at)}`),
        );
        // The first round warms up.
        if (round < 0) continue;
        lists.push(listed);
        edits.push(edited);
      }
    }
    return rounds.map(({ processes, lists, edits }) => ({
      processes,
      lists: computeMedian(lists),
      edits: computeMedian(edits),
    }));
  } finally {
    for (const service of services) await service.stop();
  }
}

function createTableName(doc: number): string {
  return `/docs/bench-${doc}/tables/grid-rows/rows`;
}

/** Edits of one document, several at a time; each is applied before it is accepted. */
async function measureEdits(url: string): Promise<number> {
  const body = JSON.stringify({ rows: [{ cells: [{ column: "c-0", value: "new" }] }] });
  let accepted = 0;
  const endMs = performance.now() + ROUND_MS;
  const began = performance.now();
  const work = async () => {
    while (performance.now() < endMs) {
      const answer = await fetch(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${TOKEN}` },
        body,
      });
      if (answer.status !== 202) throw new Error(`An edit answered ${answer.status}.`);
      await answer.arrayBuffer();
      accepted++;
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return (accepted * 1_000) / (performance.now() - began);
}

function processesSeed(): object {
  const columns = [{ id: "c-0", name: "Name" }, { name: "Notes" }];
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    Name: `row ${at}`,
    Notes: "some more text",
  }));
  return {
    users: [{ name: "Bench", email: "bench@service.example" }],
    tokens: [{ token: TOKEN }],
    docs: Array.from({ length: DOCS }, (_, at) => ({
      id: `bench-${at}`,
      title: `Bench ${at}`,
      tables: [{ id: "grid-rows", name: "rows", columns, rows }],
    })),
  };
}
