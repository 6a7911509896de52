import { spawn } from "node:child_process";
import type { Isolate } from "../../src/sandbox/host/isolate.ts";
import { fromDist } from "./from-dist.ts";
import { startIsolatedLoop } from "./isolated-loop.ts";
import { computeMedian, type Measurement } from "./section.ts";
import { timeTextToProcess } from "./text-to-process.ts";

const { createIsolate } =
  await fromDist<typeof import("../../src/sandbox/host/isolate.ts")>("sandbox/host/isolate.js");
const { executeFormula } = await fromDist<typeof import("../../src/execute/execute-target.ts")>(
  "execute/execute-target.js",
);
const { executeSyncTable } = await fromDist<
  typeof import("../../src/execute/tables/execute-sync-table.ts")
>("execute/tables/execute-sync-table.js");

const CODE = `"use strict";
module.exports.pack = { networkDomains: ["tasks.example"],
  formulas: [{ name: "Hello", description: "Greets.", parameters: [{ name: "name", type: "string" }], resultType: "string", execute: async ([name]) => "Hello " + name }],
  syncTables: [{ name: "Tasks", identityName: "Task",
    schema: { type: "object", idProperty: "id", displayProperty: "title", properties: { id: { type: "string", required: true }, title: { type: "string", required: true }, count: { type: "number" }, done: { type: "boolean" } } },
    getter: { name: "SyncTasks", parameters: [{ name: "rows", type: "number" }],
      execute: async ([rows], { sync, fetcher }) => {
        const from = sync.continuation?.from ?? 0;
        const { body } = await fetcher.fetch({ method: "GET", url: "https://tasks.example/?from=" + from, cacheTtlSecs: 0 });
        const result = body.map(({ id, name, count, done }) => ({ id, title: name, count, done }));
        return { result, continuation: from + 1000 < rows ? { from: from + 1000 } : undefined };
      } } }] };`;

interface Measured {
  /** Milliseconds. */
  median: number;
}

async function medianTime(
  runs: number,
  work: () => Promise<unknown>,
  pause?: () => Promise<unknown>,
): Promise<Measured> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
    await pause?.();
  }
  return { median: times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN };
}

/** What the run path costs beside the same work done directly. */
export async function measureRunPath(rows = 1_000_000): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  const cold = await medianTime(
    5,
    async () =>
      await (await createIsolate({ code: CODE, fileName: "bundle.js" }))[Symbol.asyncDispose](),
  );
  const isolate = await createIsolate({ code: CODE, fileName: "bundle.js" });
  try {
    measured.push(...(await measureCalls(isolate)));
    measured.push({ name: "an isolate in a new process", value: cold.median, unit: "ms" });
    measured.push(...(await measureSync(isolate, rows)));
  } finally {
    await isolate[Symbol.asyncDispose]();
  }
  return measured;
}

async function measureCalls(isolate: Isolate): Promise<Measurement[]> {
  const host = {
    context: {
      endpoint: undefined,
      invocationLocation: { protocolAndHost: "https://docs.example" },
      timezone: "UTC",
      invocationToken: "t",
    },
    fetch: () => Promise.reject(new TypeError("no network")),
  };
  const call = { kind: "formula", name: "Hello", args: ["World"] } as const;
  const session = {};
  const direct = async (name: string) => `Hello ${name}`;
  for (let warm = 0; warm < 500; warm++) await isolate.invoke(call, { ...host, session });
  const plain = await medianTime(2000, () => direct("World"));
  const inSession = await medianTime(2000, () => isolate.invoke(call, { ...host, session }));
  // Until the context for the next call is made, as between two keystrokes of an author.
  const idle = await medianTime(
    200,
    () => isolate.invoke(call, host),
    () => new Promise((resolve) => setTimeout(resolve, 5)),
  );
  const whole = await medianTime(
    200,
    () => executeFormula({ isolate, formula: "Hello", args: ["World"] }),
    () => new Promise((resolve) => setTimeout(resolve, 5)),
  );
  const fresh = await medianTime(500, () => isolate.invoke(call, host));
  const over = (name: string, { median }: Measured, atMost?: number): Measurement => ({
    name,
    value: (median - plain.median) * 1000,
    unit: "µs",
    ...(atMost === undefined ? {} : { target: { of: "value", atMost } }),
  });
  return [
    over("a call in the same context, more than a direct one", inSession, 150),
    {
      name: "a text to a process and back, and nothing else",
      value: computeMedian(await timeTextToProcess(1000)) * 1000,
      unit: "µs",
    },
    over("a call whose context was made ahead", idle),
    over("executeFormula, context made ahead", whole),
    over("a call whose context is made now (isolate start, warm)", fresh, 15_000),
  ];
}

