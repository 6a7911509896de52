import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type PackFetcher, packTransport, writeRows } from "../../../src/service.ts";
import { createClient } from "./scripted.ts";

type Request = Parameters<PackFetcher["fetch"]>[0];
type Answer = { status: number; body?: unknown } | Error;

/** A client inside a Pack whose fetcher gives prepared answers; the last one stays. */
function insidePack(...answers: Answer[]) {
  const requests: Request[] = [];
  const client = createClient(
    packTransport({
      async fetch(request) {
        requests.push(request);
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer instanceof Error || answer === undefined) throw answer ?? new Error("none");
        return answer;
      },
    }),
  );
  return { client, requests };
}

const ok = (body: unknown) => ({ status: 200, body });
const statusCodeError = (statusCode: number, body: unknown) =>
  Object.assign(new Error(`${statusCode}`), { name: "StatusCodeError", statusCode, body });

describe("the client inside a Pack", () => {
  // docs/rules.md: Pack rule 1
  it("no module of it names an API of Node or the Web, except the transport that uses fetch", () => {
    const folder = new URL("../../../src/service/client/", import.meta.url);
    const naming = readdirSync(folder).filter((file) => {
      const code = readFileSync(new URL(file, folder), "utf8")
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
        .replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, "");
      return /\b(?:setTimeout|setImmediate|globalThis|AbortController|AbortSignal|TextDecoder|TextEncoder|URLSearchParams|new URL|crypto|Buffer|process)\b/.test(
        code,
      );
    });
    expect(naming.sort()).toEqual(["fetch-transport.ts", "resilient-send.ts"]);
  });

  // docs/rules.md: Pack rule 2
  it("what is polled and what is read after a write never comes out of the cache; other reads may", async () => {
    const { client, requests } = insidePack(
      ok({ items: [], requestId: "r", completed: true, id: "e", href: "h" }),
    );
    const { rows } = client.doc("d").table("t");
    await rows.list();
    await rows.get("r", { cacheTtlSecs: 60 });
    await client.mutationStatus("r");
    await client.doc("d").page("p").exportStatus("e");
    await rows.insert({ rows: [] });
    await rows.list();
    await rows.list({ cacheTtlSecs: 5 });
    expect(requests.map(({ cacheTtlSecs }) => cacheTtlSecs)).toEqual([
      undefined,
      60,
      0,
      0,
      undefined,
      0,
      5,
    ]);
  });

  // docs/rules.md: Pack rule 3
  it("a rate limit is not waited out a second time, because the fetcher has done so", async () => {
    const { client, requests } = insidePack(statusCodeError(429, { message: "Too Many Requests" }));
    await expect(client.whoami()).rejects.toMatchObject({
      name: "RateLimitError",
      message: "Too Many Requests",
    });
    expect(requests).toHaveLength(1);
  });

  // docs/rules.md: Pack rule 4
  it("a refused request becomes an error of the client, except a 401, which the platform has to see", async () => {
    await expect(
      insidePack(statusCodeError(404, '{"message":"Gone away."}')).client.whoami(),
    ).rejects.toMatchObject({
      name: "NotFoundError",
      message: "Gone away.",
      requestId: undefined,
    });
    const unauthorized = statusCodeError(401, {});
    await expect(insidePack(unauthorized).client.whoami()).rejects.toBe(unauthorized);
  });

  // docs/rules.md: Pack rule 5
  it("no credentials are set, and JSON may arrive parsed or as a text", async () => {
    const { client, requests } = insidePack(
      ok('{"name":"Ann"}'),
      ok({ name: "Ann" }),
      ok({ requestId: "r" }),
    );
    expect(await client.whoami()).toEqual(await client.whoami());
    await client.doc("d").table("t").rows.insert({ rows: [] });
    expect(requests.map(({ headers }) => headers)).toEqual([
      undefined,
      undefined,
      { "Content-Type": "application/json" },
    ]);
  });

  // docs/rules.md: Pack rule 6
  it("an edit is asked for a few times and handed back, so that the next execution can go on with it", async () => {
    const { client, requests } = insidePack(statusCodeError(404, {}), ok({ completed: false }));
    const outcome = await client.waitFor("r", { polls: 3 });
    expect(outcome).toEqual({ requestId: "r", completed: false });
    expect(requests).toHaveLength(3);
    await expect(client.waitFor(outcome, { onPending: "throw", polls: 1 })).rejects.toMatchObject({
      name: "MutationPendingError",
    });
    const next = insidePack(ok({ completed: true }));
    expect(await next.client.waitFor(outcome)).toEqual({ requestId: "r", completed: true });
  });

  // docs/rules.md: Pack rule 6
  it("many rows are also written without waiting", async () => {
    const { client } = insidePack(ok({ requestId: "r", addedRowIds: ["i-1"], completed: true }));
    const { counts } = await writeRows(client, {
      docId: "d",
      tableIdOrName: "t",
      rows: [{ Name: "a" }],
    });
    expect(counts.applied).toBe(1);
  });
});

describe("both forms of a response", () => {
  // docs/rules.md: V2
  it("categories are texts, whichever form the service uses", async () => {
    const doc = { id: "d", published: { categories: ["A", { name: "B" }] } };
    const { client } = insidePack(ok({ ...doc, items: [structuredClone(doc)] }));
    expect((await client.doc("d").get()).published?.categories).toEqual(["A", "B"]);
    expect((await client.docs.list()).items[0]?.published?.categories).toEqual(["A", "B"]);
    expect((await insidePack(ok({ id: "d" })).client.docs.get("d")).published).toBeUndefined();
  });

  // docs/rules.md: V3, V5, V7, V8, V9, V10, V11, V12, V13
  it("members that one of them lacks may be missing, and values that were added pass", async () => {
    const page = {
      id: "p",
      contentType: "table",
      image: { type: "image/png" },
      icon: { name: "x", type: "y" },
    };
    expect(await insidePack(ok(page)).client.doc("d").page("p").get()).toEqual(page);
    const table = { id: "t", tableType: "database", viewId: "v", layout: "new" };
    expect(await insidePack(ok(table)).client.doc("d").table("t").get()).toEqual(table);
    const permissions = {
      items: [
        {
          id: "x",
          access: "none",
          principal: { type: "internalAccess", internalAccessType: "support" },
        },
      ],
    };
    expect(await insidePack(ok(permissions)).client.doc("d").sharing.permissions()).toEqual(
      permissions,
    );
  });

  // docs/rules.md: V11, V14, V15
  it("an upsert sends only rows and key columns, publishing sends earnCredit, and whoami asks for nothing more", async () => {
    const { client, requests } = insidePack(ok({ requestId: "r" }));
    await client
      .doc("d")
      .table("t")
      .rows.upsert({ key: ["Name"], rows: [{ Name: "a" }] });
    await client.doc("d").publish({ earnCredit: true });
    await client.whoami();
    expect(requests.map(({ body }) => body)).toEqual([
      '{"rows":[{"cells":[{"column":"Name","value":"a"}]}],"keyColumns":["Name"]}',
      '{"earnCredit":true}',
      undefined,
    ]);
    expect(requests[2]?.url).toBe("https://docs.example/apis/v1/whoami");
  });
});
