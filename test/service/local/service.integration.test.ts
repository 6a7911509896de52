import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPackError } from "../../../src/errors.ts";
import { startService } from "../../../src/service/local/service.ts";
import type { Seed } from "../../../src/service/local/store/seed.ts";
import { readSeedFile } from "../../../src/service/local/store/seed-file.ts";
import { OPERATIONS } from "../../../src/service.ts";
import { onEachDatabase, startTestService } from "../support.ts";

const SEED: Seed = {
  users: [
    { name: "Owner", email: "owner@service.example" },
    { name: "Editor", email: "editor@service.example", role: "Editor" },
    { name: "Stranger", email: "stranger@service.example" },
  ],
  tokens: [
    { token: "editor", user: "editor@service.example" },
    { token: "stranger", user: "stranger@service.example" },
    { token: "reader", scopes: ["read"] },
    { token: "writer", scopes: ["write"] },
    { token: "one-table", docId: "docOne", tableId: "grid-one" },
  ],
  docs: [
    {
      id: "docOne",
      title: "One",
      permissions: [{ email: "editor@service.example", access: "comment" }],
      tables: [
        { id: "grid-one", name: "a/b", columns: [{ name: "Name" }], rows: [{ Name: "grid-one" }] },
        { id: "grid-two", name: "Two", columns: [{ name: "Name" }] },
      ],
    },
    { id: "docTwo", title: "Two" },
  ],
};