interface Round {
  ms: number;
  /** Of all threads of this process: what a busy machine changes least. */
  cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Round> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

/**
 * Pages over HTTP, as a sync gets them: the bare loop fetches, parses and renames members in this
 * process; another one lets a process
 * do the latter. All go to the same server over connections that stay open, in turns, and the round
 * of the middle ratio counts.
 */
async function measureSync(isolate: Isolate, rows: number): Promise<Measurement[]> {
  const server = await startPages();
  const isolatedLoop = startIsolatedLoop();
  const url = (from: number) => `${server.origin}/?from=${from}`;
  let peak = 0;
  const sampleMemory = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const bareLoop = async (): Promise<number> => {
    let count = 0;
    for (let from = 0; from < rows; from += 1000) {
      const items = (await (await fetch(url(from))).json()) as {
        id: string;
        name: string;
        count: number;
        done: boolean;
      }[];
      count += items.map(({ id, name, count: number, done }) => ({
        id,
        title: name,
        count: number,
        done,
      })).length;
      // As in the other loop: it takes its time.
      sampleMemory();
    }
    return count;
  };
  const sync = async (): Promise<number> => {
    let count = 0;
    const routes = { "https://tasks.example": server.origin };
    const options = {
      isolate,
      table: "Tasks",
      args: [rows],
      maxRows: rows,
      maxPages: rows,
      routes,
      readsAhead: true,
    };
    for await (const page of executeSyncTable(options)) {
      count += page.rows.length;
      sampleMemory();
    }
    return count;
  };
  const isolated = async (): Promise<number> =>
    await isolatedLoop.run(
      Array.from({ length: Math.ceil(rows / 1000) }, (_, page) => url(page * 1000)),
    );
  try {
    // The first round grows the heaps, and is not counted.
    await bareLoop();
    await sync();
    await isolated();
    let grownBytes = 0;
    const rounds: { bare: Round; synced: Round; isolated: Round }[] = [];
    for (let round = 0; round < 3; round++) {
      const least = await timed(isolated);
      const bare = await timed(bareLoop);
      const before = process.memoryUsage.rss();
      peak = before;
      rounds.push({ bare, synced: await timed(sync), isolated: least });
      grownBytes = Math.max(grownBytes, peak - before);
    }
    const middle = (of: "synced" | "isolated") =>
      rounds.toSorted(
        (a, b) => a[of].ms / a.bare.ms - b[of].ms / b.bare.ms,
      )[1] as (typeof rounds)[number];
    const { bare, synced } = middle("synced");
    const least = middle("isolated");
    const name = `a sync of ${rows.toLocaleString("en")} rows`;
    const peer = "the bare loop";
    return [
      {
        name,
        value: synced.ms,
        unit: "ms",
        peer: { name: peer, value: bare.ms },
        target: { of: "ratio", atMost: 1.6 },
      },
      {
        name: "the bare loop, its rows made in a process of their own",
        value: least.isolated.ms,
        unit: "ms",
        peer: { name: peer, value: least.bare.ms },
      },
      // Without the server's.
      {
        name: "the sync, processor time",
        value: synced.cpuMs,
        unit: "ms",
        peer: { name: peer, value: bare.cpuMs },
      },
      {
        name: "resident memory that a sync grows by",
        value: grownBytes / 2 ** 20,
        unit: "MiB",
        target: { of: "value", atMost: 50 },
      },
    ];
  } finally {
    isolatedLoop.stop();
    server.stop();
  }
}

const SERVER = `require("node:http").createServer((request, response) => {
  const from = Number(new URL(request.url, "http://x").searchParams.get("from"));
  const rows = Array.from({ length: 1000 }, (_, n) => ({ id: "row-" + (from + n), name: "Task " + (from + n), count: from + n, done: n % 2 === 0 }));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(rows));
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

async function startPages(): Promise<{ origin: string; stop(): void }> {
  const child = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim())),
  );
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
