import { expect, it } from "vitest";
import { onEachDatabase } from "../support.ts";
import { recordRows } from "./recorded-statements.ts";
import { SHARED } from "./seeds.ts";

onEachDatabase("documents", (start) => {
  // docs/rules.md: service 62
  it("createDoc makes a document whose first page is there under the request id", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    const created = await test.write("POST", "/docs", {
      title: "New",
      timezone: "Europe/Berlin",
      initialPage: {
        name: "Begin",
        subtitle: "s",
        pageContent: { type: "canvas", canvasContent: { format: "html", content: "<p>Hi</p>" } },
      },
    });
    expect(created).toMatchObject({
      status: 202,
      body: { type: "doc", name: "New", requestId: expect.any(String) },
    });
    const { id, requestId } = created.body;
    const status = async () => (await test.send(`/mutationStatus/${requestId}`)).body;
    expect(await status()).toEqual({ completed: false });
    test.service.clock.advance(1_000);
    expect(await status()).toEqual({ completed: true });
    expect((await test.send(`/docs/${id}/pages`)).body["items"]).toMatchObject([
      { name: "Begin", subtitle: "s" },
    ]);
    expect((await test.send(`/docs/${id}`)).body).toMatchObject({
      docSize: { totalRowCount: 0, tableAndViewCount: 0, pageCount: 1, overApiSizeLimit: false },
      folder: { name: "My docs" },
    });
  });

  it("the list and one document read the same number of rows, however many documents there are", async () => {
    const statements = async (docs: number) => {
      await using test = await start({
        seed: {
          users: [{ name: "One", email: "one@service.example" }],
          docs: Array.from({ length: docs }, (_, at) => ({
            id: `doc-${at}`,
            title: `Doc ${at}`,
            pages: [{ name: "Page" }],
            tables: [{ name: "T", columns: [{ name: "Name" }], rows: [{ Name: "a" }] }],
          })),
        },
      });
      const rows = recordRows();
      // Meanwhile the service removes what is too old, which reads other columns.
      const countRows = () =>
        rows.filter((row) => /"(?:title|row_count|pages)":/.test(JSON.stringify(row))).length;
      expect((await test.send("/docs?limit=2")).status).toBe(200);
      const listed = countRows();
      expect((await test.send("/docs/doc-1")).body["docSize"]).toMatchObject({
        totalRowCount: 1,
        tableAndViewCount: 1,
        pageCount: 1,
      });
      return [listed, countRows()];
    };
    expect(await statements(40)).toEqual(await statements(3));
  });

  // docs/rules.md: V1
  it("the public dialect answers createDoc with 201", async () => {
    await using test = await start({ seed: SHARED, dialect: "public" });
    expect((await test.write("POST", "/docs", {})).status).toBe(201);
  });

  it("a document is created in a folder that there is", async () => {
    await using test = await start({ seed: SHARED });
    const { folderId } = (await test.send("/docs/shared")).body;
    expect((await test.write("POST", "/docs", { folderId })).status).toBe(202);
    expect((await test.write("POST", "/docs", { folderId: "fl-none" })).status).toBe(400);
  });

  // docs/rules.md: service 81
  it("a copy has the content with its ids, but not the sharing of the source", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("DELETE", "/docs/shared/tables/grid-one/rows", {
      rowIds: [
        (
          (await test.send("/docs/shared/tables/grid-one/rows")).body["items"] as { id: string }[]
        )[0]?.id,
      ],
    });
    const { body } = await test.write("POST", "/docs", {
      sourceDoc: "shared",
      initialPage: { name: "More" },
    });
    const rows = (await test.send(`/docs/${body["id"]}/tables/grid-one/rows`)).body["items"] as {
      index: number;
    }[];
    expect(rows.map(({ index }) => index)).toEqual([0, 1]);
    const pages = (await test.send(`/docs/${body["id"]}/pages`)).body["items"] as {
      name: string;
    }[];
    expect(pages.map(({ name }) => name)).toEqual(["First", "Below", "Second", "Embed", "More"]);
    expect((await test.send(`/docs/${body["id"]}/acl/permissions`)).body["items"]).toHaveLength(1);
    expect((await test.send(`/docs?sourceDoc=shared`)).body["items"]).toMatchObject([
      { id: body["id"] },
    ]);
  });

  it("a copy has the edits of its source that are due, although no one asked for the source", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    const countRows = async (docId: unknown) =>
      ((await test.send(`/docs/${docId}/tables/grid-one/rows`)).body["items"] as unknown[]).length;
    const before = await countRows("shared");
    await test.write("POST", "/docs/shared/tables/grid-one/rows", { rows: [{ cells: [] }] });
    const early = await test.write("POST", "/docs", { sourceDoc: "shared" });
    test.service.clock.advance(1_000);
    const late = await test.write("POST", "/docs", { sourceDoc: "shared" });
    expect(await countRows(early.body["id"])).toBe(before);
    expect(await countRows(late.body["id"])).toBe(before + 1);
  });

  // docs/rules.md: service 82
  it("an Editor may create docs where any member may, and an address of the workspace's domain joins", async () => {
    const workspace = {
      ...SHARED.workspace,
      name: "One",
      anyMemberMayCreateDocs: true,
      autoJoinDomains: ["partner.example"],
    };
    await using test = await start({ seed: { ...SHARED, workspace } });
    const create = async (token: string) => (await test.write("POST", "/docs", {}, token)).status;
    const newPage = async (token: string) =>
      (await test.write("POST", "/docs/shared/pages", {}, token)).status;
    expect(await newPage("editor")).toBe(403);
    expect(await create("editor")).toBe(202);
    expect(await newPage("editor")).toBe(202);
    expect(await create("domain")).toBe(202);
    expect(await create("stranger")).toBe(403);
    await using strict = await start({ seed: SHARED });
    expect((await strict.write("POST", "/docs", {}, "domain")).status).toBe(403);
  });

  it("changing titles, icons of pages and creating pages is for Doc Makers, text is not", async () => {
    await using test = await start({ seed: SHARED });
    const as = async (method: string, path: string, body: unknown) =>
      (await test.write(method, path, body, "editor")).status;
    expect(await as("PATCH", "/docs/shared", { title: "x" })).toBe(403);
    expect(await as("PATCH", "/docs/shared", { iconName: "rocket" })).toBe(200);
    expect(await as("POST", "/docs/shared/pages", {})).toBe(403);
    expect(await as("PUT", "/docs/shared/pages/First", { name: "x" })).toBe(403);
    expect(await as("PUT", "/docs/shared/pages/First", { iconName: "x" })).toBe(403);
    expect(await as("PUT", "/docs/shared/pages/First", { subtitle: "x" })).toBe(202);
  });

  it("updateDoc changes title and icon at once", async () => {
    await using test = await start({ seed: SHARED });
    expect(
      await test.write("PATCH", "/docs/shared", { title: "Renamed", iconName: "star" }),
    ).toMatchObject({ status: 200, body: {} });
    expect((await test.send("/docs/shared")).body).toMatchObject({
      name: "Renamed",
      icon: { name: "star" },
    });
    expect((await test.write("PATCH", "/docs/shared", { title: 5 })).status).toBe(400);
  });

  // docs/rules.md: service 62
  it("deleteDoc is for the owner; it has no request id, and the document is then known to be deleted", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.send("/docs/shared", { method: "DELETE", token: "writer" })).status).toBe(
      403,
    );
    expect(await test.send("/docs/shared", { method: "DELETE" })).toMatchObject({
      status: 202,
      body: {},
    });
    const after = async (token?: string) =>
      (await test.send("/docs/shared", token === undefined ? {} : { token })).body["message"];
    expect(await after()).toBe("Doc has been deleted.");
    expect(await after("stranger")).toBe("Could not find a doc with the specified ID.");
    expect((await test.client.docs.list()).items.map(({ id }) => id)).not.toContain("shared");
  });

  it("an edit of a document that was deleted meanwhile completes with a warning", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    const { body } = await test.write("POST", "/docs/shared/pages", { name: "Late" });
    await test.send("/docs/shared", { method: "DELETE" });
    test.service.clock.advance(1_000);
    expect((await test.send(`/mutationStatus/${body["requestId"]}`)).body).toEqual({
      completed: true,
      warning: "The doc was deleted before the edit was applied.",
    });
  });

  it("answers 501 with a reason for what is not built", async () => {
    await using test = await start();
    for (const path of [
      "/folders",
      "/folders/fl-1",
      "/packs/1/builds",
      "/workspaces/ws-1/users",
      "/docs/x/domains",
      "/goLinks",
    ]) {
      const { status, body } = await test.send(path);
      expect([path, status, body["statusMessage"]]).toEqual([path, 501, "Not Implemented"]);
      expect(String(body["message"]).length).toBeGreaterThan(40);
    }
  });
});
