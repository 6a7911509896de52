import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startService } from "./service-process.ts";

const TOKEN = "bench-token";
/** So many edits of one document wait. */
const BACKLOG = 5_000;
const SENDERS = 25;

export interface BacklogFigures {
  /** What the edits do. */
  name: string;
  /** Edits a second, from the word to apply them until the last one is applied. */
  rate: number;
}

/** Measures how fast the edits of one document are applied that wait, each kind in turn. */
export async function measureBacklog(work: string, database: string): Promise<BacklogFigures[]> {
  const seed = join(work, "backlog-seed.json");
  writeFileSync(seed, JSON.stringify(backlogSeed()));
  await using service = await startService(["--seed", seed, "--database", database]);
  const { url, controlUrl } = service.facts;
  const rows = "/docs/bench/tables/grid-rows/rows";
  const ids: string[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status !== 202) throw new Error(`${method} ${path} answered ${answer.status}.`);
    return (await answer.json()) as { addedRowIds?: string[] };
  };
  const control = async (path: string, body?: object) => {
    const answer = await fetch(
      `${controlUrl}/${path}`,
      body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    );
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return await answer.json();
  };
  const cells = (at: number) => [
    { column: "c-name", value: `row ${at}` },
    { column: "c-notes", value: "some more text" },
  ];
  const kinds: Record<string, (at: number) => Promise<unknown>> = {
    "new rows": async (at) => {
      const { addedRowIds = [] } = await send("POST", rows, { rows: [{ cells: cells(at) }] });
      ids[at] = addedRowIds[0] ?? "";
    },
    "upserts with a key": (at) =>
      send("POST", rows, { rows: [{ cells: cells(at) }], keyColumns: ["c-name"] }),
    "updates of a row": (at) => send("PUT", `${rows}/${ids[at]}`, { row: { cells: cells(at) } }),
    "new rows, updates and upserts in turns": (at) => {
      if (at % 3 === 0) return send("POST", rows, { rows: [{ cells: cells(at) }] });
      if (at % 3 === 1) return send("PUT", `${rows}/${ids[at]}`, { row: { cells: cells(at) } });
      return send("POST", rows, { rows: [{ cells: cells(at) }], keyColumns: ["c-name"] });
    },
    "deletions of a row": (at) => send("DELETE", `${rows}/${ids[at]}`),
  };
  const figures: BacklogFigures[] = [];
  for (const [name, edit] of Object.entries(kinds)) {
    await control("mutations/hold", { hold: true });
    const numbers = Array.from({ length: BACKLOG }, (_, at) => at).values();
    const sender = async () => {
      for (const at of numbers) await edit(at);
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    const began = performance.now();
    await control("mutations/complete", {});
    figures.push({ name, rate: (BACKLOG * 1_000) / (performance.now() - began) });
    const { items } = (await control("mutations")) as { items: { state: string }[] };
    if (items.some(({ state }) => state !== "done")) throw new Error("Some edits still wait.");
  }
  return figures;
}

/**
 * The same rows written by hand, each with a statement of its own and into the bare table. @returns
 * rows a second
 */
export async function measureByHand(work: string, database: string): Promise<number> {
  const columns =
    "doc_id text, table_id text, id text, from_seq bigint, to_seq bigint, position bigint, cells text";
  const create = `create table by_hand (${columns}, primary key (doc_id, table_id, id, from_seq))`;
  const insert = "insert into by_hand values ($1, $2, $3, $4, $5, $6, $7)";
  const createValues = (at: number) => [
    "bench",
    "grid-rows",
    `i-${at}`,
    at,
    Number.MAX_SAFE_INTEGER,
    at,
    `{"c-name":"row ${at}"}`,
  ];
  const began = () => performance.now();
  let begunAt: number;
  if (database.startsWith("postgres:")) {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query(create);
    begunAt = began();
    for (let at = 0; at < BACKLOG; at++)
      await client.query({ name: "insert", text: insert, values: createValues(at) });
    const ms = performance.now() - begunAt;
    await client.end();
    return (BACKLOG * 1_000) / ms;
  }
  const load = createRequire(join(process.cwd(), "package.json"));
  const Sqlite = load("libsql") as new (
    file: string,
  ) => {
    exec(text: string): void;
    close(): void;
    prepare(text: string): { run(values: unknown[]): void };
  };
  const sqlite = new Sqlite(join(work, "by-hand.db"));
  sqlite.exec("pragma journal_mode = wal");
  sqlite.exec("pragma synchronous = normal");
  sqlite.exec(create);
  const statement = sqlite.prepare(insert);
  begunAt = began();
  for (let at = 0; at < BACKLOG; at++) statement.run(createValues(at));
  const ms = performance.now() - begunAt;
  sqlite.close();
  return (BACKLOG * 1_000) / ms;
}

function backlogSeed(): object {
  const columns = [
    { id: "c-name", name: "Name" },
    { id: "c-notes", name: "Notes" },
  ];
  return {
    users: [{ name: "Bench", email: "bench@service.example" }],
    tokens: [{ token: TOKEN }],
    docs: [{ id: "bench", title: "Bench", tables: [{ id: "grid-rows", name: "rows", columns }] }],
  };
}
