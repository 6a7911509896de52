import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type LocalService, startService } from "../../../../src/service/local/service.ts";
import { startCliServer } from "../../../support/cli.ts";
import { hasPostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";

const TOKEN = "shared-token";
/** `PACKSMITH_TEST_KILLS=50` looks longer. */
const KILLS = Number(process.env["PACKSMITH_TEST_KILLS"] ?? 1);
/** More than one slice has time for. */
const MANY = 3_000;
const ROWS = "/docs/large/tables/grid-t/rows";
const SEED = {
  users: [{ name: "Owner", email: "owner@service.example" }],
  tokens: [{ token: TOKEN }],
  docs: [
    {
      id: "large",
      title: "Large",
      tables: [
        {
          id: "grid-t",
          name: "T",
          columns: [
            { id: "c-key", name: "Key" },
            { id: "c-text", name: "Text" },
          ],
          rows: Array.from({ length: MANY }, (_, at) => ({ Key: `seed ${at}`, Text: "first" })),
        },
      ],
    },
  ],
};

type Url = Pick<LocalService, "url">;
/** The text of each row by its key. */
type Texts = ReadonlyMap<string, string>;

async function send({ url }: Url, path: string, method = "GET", body?: object) {
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status, path).toBeLessThan(500);
  return (await answer.json()) as Record<string, unknown>;
}

interface ListedRow {
  id: string;
  index: number;
  values: { Key: string; Text: string };
}

async function listRows(service: Url, rows = ROWS): Promise<ListedRow[]> {
  const listed: ListedRow[] = [];
  for (
    let path: string | undefined = `${rows}?limit=500&useColumnNames=true`;
    path !== undefined;
  ) {
    const page = await send(service, path);
    listed.push(...(page["items"] as ListedRow[]));
    path = (page["nextPageLink"] as string | undefined)?.slice(service.url.length);
  }
  return listed;
}

/** All rows of a table, each of which has to be there once and in its place. */
async function readTexts(service: Url, rows = ROWS): Promise<Texts> {
  const listed = await listRows(service, rows);
  expect(listed.map(({ index }) => index).sort((one, other) => one - other)).toEqual(
    listed.map((_, at) => at),
  );
  const { rowCount } = await send(service, rows.replace(/\/rows$/, ""));
  expect(rowCount).toBe(listed.length);
  const texts = new Map(listed.map(({ values: { Key, Text } }) => [Key, Text]));
  expect(texts.size).toBe(listed.length);
  return texts;
}

interface LargeEdit {
  send(service: Url): Promise<Record<string, unknown>>;
  after: Texts;
}

const written = (keys: readonly string[], text: string) =>
  keys.map((key) => ({
    cells: [
      { column: "Key", value: key },
      { column: "Text", value: text },
    ],
  }));

/** Each changes some thousand rows; `text` is new. */
const EDITS: Record<
  string,
  (rows: readonly ListedRow[], before: Texts, text: string) => LargeEdit
> = {
  "adds rows": (_, before, text) => {
    const keys = Array.from({ length: MANY }, (_each, at) => `${text} ${at}`);
    return {
      send: (service) => send(service, ROWS, "POST", { rows: written(keys, text) }),
      after: new Map([...before, ...keys.map((key) => [key, text] as const)]),
    };
  },
  "upserts rows by a key": (_, before, text) => {
    const keys = [...before.keys()].filter((_each, at) => at % 2 === 0);
    const all = [...keys, `${text} new`, `${text} newer`];
    return {
      send: (service) =>
        send(service, ROWS, "POST", { rows: written(all, text), keyColumns: ["Key"] }),
      after: new Map([...before, ...all.map((key) => [key, text] as const)]),
    };
  },
  "deletes rows": (rows, before) => {
    const deleted = rows.filter((_each, at) => at % 3 !== 0);
    const keys = new Set(deleted.map(({ values }) => values.Key));
    return {
      send: (service) => send(service, ROWS, "DELETE", { rowIds: deleted.map(({ id }) => id) }),
      after: new Map([...before].filter(([key]) => !keys.has(key))),
    };
  },
  "copies the document": (_, before, text) => ({
    send: (service) => send(service, "/docs", "POST", { title: text, sourceDoc: "large" }),
    after: before,
  }),
};

interface Place extends AsyncDisposable {
  database: string;
}

async function makeFile(): Promise<Place> {
  const folder = makeTemporaryFolder();
  return {
    database: join(folder.path, "service.db"),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

async function makeServer(): Promise<Place> {
  const database = await makePostgresDatabase();
  return { database: database.url, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

const PLACES = [
  ["a SQLite file", makeFile] as const,
  ...(hasPostgres ? [["PostgreSQL", makeServer] as const] : []),
];

describe.each(PLACES)("a process that is killed inside a large edit, on %s", (_, makePlace) => {
  it("loses nothing that was accepted: another process goes on, and sees all of an edit or nothing", async () => {
    await using place = await makePlace();
    using folder = makeTemporaryFolder();
    const seed = join(folder.path, "seed.json");
    await writeFile(seed, JSON.stringify(SEED));
    const start = () => startService({ database: place.database, seed: SEED, mutationDelayMs: 0 });
    await using other = await start();
    let round = 0;
    for (let kill = 0; kill < KILLS; kill++)
      for (const [what, planEdit] of Object.entries(EDITS)) {
        const killed = await startCliServer<Url & { controlUrl: string }>([
          ...["service", "--port", "0", "--seed", seed],
          ...["--database", place.database],
        ]);
        await fetch(`${killed.facts.controlUrl}/latency`, {
          method: "POST",
          body: JSON.stringify({ latency: "immediate" }),
        });
        const text = `edit ${round++}`;
        const before = await readTexts(other);
        const edit = planEdit(await listRows(other), before, text);
        const sent = edit.send(killed.facts).catch(() => undefined);
        // Another slice each time.
        const delayMs = 30 + 17 * (round % 9);
        await Promise.race([sent, wait(delayMs)]);
        await wait(delayMs / 2);
        await killed.stop("SIGKILL");
        const accepted = await sent;
        await other.settle();
        const after = await readTexts(other);
        if (accepted !== undefined) {
          expect(after, what).toEqual(edit.after);
          const state = await send(other, `/mutationStatus/${accepted["requestId"]}`);
          expect(state, what).toEqual({ completed: true });
          // Without an answer, all of it was applied or nothing.
        } else expect([before.size, edit.after.size], what).toContain(after.size);
        const { items } = (await send(other, "/docs")) as { items: { id: string; name: string }[] };
        const copy = items.find(({ name }) => name === text);
        if (copy !== undefined)
          expect(await readTexts(other, ROWS.replace("large", copy.id))).toEqual(after);
      }
    await using later = await start();
    expect(await readTexts(later)).toEqual(await readTexts(other));
  }, 1_800_000);
});
