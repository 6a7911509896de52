import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createServiceClient,
  type RowCells,
  type ServiceRequest,
  type ServiceResponse,
  type Transport,
  writeRows,
} from "../../../src/service.ts";
import { isLong } from "../../support/breadth.ts";
import { startTestService } from "../support.ts";
import { createClient, createTimer, ok, refusal } from "./scripted.ts";

const target = { docId: "d", tableIdOrName: "t" };
const createRows = (count: number, value = "x"): RowCells[] =>
  Array.from({ length: count }, (_, at) => ({ Name: `${at}`, Value: value }));

/** A service that accepts inserts, except where `refuse` answers something else. */
function accepting(
  refuse: (
    rows: { cells: { value: unknown }[] }[],
    request: number,
  ) => ServiceResponse | Error | undefined = () => undefined,
) {
  const batches: number[] = [];
  const asked: string[] = [];
  let requests = 0;
  const transport: Transport = {
    timer: createTimer(),
    async send({ operation, url, body }: ServiceRequest) {
      if (operation === "getMutationStatus") {
        asked.push(url.split("/").at(-1) ?? "");
        return ok({ completed: true });
      }
      const { rows, keyColumns } = JSON.parse(body ?? "") as {
        rows: { cells: { value: unknown }[] }[];
        keyColumns?: string[];
      };
      const refusal = refuse(rows, ++requests);
      if (refusal instanceof Error) throw refusal;
      if (refusal !== undefined) return refusal;
      batches.push(rows.length);
      const addedRowIds = rows.map((_, at) => `i-${batches.length}-${at}`);
      return ok({
        requestId: `r${batches.length}`,
        ...(keyColumns === undefined ? { addedRowIds } : {}),
      });
    },
  };
  return { client: createClient(transport), batches, asked };
}

/** What a cell may hold, with all that JSON has to escape. */
const cellValue = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      " ",
      '"',
      "\\",
      "/",
      "\n",
      "\u0000",
      "\u007f",
      "\u2028",
      "é",
      "\ud800",
      "😀",
    ),
  }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { maxLength: 2 })), {
    maxLength: 3,
  }),
);

