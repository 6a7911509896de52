import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PackError } from "../../../src/errors.ts";
import type { ActionRunner } from "../../../src/service/local/edits/edit.ts";
import { type LocalService, startService } from "../../../src/service/local/service.ts";
import { isLong } from "../../support/breadth.ts";
import { startCliServer } from "../../support/cli.ts";
import { hasPostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const TOKEN = "shared-token";
/** `PACKSMITH_TEST_KILLS=200` looks longer. */
const KILLS = Number(process.env["PACKSMITH_TEST_KILLS"] ?? 3);
const SEED = {
  users: [{ name: "Owner", email: "owner@service.example" }],
  tokens: [{ token: TOKEN }],
  docs: ["docA", "docB"].map((id) => ({
    id,
    title: id,
    tables: [
      {
        id: "grid-one",
        name: "T",
        columns: [
          { id: "c-key", name: "Key" },
          { id: "c-by", name: "By" },
        ],
      },
    ],
  })),
};

type Url = Pick<LocalService, "url">;

async function insert(
  { url }: Url,
  docId: string,
  cells: Record<string, string>,
  keyColumns: string[] = [],
): Promise<string> {
  const rows = [{ cells: Object.entries(cells).map(([column, value]) => ({ column, value })) }];
  const response = await fetch(`${url}/docs/${docId}/tables/grid-one/rows`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ rows, keyColumns }),
  });
  const body = (await response.json()) as { requestId: string; message?: string };
  if (response.status !== 202) throw new Error(`${response.status} ${body.message}`);
  return body.requestId;
}