onEachDatabase("the local service", (startTestService) => {
  // docs/rules.md: service 90
  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer a b",
    "Basic abc",
    "Bearer unknown",
    `Bearer ${"a".repeat(9_000)}`,
  ])("a request with the Authorization %s is 401 with one body", async (authorization) => {
    await using test = await startTestService();
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization };
    expect(await test.send("/whoami", { token: "", headers })).toMatchObject({
      status: 401,
      body: { statusCode: 401, statusMessage: "Unauthorized", message: "Unauthorized" },
    });
  });

  // docs/rules.md: service 83
  it("a document that is not shared is 404, and a token that is too weak or for something else gets 403", async () => {
    await using test = await startTestService({ seed: SEED });
    const status = async (path: string, token: string, method = "GET") =>
      (
        await test.send(path, {
          token,
          method,
          ...(method === "POST" ? { body: '{"rows":[]}' } : {}),
        })
      ).status;
    const rows = "/docs/docOne/tables/grid-one/rows";
    expect(await status("/docs/docOne", "stranger")).toBe(404);
    expect(await status("/docs/docOne", "editor")).toBe(200);
    expect(await status(rows, "editor", "POST")).toBe(403);
    expect(await status(rows, "reader")).toBe(200);
    expect(await status(rows, "reader", "POST")).toBe(403);
    expect(await status(rows, "writer", "POST")).toBe(202);
    expect(await status(rows, "writer")).toBe(403);
    expect(await status("/whoami", "writer")).toBe(200);
    expect(await status(rows, "one-table")).toBe(200);
    expect(await status("/docs/docOne/tables/grid-two/rows", "one-table")).toBe(403);
    expect(await status("/docs/docTwo", "one-table")).toBe(403);
    expect((await test.send("/docs", { token: "one-table" })).body["items"]).toHaveLength(1);
  });

  // docs/rules.md: service 82
  it("an Editor may not create a doc", async () => {
    await using test = await startTestService({ seed: SEED });
    expect((await test.send("/docs", { token: "editor", method: "POST" })).status).toBe(403);
  });

  it("refuses to create a doc in a time zone that does not exist", async () => {
    await using test = await startTestService();
    await expect(test.client.docs.create({ timezone: "No/Where" })).rejects.toMatchObject({
      status: 400,
    });
    expect(await test.client.docs.create()).toMatchObject({
      name: "Untitled",
      owner: "first.owner@service.example",
    });
  });

  // docs/rules.md: service 81
  it("a copy has a new id, and the same ids inside", async () => {
    await using test = await startTestService();
    const { docId } = test.service;
    const copy = await test.client.docs.create({ title: "Copy", sourceDoc: docId });
    expect(copy).toMatchObject({ type: "doc", name: "Copy", sourceDoc: { id: docId } });
    const ids = async (id: string) =>
      (await test.client.doc(id).table("Tasks").rows.list().all({ max: 99 })).map((row) => row.id);
    expect(await ids(copy.id)).toEqual(await ids(docId));
    expect(await test.client.waitFor(copy, { timeoutMs: 5_000 })).toEqual({
      requestId: copy.requestId,
      completed: true,
    });
  });

  // docs/rules.md: service 18, 20, 24
  it("an id wins over a name, and a name may hold a slash", async () => {
    await using test = await startTestService({ seed: SEED });
    expect(await test.client.doc("docOne").table("a/b").get()).toMatchObject({
      id: "grid-one",
      rowCount: 1,
      name: "a/b",
    });
    expect((await test.client.doc("docOne").table("a/b").rows.get("grid-one")).name).toBe(
      "grid-one",
    );
    await expect(test.client.doc("One").get()).rejects.toMatchObject({ status: 404 });
  });

  // docs/rules.md: service 111
  it("an unknown route and a wrong method are 404 with the error body", async () => {
    await using test = await startTestService();
    for (const init of [
      { path: "/nothing" },
      { path: "/whoami", method: "POST" },
      { path: "/../.." },
      { path: "/DOCS" },
    ]) {
      expect(await test.send(init.path, { method: init.method ?? "GET" })).toMatchObject({
        status: 404,
        body: { statusCode: 404, statusMessage: "Not Found", message: "Not Found" },
      });
    }
    expect((await test.send("/docs/%zz")).status).toBe(400);
  });

  it("every operation of the contract is routed: none is 404 for its path alone", async () => {
    await using test = await startTestService();
    for (const [id, { method, path }] of Object.entries(OPERATIONS)) {
      const url = path.replace("{docId}", test.service.docId).replace(/\{\w+\}/g, "x");
      const { status, body } = await test.send(url, { method });
      expect(body["message"], id).not.toBe("Not Found");
      expect(status, id).not.toBe(500);
    }
  });

  // docs/rules.md: service 113, 114
  it("no response may be stored, and every response has an id", async () => {
    await using test = await startTestService();
    const response = await fetch(`${test.service.url}/whoami`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(test.service.requests.at(-1)).toMatchObject({
      method: "GET",
      path: "/apis/v1/whoami",
      status: 401,
    });
  });

  it("asks the authorization server about every token that is not its own, each time", async () => {
    await using test = await startTestService();
    let active = true;
    const seen: string[] = [];
    await using server = await serve((authorization, body) => {
      seen.push(`${authorization} ${body}`);
      return JSON.stringify({ active, scope: "docs:read", username: "First Editor" });
    });
    test.service.acceptTokensFrom({ url: server.url, clientId: "rs", clientSecret: "a+b" });
    const whoami = () => test.send("/whoami", { token: "issued" });
    expect((await whoami()).body).toMatchObject({
      name: "First Editor",
      loginId: "first.owner@service.example",
      scoped: true,
    });
    expect(
      (
        await test.send(`/docs/${test.service.docId}/tables/Tasks/rows`, {
          token: "issued",
          method: "POST",
          body: "{}",
        })
      ).status,
    ).toBe(403);
    active = false;
    expect((await whoami()).status).toBe(401);
    expect(seen).toHaveLength(3);
    expect(seen[0]).toBe(
      `Basic ${Buffer.from("rs:a%2Bb").toString("base64")} token=issued&token_type_hint=access_token`,
    );
  });

  it.each(["no json", "null", `"${"x".repeat(70_000)}"`])(
    "answers 503 when the introspection endpoint answers %.9s",
    async (answer) => {
      await using test = await startTestService();
      await using server = await serve(() => answer);
      test.service.acceptTokensFrom({ url: server.url, clientId: "rs", clientSecret: "s" });
      expect((await test.send("/whoami", { token: "issued" })).status).toBe(503);
    },
  );

  it("fails with PORT_IN_USE when the port is taken", async () => {
    await using test = await startTestService();
    const port = Number(new URL(test.service.url).port);
    await expect(startService({ port })).rejects.toMatchObject({
      code: "PORT_IN_USE",
      details: { port },
    });
  });

  it("keeps documents and page tokens in a database file", async () => {
    const directory = await mkdtemp(join(tmpdir(), "packsmith-service-"));
    const database = join(directory, "service.db");
    let pageToken: string | undefined;
    {
      await using test = await startTestService({ database });
      const { rows } = test.client.doc(test.service.docId).table("Tasks");
      await rows.insert({ rows: [{ Title: "Kept" }] });
      pageToken = (await rows.list({ limit: 24 })).nextPageToken;
    }
    {
      await using test = await startTestService({ database });
      const { items } = await test.client
        .doc(test.service.docId)
        .table("Tasks")
        .rows.list({ pageToken });
      expect(items.map(({ name }) => name)).toEqual(["Kept"]);
    }
    await rm(directory, { recursive: true });
  });
});

