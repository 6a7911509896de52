import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { SHARED } from "./seeds.ts";

const PAGES = "/docs/shared/pages";
const canvas = (content: string, format = "markdown") => ({
  type: "canvas",
  canvasContent: { format, content },
});
const update = (insertionMode: string, content: string, more: object = {}) => ({
  contentUpdate: { insertionMode, canvasContent: { format: "markdown", content }, ...more },
});

interface Line {
  id: string;
  type: string;
  itemContent: { style: string; content: string; format: string; lineLevel?: number };
}

async function listLines(test: ServiceUnderTest, page: string) {
  return (await test.send(`${PAGES}/${page}/content?limit=500`)).body["items"] as Line[];
}

async function listTexts(test: ServiceUnderTest, page: string) {
  return (await listLines(test, page)).map(
    ({ itemContent: { style, content } }) => `${style}: ${content}`,
  );
}

async function readWarning(test: ServiceUnderTest, { body }: { body: Record<string, unknown> }) {
  return (await test.send(`/mutationStatus/${body["requestId"]}`)).body["warning"];
}

onEachDatabase("pages", (start) => {
  // docs/rules.md: service 54
  it("a created page is not there before its edit is applied", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 1_000 });
    const { status, body } = await test.write("POST", PAGES, {
      name: "New",
      subtitle: "s",
      iconName: "rocket",
      parentPageId: "canvas-first",
    });
    expect([status, body]).toEqual([
      202,
      { requestId: expect.stringMatching(/^mutate:/), id: expect.stringMatching(/^canvas-.{10}$/) },
    ]);
    expect(await test.send(`${PAGES}/${body["id"]}`)).toMatchObject({
      status: 404,
      body: { message: "Could not find a page with the specified ID or name." },
    });
    test.service.clock.advance(1_000);
    expect((await test.send(`${PAGES}/${body["id"]}`)).body).toMatchObject({
      name: "New",
      subtitle: "s",
      contentType: "canvas",
      isHidden: false,
      parent: { id: "canvas-first" },
      icon: { name: "rocket", type: "image/png" },
      createdBy: { "@type": "Person", email: "owner@service.example" },
      createdAt: "1970-01-01T00:00:02.000Z",
    });
    expect((await test.send(`${PAGES}/First`)).body["children"]).toMatchObject([
      { id: "canvas-below" },
      { id: body["id"] },
    ]);
  });

  it("a request shows what was applied in the background while it waited", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 1_000 });
    await test.write("POST", PAGES, { name: "New" });
    await test.control("/faults", { faults: [{ operation: "listPages", delayMs: 1_000 }] });
    const listing = test.send(`${PAGES}?limit=100`);
    await test.send("/whoami");
    test.service.clock.advance(1_000);
    await test.service.settle();
    expect((await listing).body["items"]).toContainEqual(expect.objectContaining({ name: "New" }));
  });

  // docs/rules.md: service 5
  it("a listing keeps the snapshot of its first page while pages are added, renamed and deleted", async () => {
    await using test = await start({ seed: SHARED });
    for (const name of ["A", "B", "C", "D"]) await test.write("POST", PAGES, { name });
    const named = async (query: string) => {
      const { items, nextPageToken } = (await test.send(`${PAGES}?${query}`)).body as {
        items: { name: string }[];
        nextPageToken?: string;
      };
      return { names: items.map(({ name }) => name), nextPageToken };
    };
    const { names: before } = await named("limit=100");
    const { nextPageToken } = await named("limit=1");
    await test.send(`${PAGES}/B`, { method: "DELETE" });
    await test.write("PUT", `${PAGES}/C`, { name: "C2" });
    await test.write("PUT", `${PAGES}/C2`, { name: "C3" });
    await test.write("POST", PAGES, { name: "E" });
    await test.send(`${PAGES}/E`, { method: "DELETE" });
    await test.write("POST", PAGES, { name: "F" });
    const names = before.slice(0, 1);
    for (let token = nextPageToken; token !== undefined; ) {
      const page = await named(`pageToken=${token}`);
      names.push(...page.names);
      token = page.nextPageToken;
    }
    expect(names).toEqual(before);
    expect((await named("limit=100")).names).toEqual([...before.slice(0, -3), "C3", "D", "F"]);
  });

  // docs/rules.md: service 5
  it("the content of a page is listed as it was when the listing started", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", PAGES, { name: "Text", pageContent: canvas("one\n\ntwo\n\nthree") });
    const first = await test.send(`${PAGES}/Text/content?limit=1`);
    await test.write("PUT", `${PAGES}/Text`, update("prepend", "zero"));
    await test.write("PUT", `${PAGES}/Text`, update("replace", "other"));
    const second = await test.send(
      `${PAGES}/Text/content?pageToken=${first.body["nextPageToken"]}`,
    );
    const third = await test.send(
      `${PAGES}/Text/content?pageToken=${second.body["nextPageToken"]}`,
    );
    const texts = [first, second, third].flatMap(({ body }) =>
      (body["items"] as Line[]).map(({ itemContent }) => itemContent.content),
    );
    expect(texts).toEqual(["one", "two", "three"]);
    expect(await listTexts(test, "Text")).toEqual(["paragraph: other"]);
    expect(third.body["nextPageToken"]).toBeUndefined();
  });

  it("a page has text from markdown and from HTML, and a cover image", async () => {
    await using test = await start({ seed: SHARED });
    const markdown =
      "# H\n\nplain **bold**\n\n1. one\n   - two\n- [x] done\n\n> quote\n\n```\ncode\n```";
    const html =
      "<h2>H</h2><p>a <em>b</em></p><ul><li>one<ol><li>two</li></ol></li></ul><pre>x\ny</pre>";
    await test.write("POST", PAGES, {
      name: "M",
      imageUrl: "https://images.example/a.jpg",
      pageContent: canvas(markdown),
    });
    await test.write("POST", PAGES, { name: "H", pageContent: canvas(html, "html") });
    expect(await listTexts(test, "M")).toEqual([
      ...[
        "h1: H",
        "paragraph: plain bold",
        "numberedList: one",
        "bulletedList: two",
        "checkboxList: done",
      ],
      ...["blockQuote: quote", "code: code"],
    ]);
    expect(await listTexts(test, "H")).toEqual([
      "h2: H",
      "paragraph: a b",
      "bulletedList: one",
      "numberedList: two",
      "code: x\ny",
    ]);
    const [heading, , , nested] = await listLines(test, "M");
    expect(heading).toEqual({
      id: expect.stringMatching(/^cl-/),
      type: "line",
      itemContent: { style: "h1", format: "plainText", content: "H" },
    });
    expect(nested?.itemContent.lineLevel).toBe(1);
    expect((await test.send(`${PAGES}/M`)).body["image"]).toMatchObject({
      browserLink: "https://images.example/a.jpg",
      type: "image/jpeg",
    });
  });

  // docs/rules.md: service 68
  it("the only page at the top stays visible", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("PUT", "/docs/private/pages/Only", { isHidden: true });
    expect((await test.send("/docs/private/pages/Only")).body["isHidden"]).toBe(false);
    await test.write("PUT", `${PAGES}/First`, { isHidden: true });
    expect((await test.send(`${PAGES}/Below`)).body).toMatchObject({
      isHidden: false,
      isEffectivelyHidden: true,
    });
  });

  // docs/rules.md: service 69
  it("the pages below a deleted page are deleted too, and the last page cannot be deleted", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.send(`${PAGES}/First`, { method: "DELETE" })).status).toBe(202);
    expect((await test.send(`${PAGES}/canvas-below`)).status).toBe(410);
    expect((await test.send("/docs/shared/tables/table-view")).status).toBe(404);
    expect((await test.send("/docs/private/pages/Only", { method: "DELETE" })).status).toBe(400);
  });

  // docs/rules.md: service 70
  it("a deleted page is 410 for a day, then unknown", async () => {
    await using test = await start({ seed: SHARED, now: () => 1_000 });
    await test.send(`${PAGES}/Second`, { method: "DELETE" });
    const statuses = async () => [
      (await test.send(`${PAGES}/Second`)).status,
      (await test.send(`${PAGES}/canvas-second/content`)).status,
    ];
    expect(await statuses()).toEqual([410, 410]);
    test.service.clock.advance(24 * 60 * 60_000 + 1);
    expect(await statuses()).toEqual([404, 404]);
  });

  // docs/rules.md: service 71
  it("two pages may have one name", async () => {
    await using test = await start({ seed: SHARED });
    for (const _ of [1, 2])
      expect((await test.write("POST", PAGES, { name: "Twin" })).status).toBe(202);
    expect((await test.send(`${PAGES}/Twin`)).headers.get("x-emulator-ambiguous-name")).toBe("2");
  });

  // docs/rules.md: service 72
  it("a parent that is not there is refused", async () => {
    await using test = await start({ seed: SHARED });
    const { status, body } = await test.write("POST", PAGES, { parentPageId: "canvas-none" });
    expect([status, body["message"]]).toEqual([
      400,
      expect.stringMatching(/^Invalid parentPageId/),
    ]);
  });

  // docs/rules.md: service 73
  it("replace without an element replaces the text and deletes the tables of the page", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("PUT", `${PAGES}/Second`, update("replace", "new"));
    expect(await listTexts(test, "Second")).toEqual(["paragraph: new"]);
    expect((await test.send("/docs/shared/tables")).body["items"]).toEqual([]);
  });

  // docs/rules.md: service 74
  it("new text is added after or before an element, or replaces it", async () => {
    await using test = await start({ seed: SHARED });
    const [first] = await listLines(test, "First");
    const elementId = first?.id;
    await test.write("PUT", `${PAGES}/First`, update("append", "after", { elementId }));
    await test.write("PUT", `${PAGES}/First`, update("prepend", "before", { elementId }));
    await test.write("PUT", `${PAGES}/First`, update("append", "end"));
    await test.write("PUT", `${PAGES}/First`, update("prepend", "begin"));
    expect(await listTexts(test, "First")).toEqual(
      ["begin", "before", "h1: Title", "after", "Text", "end"].map((text) =>
        text.includes(":") ? text : `paragraph: ${text}`,
      ),
    );
    await test.write("PUT", `${PAGES}/First`, update("replace", "instead", { elementId }));
    expect((await listTexts(test, "First"))[2]).toBe("paragraph: instead");
  });

  // docs/rules.md: service 46
  it("an element that is not there is a warning", async () => {
    await using test = await start({ seed: SHARED });
    const updated = await test.write("PUT", `${PAGES}/First`, {
      name: "Renamed",
      ...update("append", "lost", { elementId: "cl-none" }),
    });
    expect(updated.status).toBe(202);
    expect(await readWarning(test, updated)).toContain("no element");
    expect(await listTexts(test, "Renamed")).toEqual(["h1: Title", "paragraph: Text"]);
    const deleted = await test.write("DELETE", `${PAGES}/Renamed/content`, {
      elementIds: ["cl-none"],
    });
    expect(await readWarning(test, deleted)).toContain("no element");
  });

  // docs/rules.md: service 75
  it("the content of an embed or a sync page cannot be updated", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", PAGES, {
      name: "Sync",
      pageContent: { type: "syncPage", mode: "document", sourceDocId: "private" },
    });
    expect((await test.send(`${PAGES}/Sync`)).body["contentType"]).toBe("syncPage");
    for (const page of ["Embed", "Sync"]) {
      expect((await test.write("PUT", `${PAGES}/${page}`, update("append", "x"))).status).toBe(400);
      expect((await test.send(`${PAGES}/${page}/content`)).body["items"]).toEqual([]);
    }
  });

  it("embed and sync pages have sources that exist", async () => {
    await using test = await start({ seed: SHARED });
    const create = async (pageContent: object, token?: string) =>
      (await test.write("POST", PAGES, { pageContent }, token)).status;
    const sync = { type: "syncPage", mode: "page", sourceDocId: "private" };
    expect(
      await create({ type: "embed", url: "https://video.example", renderMethod: "standard" }),
    ).toBe(202);
    expect(await create({ ...sync, sourcePageId: "canvas-only", includeSubpages: true })).toBe(202);
    expect(await create({ type: "embed", url: "javascript:alert(1)" })).toBe(400);
    expect(await create({ ...sync, sourcePageId: "canvas-none" })).toBe(400);
    expect(await create({ ...sync, sourceDocId: "none" })).toBe(400);
    expect(await create({ ...sync, sourcePageId: "canvas-only" }, "writer")).toBe(400);
  });

  // docs/rules.md: service 76
  it("deeper headings become paragraphs in markdown, bold third headings in HTML", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", PAGES, { name: "M", pageContent: canvas("#### four") });
    await test.write("POST", PAGES, { name: "H", pageContent: canvas("<h5>five</h5>", "html") });
    expect([await listTexts(test, "M"), await listTexts(test, "H")]).toEqual([
      ["paragraph: four"],
      ["h3: five"],
    ]);
    expect(await readExport(test, "H", "markdown")).toBe("### **five**\n");
  });

  // docs/rules.md: service 77
  it("unknown markup is text, and broken HTML is a warning", async () => {
    await using test = await start({ seed: SHARED });
    const broken = await test.write("POST", PAGES, {
      name: "B",
      pageContent: canvas("<p>a<b>b</p><video>c</video>", "html"),
    });
    expect(await readWarning(test, broken)).toBe("Initial page HTML was invalid.");
    expect((await listTexts(test, "B")).join()).toContain("<video>c</video>");
  });

  // docs/rules.md: service 78
  it("a table in markdown or HTML is text", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", PAGES, {
      name: "M",
      pageContent: canvas("| a | b |\n|---|---|\n| 1 | 2 |"),
    });
    await test.write("POST", PAGES, {
      name: "H",
      pageContent: canvas("<table><tr><td>1</td></tr></table>", "html"),
    });
    expect(await listTexts(test, "M")).toEqual(
      ["| a | b |", "|---|---|", "| 1 | 2 |"].map((text) => `paragraph: ${text}`),
    );
    expect((await listTexts(test, "H")).join()).toContain("<td>1</td>");
  });

  // docs/rules.md: V20
  it("a page loses chosen elements or everything; the public dialect keeps one empty line", async () => {
    for (const [dialect, left] of [
      ["spec", []],
      ["public", ["paragraph: "]],
    ] as const) {
      await using test = await start({ seed: SHARED, dialect });
      const [first] = await listLines(test, "First");
      await test.write("DELETE", `${PAGES}/First/content`, { elementIds: [first?.id] });
      expect(await listTexts(test, "First")).toEqual(["paragraph: Text"]);
      await test.send(`${PAGES}/First/content`, { method: "DELETE" });
      expect(await listTexts(test, "First")).toEqual(left);
    }
  });

  it("lists content page by page, 500 elements at most, as plain text alone", async () => {
    await using test = await start({ seed: SHARED });
    const content = Array.from({ length: 520 }, (_, at) => `- ${at}`).join("\n");
    await test.write("POST", PAGES, { name: "Long", pageContent: canvas(content) });
    const first = (await test.send(`${PAGES}/Long/content?limit=9999`)).body;
    expect((first["items"] as Line[]).length).toBe(500);
    const second = (await test.send(`${PAGES}/Long/content?pageToken=${first["nextPageToken"]}`))
      .body;
    expect((second["items"] as Line[]).map(({ itemContent }) => itemContent.content)).toEqual(
      Array.from({ length: 20 }, (_, at) => String(500 + at)),
    );
    expect(((await test.send(`${PAGES}/Long/content`)).body["items"] as Line[]).length).toBe(50);
    const plain = await test.send(`${PAGES}/Long/content?limit=1&contentFormat=plainText`);
    expect(plain.body["items"]).toEqual((first["items"] as Line[]).slice(0, 1));
    expect((await test.send(`${PAGES}/Long/content?contentFormat=html`)).status).toBe(400);
  });

  // docs/rules.md: service 79
  it("an export is a gzip file behind a link that is good for 300 seconds and takes no token", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    const begun = await test.write("POST", `${PAGES}/First/export`, { outputFormat: "html" });
    expect(begun).toMatchObject({ status: 202, body: { status: "inProgress" } });
    const href = String(begun.body["href"]).slice(test.service.url.length);
    expect((await test.send(href)).body).toEqual({
      id: begun.body["id"],
      status: "inProgress",
      href: begun.body["href"],
    });
    test.service.clock.advance(1_000);
    const done = await test.send(href);
    expect(done.body["status"]).toBe("complete");
    const link = String(done.body["downloadLink"]);
    const file = await fetch(link);
    expect([
      file.status,
      file.headers.get("content-encoding"),
      file.headers.get("content-type"),
    ]).toEqual([200, "gzip", "text/plain; charset=utf-8"]);
    expect(await file.text()).toBe("<h1>Title</h1><p>Text</p>");
    const refused = await fetch(link, {
      headers: { Authorization: `Bearer ${test.service.token}` },
    });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining("<Code>AccessDenied</Code>"),
    ]);
    expect((await fetch(link.replace("expires=", "expires=9"))).status).toBe(403);
    test.service.clock.advance(300_001);
    expect((await fetch(link)).status).toBe(403);
    expect((await fetch(String((await test.send(href)).body["downloadLink"]))).status).toBe(200);
    expect(
      (await test.write("POST", `${PAGES}/Embed/export`, { outputFormat: "html" })).status,
    ).toBe(400);
    expect(
      (await test.write("POST", `${PAGES}/First/export`, { outputFormat: "pdf" })).status,
    ).toBe(400);
  });

  // docs/rules.md: service 79
  it("the second of two exports of one page in flight is carried out", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    const begin = async () =>
      (await test.write("POST", `${PAGES}/First/export`, { outputFormat: "markdown" })).body["id"];
    const [first, second] = [await begin(), await begin()];
    test.service.clock.advance(1_000);
    expect((await test.send(`${PAGES}/First/export/${first}`)).body).toMatchObject({
      status: "failed",
      error: expect.any(String),
    });
    expect((await test.send(`${PAGES}/First/export/${second}`)).body).toMatchObject({
      status: "complete",
    });
  });

  // docs/rules.md: service 62, 80
  it("an export is unknown under another page, and its id is not that of an edit", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.write("POST", `${PAGES}/First/export`, { outputFormat: "html" });
    expect((await test.send(`${PAGES}/Second/export/${body["id"]}`)).status).toBe(404);
    expect((await test.send(`/mutationStatus/${body["id"]}`)).status).toBe(404);
  });
});

async function readExport(
  test: ServiceUnderTest,
  page: string,
  outputFormat: string,
): Promise<string> {
  const { body } = await test.write("POST", `${PAGES}/${page}/export`, { outputFormat });
  const status = await test.send(`${PAGES}/${page}/export/${body["id"]}`);
  return await (await fetch(String(status.body["downloadLink"]))).text();
}
