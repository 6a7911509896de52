import { expect, it } from "vitest";
import { onEachDatabase } from "../support.ts";
import { SHARED } from "./seeds.ts";

onEachDatabase("lists and names", (start) => {
  // docs/rules.md: service 1
  it("a page token overrides every other parameter, which is not even checked", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.send(
      "/docs/shared/tables/grid-one/rows?limit=2&useColumnNames=true",
    );
    const next = await test.send(
      `/docs/shared/tables/grid-one/rows?pageToken=${body["nextPageToken"]}&limit=nonsense&valueFormat=none`,
    );
    expect(next).toMatchObject({ status: 200, body: { items: [{ values: { Name: "a" } }] } });
  });

  // docs/rules.md: service 4
  it("a page holds 100 of most things and 500 rows at most", async () => {
    await using test = await start({
      seed: {
        ...SHARED,
        docs: [
          {
            id: "many",
            title: "Many",
            pages: Array.from({ length: 101 }, (_, at) => ({ name: `Page ${at}` })),
            tables: [
              {
                id: "grid-many",
                name: "Many",
                columns: [{ name: "N" }],
                rows: Array.from({ length: 501 }, (_, N) => ({ N })),
              },
            ],
            formulas: Array.from({ length: 101 }, (_, at) => ({
              name: `Formula ${at}`,
              value: at,
            })),
          },
        ],
      },
    });
    const count = async (path: string) =>
      ((await test.send(`/docs/many${path}?limit=100000`)).body["items"] as unknown[]).length;
    expect(await count("/pages")).toBe(100);
    expect(await count("/formulas")).toBe(100);
    expect(await count("/tables/grid-many/rows")).toBe(500);
  });

  // docs/rules.md: service 8, 9
  it("the link of the next page is absolute and has only the token, and href has the parameters in effect", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.send("/docs/shared/tables?limit=1&unknown=1");
    expect(body["href"]).toBe(`${test.service.url}/docs/shared/tables?limit=1`);
    expect(body["nextPageLink"]).toBe(
      `${test.service.url}/docs/shared/tables?pageToken=${body["nextPageToken"]}`,
    );
  });

  // docs/rules.md: service 11
  it.each(["true", "True", "TRUE", "tRuE"])(
    "isStarred=%s lists the starred, and False the others",
    async (value) => {
      await using test = await start({ seed: SHARED });
      const titles = async (query: string) =>
        ((await test.send(`/docs?${query}`)).body["items"] as { name: string }[])
          .map(({ name }) => name)
          .sort();
      expect(await titles(`isStarred=${value}`)).toEqual(["A starred one"]);
      expect(await titles("isStarred=False")).toEqual(["Private", "Shared"]);
    },
  );

  // docs/rules.md: service 11
  it.each(["1", "T", "yes", ""])("isOwner=%s is refused", async (value) => {
    await using test = await start({ seed: SHARED });
    expect(await test.send(`/docs?isOwner=${value}`)).toMatchObject({
      status: 400,
      body: { message: "isOwner must be true or false." },
    });
  });

  // docs/rules.md: service 12
  it("repeated keys and commas make one list", async () => {
    await using test = await start({ seed: SHARED });
    const names = async (query: string) =>
      ((await test.send(`/docs/shared/tables?${query}`)).body["items"] as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names("tableTypes=table&tableTypes=view")).toEqual(
      await names("tableTypes=table,view"),
    );
  });

  // docs/rules.md: service 13
  it("false does not filter, except for stars", async () => {
    await using test = await start({ seed: SHARED });
    const titles = async (query: string) =>
      ((await test.send(`/docs?${query}`)).body["items"] as { name: string }[])
        .map(({ name }) => name)
        .sort();
    const all = await titles("");
    expect(all).toEqual(["A starred one", "Private", "Shared"]);
    for (const name of ["isOwner", "isPublished", "inGallery"])
      expect(await titles(`${name}=false`)).toEqual(all);
    expect(await titles("isPublished=true")).toEqual(["A starred one"]);
    expect(await titles("inGallery=true")).toEqual(["A starred one"]);
    expect(await titles("isStarred=true")).toEqual(["A starred one"]);
    expect(await titles("isStarred=false")).toEqual(["Private", "Shared"]);
  });

  // docs/rules.md: service 14
  it("docs that were never opened are not listed, created and copied ones are", async () => {
    await using test = await start({ seed: SHARED });
    await test.client.docs.create({ title: "Created" });
    await test.client.docs.create({ title: "Copied", sourceDoc: "private" });
    const titles = (await test.client.docs.list().all({ max: 99 })).map(({ name }) => name);
    expect(titles).toEqual(expect.arrayContaining(["Created", "Copied", "Shared"]));
    expect(titles).not.toContain("Never opened");
    expect((await test.send("/docs/unopened")).status).toBe(200);
  });

  // docs/rules.md: service 15
  it("query finds a part of the title in upper or lower case", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.client.docs.list({ query: "STARR" })).items.map(({ id }) => id)).toEqual([
      "starred",
    ]);
  });

  // docs/rules.md: service 17
  it("unknown members are ignored, and a strict service says so", async () => {
    await using test = await start({ seed: SHARED, strict: true });
    const created = await test.write("POST", "/docs/shared/pages", {
      name: "Empty",
      content: "lost",
      "ü\n": 1,
    });
    expect(created.status).toBe(202);
    expect(created.headers.get("x-emulator-warning")).toBe("ignored: content, %C3%BC%0A");
    expect((await test.send("/docs/shared/pages/Empty/content")).body["items"]).toEqual([]);
    expect(
      test.service.requests.find(({ operation }) => operation === "createPage")?.warning,
    ).toContain("content");
    await using lenient = await start({ seed: SHARED });
    expect(
      (await lenient.write("POST", "/docs/shared/pages", { content: "lost" })).headers.get(
        "x-emulator-warning",
      ),
    ).toBeNull();
  });

  // docs/rules.md: service 19
  it("the oldest of equal names is found, or any one when names are shuffled, and a header counts them", async () => {
    await using test = await start({ seed: SHARED });
    const twin = await test.send("/docs/shared/tables/grid-one/columns/Twin");
    expect([twin.body["id"], twin.headers.get("x-emulator-ambiguous-name")]).toEqual([
      "c-twin1",
      "2",
    ]);
    expect((await test.send("/docs/shared/tables/grid-one/rows/a")).body["index"]).toBe(0);
    await using shuffled = await start({ seed: SHARED, shuffleNames: true, random: () => 0.9 });
    expect((await shuffled.send("/docs/shared/tables/grid-one/columns/Twin")).body["id"]).toBe(
      "c-twin2",
    );
  });

  // docs/rules.md: service 20
  it("a name is decoded after routing", async () => {
    await using test = await start({ seed: SHARED });
    const name = "a/b?c#d 100% ü 😀";
    await test.write("POST", "/docs/shared/pages", { name });
    expect((await test.send(`/docs/shared/pages/${encodeURIComponent(name)}`)).body["name"]).toBe(
      name,
    );
  });

  // docs/rules.md: service 21
  it("a document is never found by its name", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.send("/docs/Shared")).status).toBe(404);
  });

  // docs/rules.md: service 26
  it("visibleOnly is ignored for the columns of a view", async () => {
    await using test = await start();
    const count = async (table: string) =>
      (
        (await test.send(`/docs/${test.service.docId}/tables/${table}/columns?visibleOnly=true`))
          .body["items"] as unknown[]
      ).length;
    expect([await count("Tasks"), await count("Tasks%20to%20do")]).toEqual([11, 12]);
  });
});