describe("the control plane", () => {
  it("resets, seeds, moves the clock, completes edits and lists requests", async () => {
    await using test = await startTestService({ mutationDelayMs: 60_000 });
    const { controlUrl, docId } = test.service;
    const post = async (path: string, body: unknown = {}) => {
      const response = await fetch(controlUrl + path, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as { nowMs: number } };
    };
    const { rows } = test.client.doc(docId).table("Tasks");
    const { requestId } = await rows.insert({ rows: [{ Title: "x" }] });
    expect(await listItems(`${controlUrl}/mutations`)).toMatchObject([
      { requestId, completedAtMs: null },
    ]);
    await post("/mutations/complete");
    expect(await rows.list().all({ max: 99 })).toHaveLength(25);
    await post("/reset");
    expect(await rows.list().all({ max: 99 })).toHaveLength(24);
    const before = test.service.clock.now();
    expect((await post("/clock", { advanceMs: 3_600_000 })).body.nowMs).toBeGreaterThanOrEqual(
      before + 3_600_000,
    );
    for (const change of [{ back: 1 }, { nowMs: 1e300 }, { advanceMs: -1e15 }])
      expect((await post("/clock", change)).status).toBe(400);
    expect((await post("/seed", { docs: [] })).status).toBe(400);
    expect((await post("/seed", SEED)).status).toBe(200);
    expect((await test.client.docs.list()).items.map(({ id }) => id).sort()).toEqual([
      "docOne",
      "docTwo",
    ]);
    expect((await post("/nothing")).status).toBe(501);
    expect((await listItems(`${controlUrl}/requests`)).length).toBeGreaterThan(3);
  });

  it.each(["", "/wrong-key"])(
    "is closed to programs that do not know the key of this start (%j)",
    async (key) => {
      await using test = await startTestService();
      const { origin } = new URL(test.service.url);
      expect((await fetch(`${origin}/__emulator${key}/reset`, { method: "POST" })).status).toBe(
        403,
      );
      expect((await fetch(`${origin}/__emulator${key}/state`)).status).toBe(403);
      // The journal does not have the key.
      await fetch(`${test.service.controlUrl}/clock`);
      expect(JSON.stringify(test.service.requests)).not.toContain(
        test.service.controlUrl.split("/").at(-1),
      );
    },
  );

  it("is closed to web pages", async () => {
    await using test = await startTestService();
    for (const headers of [
      { Origin: "https://page.example" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      expect(
        (await fetch(`${test.service.controlUrl}/reset`, { method: "POST", headers })).status,
      ).toBe(403);
    }
  });
});

// docs/rules.md: rule 4
describe("the service answers for its own host only", () => {
  const statusWith = (port: string, host: string, path = "/apis/v1/whoami") =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once("error", reject);
    });

  it.each([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1.nip.io:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
  ])("%s gets 421", async (host) => {
    await using test = await startTestService();
    const { port } = new URL(test.service.url);
    expect(await statusWith(port, host.replace("PORT", port))).toBe(421);
    expect(await statusWith(port, host.replace("PORT", port), "/openapi.json")).toBe(421);
  });

  it("its loopback names and the host of --public-url are answered", async () => {
    await using test = await startTestService({ publicUrl: "https://docs.service.example" });
    const { port } = new URL(test.service.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "docs.service.example"])
      expect(await statusWith(port, host)).toBe(401);
  });
});

describe("a seed", () => {
  it("fails with SEED_INVALID and every problem", async () => {
    const bad = {
      users: [{ name: "A", email: "a@service.example" }],
      tokens: [{ token: "t", user: "nobody" }],
      docs: [
        {
          title: "D",
          owner: "nobody",
          tables: [
            {
              name: "T",
              columns: [{ name: "C", type: "lookup", table: "None" }],
              rows: [{ X: 1 }],
            },
          ],
        },
      ],
    } as Seed;
    const error = await startService({ seed: bad }).catch((caught: unknown) => caught);
    expect(isPackError(error, "SEED_INVALID") && error.details.problems).toEqual([
      "tokens[0].user: is not the email of a user",
      "docs[0].owner: is not the email of a user",
      "docs[0].tables[0].columns[0].table: is not the name of a base table",
      'docs[0].tables[0].rows[0]: there is no column "X"',
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["another shape", '{"docs":1,"more":true}'],
    ["nothing", ""],
  ])("from a file with %s is SEED_INVALID", async (_, text) => {
    const directory = await mkdtemp(join(tmpdir(), "packsmith-seed-"));
    const file = join(directory, "seed.json");
    await writeFile(file, text);
    await expect(readSeedFile(file)).rejects.toMatchObject({
      code: "SEED_INVALID",
      details: { file },
    });
    await expect(readSeedFile(join(directory, "none.json"))).rejects.toMatchObject({
      code: "SEED_INVALID",
    });
    await rm(directory, { recursive: true });
  });
});

async function listItems(url: string): Promise<unknown[]> {
  return ((await (await fetch(url)).json()) as { items: unknown[] }).items;
}

async function serve(answer: (authorization: string | undefined, body: string) => string) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    response.end(answer(request.headers.authorization, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