describe("writing many rows", () => {
  it("sends what JSON makes of the rows, whatever their names and texts are", async () => {
    const rows = fc.array(
      fc.dictionary(
        fc.oneof(fc.string(), fc.constant('a "column"')),
        fc.option(cellValue, { nil: undefined }),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(undefined, ["Name"] as const),
        async (written, key) => {
          const sent: (string | undefined)[] = [];
          const transport: Transport = {
            timer: createTimer(),
            async send({ operation, body }) {
              if (operation === "upsertRows") sent.push(body);
              return ok(operation === "upsertRows" ? { requestId: "r" } : { completed: true });
            },
          };
          await writeRows(createClient(transport), { ...target, rows: written, key });
          const edits = written.map((row) => ({
            cells: Object.keys(row)
              .filter((column) => row[column] !== undefined)
              .map((column) => ({ column, value: row[column] })),
          }));
          expect(sent).toEqual([JSON.stringify({ rows: edits, keyColumns: key })]);
        },
      ),
    );
  });

  it("gives a client that is wrapped a body that can be read and copied", async () => {
    const { client, batches } = accepting();
    const bodies: unknown[] = [];
    const call = ((operation: "upsertRows", options: { body: object }) => {
      if (operation !== "upsertRows") return client.call(operation, options as never);
      bodies.push(options.body);
      return client.call(operation, { ...options, body: { ...options.body } } as never);
    }) as typeof client.call;
    const { counts } = await writeRows(
      { call, transport: client.transport },
      { ...target, rows: createRows(2) },
    );
    expect(counts.applied).toBe(2);
    expect(batches).toEqual([2]);
    expect(bodies).toEqual([
      {
        rows: ["0", "1"].map((name) => ({
          cells: [
            { column: "Name", value: name },
            { column: "Value", value: "x" },
          ],
        })),
        keyColumns: undefined,
      },
    ]);
  });

  it("sends 100 rows at a time, waits for the last edit and asks for the others once", async () => {
    const { client, batches, asked } = accepting();
    const report = await writeRows(client, { ...target, rows: createRows(250) });
    expect(batches).toEqual([100, 100, 50]);
    expect(asked).toEqual(["r3", "r2", "r1"]);
    expect(report.counts).toEqual({
      applied: 250,
      accepted: 0,
      unknown: 0,
      refused: 0,
      notAttempted: 0,
    });
    expect(report.outcomes[101]).toEqual({ state: "applied", requestId: "r2", rowId: "i-2-1" });
  });

  it("asks for the states of several edits at a time, once the last one is applied", async () => {
    const { client } = accepting();
    const { transport } = client;
    const asking = { now: 0, most: 0, first: 0 };
    const slow: Transport = {
      ...transport,
      async send(request) {
        if (request.operation !== "getMutationStatus") return await transport.send(request);
        asking.most = Math.max(asking.most, ++asking.now);
        if (asking.first++ === 0) expect(asking.now).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        asking.now--;
        return await transport.send(request);
      },
    };
    const { counts } = await writeRows(createClient(slow), { ...target, rows: createRows(2_000) });
    expect(counts.applied).toBe(2_000);
    expect(asking.most).toBe(4);
  });

  it("keeps a request below 1.5 MB", async () => {
    const { client, batches } = accepting();
    await writeRows(client, { ...target, rows: createRows(60, "é".repeat(30_000)), wait: false });
    expect(batches).toEqual([24, 24, 12]);
  });

  it("takes rows as they come, and holds two batches of them", async () => {
    let given = 0;
    let sent = 0;
    const { client } = accepting((rows) => {
      expect(given - sent).toBeLessThanOrEqual(201);
      sent += rows.length;
      return undefined;
    });
    async function* source() {
      for (; given < 1_000; ) {
        given++;
        yield { Name: "x" };
      }
    }
    const { counts } = await writeRows(client, { ...target, rows: source(), wait: false });
    expect(counts.accepted).toBe(1_000);
  });

  it("halves what the service finds too large, down to the row that is", async () => {
    const { client, batches } = accepting((rows) =>
      rows.some(({ cells }) => cells[0]?.value === "7")
        ? rows.length === 1
          ? refusal(400, "Row edit of size 131 KB exceeds maximum size of 85 KB.")
          : refusal(400, "request entity too large")
        : undefined,
    );
    const { counts, outcomes } = await writeRows(client, { ...target, rows: createRows(20) });
    expect(counts).toMatchObject({ applied: 19, refused: 1 });
    expect(outcomes[7]).toMatchObject({ state: "refused", error: { name: "InvalidRequestError" } });
    expect(batches.reduce((one, other) => one + other)).toBe(19);
  });

  it.each<[string, RowCells]>([
    ["over 85 KB", { Name: "x".repeat(85 * 1_024 + 1) }],
    ["over 85 KB, as line breaks count twice", { Name: "\n".repeat(43 * 1_024 + 1) }],
    ["with a null", { Name: null as never }],
    ["with no number", { Name: Number.NaN }],
    ["with an object", { Name: { a: 1 } as never }],
    ["with lists nested too deep", { Name: [[["x"]]] as never }],
  ])("refuses a row %s by itself, without sending it", async (_, bad) => {
    const { client, batches } = accepting();
    const { outcomes } = await writeRows(client, {
      ...target,
      rows: [{ Name: "a" }, bad, { Name: "b" }],
    });
    expect(outcomes.map(({ state }) => state)).toEqual(["applied", "refused", "applied"]);
    expect(batches).toEqual([1, 1]);
  });

  it("says how large a row is that it refuses", async () => {
    const { client } = accepting();
    const rows = [{ Name: "x".repeat(86 * 1_024) }];
    const { outcomes } = await writeRows(client, { ...target, rows });
    expect(outcomes[0]).toMatchObject({
      error: { message: expect.stringContaining("The row has 86 KB.") },
    });
  });

  it("a wrong batch does not stop the others", async () => {
    const { client } = accepting((_, request) =>
      request === 1 ? refusal(400, "Wrong.") : undefined,
    );
    const { counts, stoppedBy } = await writeRows(client, { ...target, rows: createRows(150) });
    expect(counts).toMatchObject({ refused: 100, applied: 50 });
    expect(stoppedBy).toBeUndefined();
  });

  it("stops when nothing can be written, and tells what was refused and what was not attempted", async () => {
    const { client } = accepting((_, request) => (request === 2 ? refusal(403) : undefined));
    const { counts, stoppedBy } = await writeRows(client, { ...target, rows: createRows(350) });
    expect(counts).toMatchObject({ applied: 100, refused: 100, notAttempted: 150 });
    expect(stoppedBy).toMatchObject({ name: "ForbiddenError" });
  });

  // docs/rules.md: service 58
  it("does not send a plain insert again when it is unknown whether it arrived", async () => {
    const { client } = accepting((_, request) =>
      request === 2 ? new Error("socket hang up") : undefined,
    );
    const { counts, stoppedBy } = await writeRows(client, { ...target, rows: createRows(250) });
    expect(counts).toMatchObject({ applied: 100, unknown: 100, notAttempted: 50 });
    expect(stoppedBy).toMatchObject({ name: "ConnectionError", executed: "unknown" });
  });

  it("resumes an insert with the rows that were certainly not written", async () => {
    const names: unknown[] = [];
    const { client } = accepting((rows, request) => {
      names.push(...rows.map(({ cells }) => cells[0]?.value));
      return request === 2 ? new Error("socket hang up") : undefined;
    });
    const rows = createRows(250);
    const first = await writeRows(client, { ...target, rows });
    names.length = 0;
    const again = await writeRows(client, { ...target, rows, resume: first });
    expect(names).toEqual(rows.slice(200).map(({ Name }) => Name));
    expect(again.counts).toMatchObject({ applied: 150, unknown: 100, notAttempted: 0 });
    expect(again.outcomes.slice(0, 200)).toEqual(first.outcomes.slice(0, 200));
    expect(again.outcomes[200]).toMatchObject({ state: "applied", rowId: "i-2-0" });
  });

  it("resumes an upsert with the rows whose outcome is unknown as well", async () => {
    const { client } = accepting((_, request) => (request === 2 ? refusal(503) : undefined));
    const edit = { ...target, rows: createRows(250), key: ["Name"] as const };
    const first = await writeRows(client, edit);
    expect(first.counts).toMatchObject({ applied: 100, unknown: 100, notAttempted: 50 });
    const again = await writeRows(client, { ...edit, resume: first });
    expect(again.counts).toMatchObject({ applied: 250 });
  });

  it("does not repeat a wrong row when it resumes, but one that a limit had refused", async () => {
    const refusals = [refusal(400, "Wrong."), refusal(403)];
    const { client, batches } = accepting(() => refusals.shift());
    const rows = createRows(4);
    const first = await writeRows(client, { ...target, rows, maxRows: 1 });
    expect(first.counts).toMatchObject({ refused: 2, notAttempted: 2 });
    const again = await writeRows(client, { ...target, rows, maxRows: 1, resume: first });
    expect(again.outcomes.map(({ state }) => state)).toEqual([
      "refused",
      "applied",
      "applied",
      "applied",
    ]);
    expect(batches).toEqual([1, 1, 1]);
  });

  it("reports progress with the number of all rows, where the rows are an array", async () => {
    const { client } = accepting();
    const seen: unknown[] = [];
    const onProgress = (...progress: unknown[]) => seen.push(progress);
    await writeRows(client, { ...target, rows: createRows(150), onProgress });
    await writeRows(client, { ...target, rows: createRows(2).values(), onProgress });
    expect(seen).toEqual([
      [100, 150],
      [150, 150],
      [2, undefined],
    ]);
  });

  it("calls what was accepted and not confirmed unknown", async () => {
    const { client } = accepting();
    client.transport.timer = undefined;
    const pending = {
      ...client.transport,
      send: async (request: ServiceRequest) =>
        request.operation === "getMutationStatus"
          ? ok({ completed: false })
          : client.transport.send(request),
    };
    const { counts, outcomes } = await writeRows(createClient(pending), {
      ...target,
      rows: createRows(2),
    });
    expect(counts.unknown).toBe(2);
    expect(outcomes[0]).toEqual({ state: "unknown", requestId: "r1", rowId: "i-1-0" });
  });

  it.runIf(isLong)(
    "writes thousands of rows to a running service, and once more by their key without doubles",
    async () => {
      await using test = await startTestService();
      const client = createServiceClient({ baseUrl: test.service.url, token: test.service.token });
      const into = { docId: test.service.docId, tableIdOrName: "Tasks" };
      const rows = Array.from({ length: 1_200 }, (_, at) => ({ Title: `Bulk ${at}` }));
      const before = (await client.doc(into.docId).table("Tasks").get()).rowCount;
      const first = await writeRows(client, { ...into, rows, maxRows: 500 });
      expect(first.counts.applied).toBe(1_200);
      const again = await client
        .doc(into.docId)
        .table("Tasks")
        .writeRows({ rows: rows.slice(0, 100), key: ["Title"] });
      expect(again.counts.applied).toBe(100);
      expect((await client.doc(into.docId).table("Tasks").get()).rowCount).toBe(before + 1_200);
      const [outcome] = first.outcomes;
      const { name } = await client
        .doc(into.docId)
        .table("Tasks")
        .rows.get((outcome as { rowId: string }).rowId);
      expect(name).toBe("Bulk 0");
    },
  );
});
