import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { RunView } from "../../../src/dev/wire/run.ts";
import { startDevProject } from "../../support/dev.ts";
import { EVERY_PART, oneFormula } from "../../support/dev-pack.ts";

const json = async <Shape = RunView>(answer: Promise<Response>): Promise<Shape> =>
  (await (await answer).json()) as Shape;

describe("runs of the page", () => {
  it("give the value, its schema, the console, and how long it took", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    expect(await json(dev.post("/api/runs", { target: "Greet", args: ["Ada"] }))).toMatchObject({
      state: "ended",
      kind: "value",
      revision: 1,
      value: "Hello, Ada!",
      schema: { type: "string" },
      logs: [
        { level: "log", message: "greeting Ada" },
        { level: "warn", message: "politely" },
      ],
    });
    const book = await json(dev.post("/api/runs", { target: "Book", args: [] }));
    expect(book.schema).toMatchObject({
      type: "object",
      card: { title: "title", subtitle: ["author", "price"], link: "link" },
      properties: { price: { hint: "currency", options: { currencyCode: "EUR" } } },
    });
  });

  it("name the parameter that an argument is wrong for, and the place where the Pack threw", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    expect(
      await json(dev.post("/api/runs", { target: "Books", args: ["many", "5"] })),
    ).toMatchObject({
      state: "ended",
      failure: { code: "ARGUMENT_TYPE", parameter: "pages" },
    });
    const { failure } = await json(dev.post("/api/runs", { target: "Fail", args: [] }));
    expect(failure).toMatchObject({
      code: "FORMULA_FAILED",
      stack: [{ file: "pack.ts", text: expect.stringContaining("pack.ts:") }],
    });
    expect(failure?.frame.some(({ isMark }) => isMark)).toBe(true);
  });

  it("sync a table page by page, and give its rows in slices", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    const first = await json(dev.post("/api/runs", { target: "Books", args: ["3", "10"] }));
    expect(first).toMatchObject({
      state: "paused",
      kind: "rows",
      rowCount: 10,
      pages: 1,
      continuation: '{"page":1}',
    });
    expect(first.columns.map(({ key }) => key).slice(0, 4)).toEqual([
      "title",
      "author",
      "price",
      "isbn",
    ]);
    expect(await json(dev.post(`/api/runs/${first.id}/next`))).toMatchObject({
      state: "paused",
      rowCount: 20,
      pages: 2,
    });
    expect(await json(dev.post(`/api/runs/${first.id}/next`, { toTheEnd: true }))).toMatchObject({
      state: "ended",
      rowCount: 30,
      pages: 3,
    });
    const slice = await json<{ rows: { isbn: string }[] }>(
      dev.get(`/api/runs/${first.id}/rows?from=28&count=10`),
    );
    expect(slice.rows.map(({ isbn }) => isbn)).toEqual(["978-000028", "978-000029"]);
    expect(await json(dev.post(`/api/runs/${first.id}/next`))).toMatchObject({
      failure: { message: "The run has ended." },
    });
  });

  it("write edited rows through the Pack, each with its outcome", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    const { id } = await json(dev.post("/api/runs", { target: "Books", args: ["1", "3"] }));
    const edits = [
      { row: 0, values: { price: 1 } },
      { row: 2, values: { price: -1 } },
    ];
    expect(await json<unknown>(dev.post(`/api/runs/${id}/edit`, { edits }))).toMatchObject([
      { row: 0, ok: true, value: { price: 1, author: "edited" } },
      { row: 2, ok: false, message: "A price is not negative." },
    ]);
    const { rows } = await json<{ rows: unknown[] }>(
      dev.get(`/api/runs/${id}/rows?from=0&count=3`),
    );
    expect(rows).toMatchObject([{ price: 1, author: "edited" }, { price: 10 }, { price: 10.5 }]);
    expect(
      await json(dev.post(`/api/runs/${id}/edit`, { edits: [{ row: 9, values: {} }] })),
    ).toMatchObject({
      failure: { code: "USAGE_INVALID" },
    });
  });

  it("end when the page no longer waits, and the next one finds a sandbox", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    const ended = new Promise<void>((resolve) => {
      dev.server.session.events.listen(
        (event) => event.type === "run" && event.state === "ended" && resolve(),
      );
    });
    const started = new Promise<void>((resolve) => {
      dev.server.session.events.listen(
        (event) => event.type === "run" && event.state === "started" && resolve(),
      );
    });
    const gone = new AbortController();
    const waiting = dev
      .post("/api/runs", { target: "Loop", args: [] }, gone.signal)
      .catch(() => undefined);
    await started;
    gone.abort();
    await Promise.all([waiting, ended]);
    expect(dev.server.session.runs.get("1")?.view()).toMatchObject({
      state: "ended",
      failure: { code: "INTERRUPTED" },
    });
    expect(await json(dev.post("/api/runs", { target: "Greet", args: ["Ada"] }))).toMatchObject({
      value: "Hello, Ada!",
    });
  });

  it("show what was saved last, also when the request comes before the build has ended", async () => {
    await using dev = await startDevProject({ "pack.ts": oneFormula('return "old";') });
    dev.project.write("pack.ts", oneFormula('return "new";'));
    expect(await json(dev.post("/api/runs", { target: "Hello", args: [] }))).toMatchObject({
      value: "new",
    });
  });

  it("cut a result that is too long to be shown, and give a long list in slices", async () => {
    await using dev = await startDevProject({
      "pack.ts": oneFormula('return "x".repeat(400_000);'),
    });
    const { excerpt, value } = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
    expect([excerpt?.length, value]).toEqual([20_000, undefined]);
    const list = 'resultType: "array", items: { type: "number" }';
    dev.project.write(
      "pack.ts",
      oneFormula("return Array.from({ length: 500 }, (_, index) => index);").replace(
        'resultType: "string"',
        list,
      ),
    );
    const run = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
    expect(run).toMatchObject({
      kind: "rows",
      rowCount: 500,
      columns: [{ key: "", label: "Value" }],
    });
    expect(
      await json<{ rows: unknown[] }>(dev.get(`/api/runs/${run.id}/rows?from=498&count=5`)),
    ).toMatchObject({ rows: [498, 499] });
  });

  it("offer choices by what was typed", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    const ask = (search: string) =>
      json<unknown>(
        dev.post("/api/choices", { of: "Greet", parameter: "name", search, values: {} }),
      );
    expect(await ask("gr")).toEqual([{ display: "Grace", value: "Grace" }]);
    expect(await ask("nobody")).toEqual([]);
  });
});