async function listRows({ url }: Url, docId: string) {
  const rows: { index: number; values: { Key: string; By: string } }[] = [];
  let next: string | undefined =
    `${url}/docs/${docId}/tables/grid-one/rows?limit=500&useColumnNames=true`;
  while (next !== undefined) {
    const response = await fetch(next, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const page = (await response.json()) as { items: typeof rows; nextPageLink?: string };
    rows.push(...page.items);
    next = page.nextPageLink;
  }
  // Of rows that were created in one millisecond by different services the ids decide (decision
  // 33); the index is the truth.
  const items = rows.toSorted((one, other) => one.index - other.index);
  expect(items.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  return items.map(({ values }) => values);
}

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

describe.each(PLACES)("several services on %s", (engine, makePlace) => {
  it("serve one truth: no row is lost or doubled, and those of each writer stay in order", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED, mutationDelayMs: 5 };
    await using one = await startService(options);
    await using two = await startService(options);
    const keys = Array.from({ length: 25 }, (_, at) => `k${at}`);
    const write = async (service: LocalService, docId: string, By: string) => {
      for (const Key of keys) await insert(service, docId, { Key, By });
    };
    await Promise.all([
      write(one, "docA", "one"),
      write(two, "docA", "two"),
      write(one, "docB", "one"),
      write(two, "docB", "two"),
    ]);
    await one.settle();
    for (const docId of ["docA", "docB"]) {
      const rows = await listRows(two, docId);
      expect(await listRows(one, docId)).toEqual(rows);
      for (const by of ["one", "two"])
        expect(rows.filter(({ By }) => By === by).map(({ Key }) => Key)).toEqual(keys);
    }
  });

  it("have one token and one key for secrets, also after a restart", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED };
    const [one, two] = await Promise.all([startService(options), startService(options)]);
    const send = async ({ url }: Url, path: string, method: string, body?: object) => {
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${one.token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    expect(two.token).toBe(one.token);
    const { packId } = await send(one, "/packs", "POST", { name: "Shared" });
    await send(one, `/packs/${packId}/oauthConfig`, "PUT", {
      clientId: "client",
      clientSecret: "secret-0123456789",
    });
    await one.close();
    await two.close();
    await using three = await startService(options);
    expect(three.token).toBe(one.token);
    expect(await send(three, `/packs/${packId}/oauthConfig`, "GET")).toMatchObject({
      maskedClientSecret: expect.stringMatching(/6789$/),
    });
  });

  it.runIf(engine === "PostgreSQL")("allow as many requests together as one of them", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED, rateLimits: {}, now: () => 0 };
    await using one = await startService(options);
    await using two = await startService(options);
    const list = async ({ url }: Url) =>
      (await fetch(`${url}/docs`, { headers: { Authorization: `Bearer ${TOKEN}` } })).status;
    // Four requests may list the documents in six seconds.
    const statuses = await Promise.all([one, two, one, two, one, two].map(list));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
    one.clock.advance(6_000);
    two.clock.advance(6_000);
    expect([await list(one), await list(two)]).toEqual([200, 200]);
  });

  it.runIf(engine === "PostgreSQL")("are told different things one after the other", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED };
    await using one = await startService(options);
    await using two = await startService(options);
    const tell = async ({ controlUrl }: LocalService, path: string, body: object) => {
      const init = { method: "POST", body: JSON.stringify(body) };
      return (await (await fetch(`${controlUrl}/${path}`, init)).json()) as { nowMs: number };
    };
    await tell(one, "clock", { freeze: true });
    const { nowMs } = await tell(two, "clock", { advanceMs: 3_600_000 });
    expect(await tell(one, "clock", { advanceMs: 3_600_000 })).toEqual({
      nowMs: nowMs + 3_600_000,
      isFrozen: true,
    });
    await tell(one, "latency", { failedMutation: "stuck" });
    expect(await tell(two, "latency", { latency: { ms: 22 } })).toMatchObject({
      latency: { ms: 22 },
      failedMutation: "stuck",
    });
    await Promise.all(
      [one, two, one, two].map((each) => tell(each, "clock", { advanceMs: 1_000 })),
    );
    expect(await tell(two, "clock", { advanceMs: 0 })).toMatchObject({
      nowMs: nowMs + 3_604_000,
    });
  });

  it.runIf(engine === "PostgreSQL")("follow what one of them is told to do", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED };
    await using one = await startService(options);
    await using two = await startService(options);
    const tell = async (path: string, body: object) => {
      const init = { method: "POST", body: JSON.stringify(body) };
      expect((await fetch(`${one.controlUrl}/${path}`, init)).status).toBe(200);
    };
    const told = async ({ controlUrl }: LocalService) =>
      await Promise.all(
        ["clock", "latency", "mutations", "faults", "rate-limits"].map(
          async (path) => await (await fetch(`${controlUrl}/${path}`)).json(),
        ),
      );
    await tell("clock", { freeze: true });
    await tell("clock", { nowMs: 1_000 });
    await tell("latency", { latency: { polls: 3 }, snapshotLagMs: 5, failedMutation: "stuck" });
    await tell("mutations/hold", { hold: true });
    await tell("faults", { faults: [{ operation: "whoami", status: 503 }] });
    await tell("rate-limits", { limits: { read: { requests: 7, windowMs: 9 } } });
    const set = await told(one);
    expect(set[0]).toEqual({ nowMs: 1_000, isFrozen: true });
    await expect.poll(() => told(two)).toEqual(set);

    await tell("clock", { freeze: false });
    await tell("rate-limits", { off: true });
    await expect.poll(() => two.clock.isFrozen).toBe(false);
    expect(Math.abs(two.clock.now() - one.clock.now())).toBeLessThan(1_000);
    await expect.poll(async () => (await told(two))[4]).toMatchObject({ options: null });
    // What a service was told before this one started was meant for those of that time.
    await using three = await startService(options);
    expect([(await told(three))[3], three.clock.now() > 1_000_000]).toEqual([{ faults: [] }, true]);
  });

  it("two writers of one key make one row", async () => {
    await using place = await makePlace();
    const options = { database: place.database, seed: SEED, mutationDelayMs: 0 };
    await using one = await startService(options);
    await using two = await startService(options);
    const upsert = async (service: LocalService, By: string) => {
      for (let at = 0; at < 20; at++) await insert(service, "docA", { Key: `k${at}`, By }, ["Key"]);
    };
    await Promise.all([upsert(one, "one"), upsert(two, "two")]);
    await one.settle();
    expect((await listRows(two, "docA")).map(({ Key }) => Key).sort()).toEqual(
      Array.from({ length: 20 }, (_, at) => `k${at}`).sort(),
    );
  });

  it("what one accepted another applies, and knows the state of", async () => {
    await using place = await makePlace();
    let nowMs = 1_000;
    const options = {
      database: place.database,
      seed: SEED,
      mutationDelayMs: 60_000,
      now: () => nowMs,
    };
    const one = await startService(options);
    const requestId = await insert(one, "docA", { Key: "kept", By: "one" });
    await one.close();
    await using two = await startService(options);
    const status = async () => {
      const response = await fetch(`${two.url}/mutationStatus/${requestId}`, {
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      return await response.json();
    };
    expect([await status(), await listRows(two, "docA")]).toEqual([{ completed: false }, []]);
    nowMs += 60_000;
    expect([await status(), await listRows(two, "docA")]).toEqual([
      { completed: true },
      [{ Key: "kept", By: "one" }],
    ]);
  });

  it("an action that was running when its service ended is not run again, and is known to be given up", async () => {
    await using place = await makePlace();
    let nowMs = 1_000;
    let calls = 0;
    const button = {
      id: "c-push",
      name: "Push",
      type: "button" as const,
      button: { action: { formula: "Act" } },
    };
    const tables = [
      { id: "grid-one", name: "T", columns: [{ name: "Key" }, button], rows: [{ Key: "a" }] },
    ];
    const options = {
      database: place.database,
      mutationDelayMs: 0,
      now: () => nowMs,
      seed: { ...SEED, docs: [{ id: "docA", title: "A", tables }] },
      actions: () => new Promise<void>(() => void calls++),
    };
    const ask = async ({ url }: Url, path: string, method = "GET") => {
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      return (await response.json()) as { requestId: string; completed: boolean; warning?: string };
    };
    const one = await startService(options);
    const { requestId } = await ask(one, "/docs/docA/tables/grid-one/rows/a/buttons/Push", "POST");
    expect(await ask(one, `/mutationStatus/${requestId}`)).toEqual({ completed: false });
    await one.close();
    await using two = await startService(options);
    expect(await ask(two, `/mutationStatus/${requestId}`)).toEqual({ completed: false });
    nowMs += 60_000;
    await expect
      .poll(() => ask(two, `/mutationStatus/${requestId}`))
      .toMatchObject({
        completed: true,
        warning: expect.stringContaining("stopped before the action"),
      });
    expect(calls).toBe(1);
  });

  it("an action is run by the process that has its Pack, and waits for one", async () => {
    await using place = await makePlace();
    const button = {
      name: "Push",
      type: "button" as const,
      button: { action: { formula: "Act" } },
    };
    const tables = [
      { id: "grid-one", name: "T", columns: [{ name: "Key" }, button], rows: [{ Key: "a" }] },
    ];
    const calls: string[] = [];
    const start = (actions?: ActionRunner) =>
      startService({
        database: place.database,
        mutationDelayMs: 0,
        seed: { ...SEED, docs: [{ id: "docA", title: "A", tables }] },
        actions,
      });
    const ask = async ({ url }: Url, path: string, method = "GET") => {
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      return (await response.json()) as { requestId: string; completed: boolean };
    };
    const push = async (service: Url) =>
      (await ask(service, "/docs/docA/tables/grid-one/rows/a/buttons/Push", "POST")).requestId;
    await using without = await start();
    await using other = await start(async () => {
      throw new PackError("FORMULA_UNKNOWN", "There is no action Act.", {
        details: { name: "Act", known: [] },
      });
    });
    const pushed = [await push(without), await push(other)];
    const states = () =>
      Promise.all(pushed.map((requestId) => ask(other, `/mutationStatus/${requestId}`)));
    expect(await states()).toEqual([{ completed: false }, { completed: false }]);
    await using _having = await start(async ({ formula }) => void calls.push(formula));
    await expect
      .poll(states, { timeout: 30_000 })
      .toEqual([{ completed: true }, { completed: true }]);
    expect(calls).toEqual(["Act", "Act"]);
  });

  it.runIf(isLong)(
    "a kill in the middle of a burst: every accepted edit is applied once and in order",
    async () => {
      await using place = await makePlace();
      using folder = makeTemporaryFolder();
      const seed = join(folder.path, "seed.json");
      await writeFile(seed, JSON.stringify(SEED));
      const accepted: Record<string, string[]> = { docA: [], docB: [] };
      const sent: Record<string, string[]> = { docA: [], docB: [] };
      for (let round = 0; round < KILLS; round++) {
        const server = await startCliServer<Url>([
          "service",
          "--port",
          "0",
          "--database",
          place.database,
          "--seed",
          seed,
        ]);
        let left = 30;
        const burst = async (docId: string) => {
          for (;;) {
            const Key = randomUUID();
            sent[docId]?.push(Key);
            await insert(server.facts, docId, { Key, By: "burst" });
            accepted[docId]?.push(Key);
            if (--left === 0) await server.stop("SIGKILL");
          }
        };
        await Promise.allSettled([burst("docA"), burst("docB")]);
        await server[Symbol.asyncDispose]();
      }
      await using service = await startService({ database: place.database, seed: SEED });
      await service.settle();
      for (const docId of ["docA", "docB"]) {
        const keys = (await listRows(service, docId)).map(({ Key }) => Key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.filter((key) => accepted[docId]?.includes(key))).toEqual(accepted[docId]);
        // An edit whose answer was lost may have been accepted: it has its place, too.
        expect(keys).toEqual(sent[docId]?.filter((key) => keys.includes(key)));
      }
    },
    1_800_000,
  );
});