const DYNAMIC = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addDynamicSyncTable({
  name: "Sheets", description: "Rows of a sheet.", identityName: "Sheet",
  listDynamicUrls: async () => [{ display: "First", value: "https://sheets.example/1" }],
  searchDynamicUrls: async (context, search) => [{ display: "Found " + search, value: "https://sheets.example/2" }],
  getName: async () => "Sheet", getDisplayUrl: async (context) => context.sync.dynamicUrl,
  getSchema: async (context) => sdk.makeObjectSchema({
    properties: { id: { type: sdk.ValueType.String }, total: { type: sdk.ValueType.Number, displayName: "Total of " + context.sync.dynamicUrl } },
    idProperty: "id", displayProperty: "id",
  }),
  formula: { name: "SyncSheet", description: "Rows.", parameters: [], execute: async () => ({ result: [{ id: "a", total: 2 }] }) },
});
`;

describe("dynamic tables", () => {
  it("list the URLs of a dynamic table, and show the columns that the Pack returns", async () => {
    await using dev = await startDevProject({ "pack.ts": DYNAMIC });
    const ask = (search: string) =>
      json<unknown>(dev.post("/api/choices", { of: "Sheets", parameter: "", search, values: {} }));
    expect(await ask("")).toEqual([{ display: "First", value: "https://sheets.example/1" }]);
    expect(await ask("x")).toEqual([{ display: "Found x", value: "https://sheets.example/2" }]);
    const dynamicUrl = "https://sheets.example/1";
    expect(
      await json(dev.post("/api/runs", { target: "Sheets", args: [], dynamicUrl })),
    ).toMatchObject({
      state: "ended",
      rowCount: 1,
      columns: [{ key: "id" }, { key: "total", label: `Total of ${dynamicUrl}` }],
    });
  });
});

describe("pictures of results", () => {
  const SHOWS = (url: string) =>
    oneFormula(`return "${url}";`).replace(
      'resultType: "string"',
      'resultType: "string", schema: { type: "string", codaType: "image" }',
    );

  it("are fetched by the server, from the place that a route names", async () => {
    const server = createServer((request, response) => {
      const isPicture =
        request.url === "/a.png" &&
        request.headers.cookie === undefined &&
        request.headers.authorization === undefined;
      response
        .writeHead(200, { "content-type": isPicture ? "image/png" : "text/html" })
        .end("bytes");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const url = "https://pictures.example/a.png";
      await using dev = await startDevProject(
        { "pack.ts": SHOWS(url) },
        { routes: [`https://pictures.example=http://127.0.0.1:${port}`] },
      );
      const { id } = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
      const picture = (asked: string) =>
        dev.get(`/api/runs/${id}/image?url=${encodeURIComponent(asked)}`);
      const answer = await picture(url);
      expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
        200,
        "image/png",
        "bytes",
      ]);
      // Only URLs that the run returned are fetched, and only images are passed on.
      expect((await picture("https://pictures.example/b.png")).status).toBe(400);
      dev.project.write("pack.ts", SHOWS("https://pictures.example/page.html"));
      const next = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
      const page = await dev.get(
        `/api/runs/${next.id}/image?url=${encodeURIComponent("https://pictures.example/page.html")}`,
      );
      expect(await page.json()).toMatchObject({
        failure: { message: "Could not load the image: the response is not an image." },
      });
    } finally {
      server.close();
    }
  });

  it("come from a host that the Pack has not declared only when the user asks for it", async () => {
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      return [];
    };
    const url = "https://elsewhere.example/a.png?result=everything";
    await using dev = await startDevProject({ "pack.ts": SHOWS(url) }, { lookup });
    const { id } = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
    const path = `/api/runs/${id}/image?url=${encodeURIComponent(url)}`;
    const message =
      "Could not load the image: elsewhere.example is not a network domain of the Pack.";
    expect(await (await dev.get(path)).json()).toMatchObject({ failure: { message } });
    expect(asked).toEqual([]);
    await dev.get(`${path}&asked=true`);
    expect(asked).toEqual(["elsewhere.example"]);
  });

  // docs/rules.md: rule 19
  it("are never loaded from a private network, not even when the user asks", async () => {
    const lookup = async () => ["10.0.0.7"];
    for (const url of [
      "https://inside.example/a.png",
      "https://127.0.0.1/a.png",
      "https://10.0.0.7/a.png",
    ]) {
      await using dev = await startDevProject({ "pack.ts": SHOWS(url) }, { lookup });
      const { id } = await json(dev.post("/api/runs", { target: "Hello", args: [] }));
      const answer = await dev.get(
        `/api/runs/${id}/image?url=${encodeURIComponent(url)}&asked=true`,
      );
      expect([url, answer.status]).toEqual([url, 400]);
    }
  });
});
