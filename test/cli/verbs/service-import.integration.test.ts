import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importDocs } from "../../../src/service/import/import-docs.ts";
import { createServiceClient } from "../../../src/service.ts";
import { type Seed, startService } from "../../../src/testing.ts";
import { startCli } from "../../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** What a reader sees of a document: everything but links, times and what is not told. */
async function readContent(url: string, token: string, docId: string) {
  const doc = createServiceClient({ baseUrl: url, token }).doc(docId);
  const seen: Record<string, unknown> = { title: (await doc.get()).name };
  const pages = await doc.pages.list({ limit: 100 });
  seen["pages"] = pages.items.map(({ id, name, subtitle, parent, isHidden }) => ({
    id,
    name,
    subtitle,
    parent: parent?.name,
    isHidden,
  }));
  seen["content"] = await Promise.all(
    pages.items.map(async ({ id }) =>
      (await doc.page(id).content.list()).items.map(({ itemContent }) => [
        itemContent.style,
        itemContent.content,
      ]),
    ),
  );
  for (const { id, name } of (await doc.tables.list({ limit: 100 })).items) {
    const { layout, rowCount, sorts, tableType } = await doc.table(id).get();
    const columns = await doc.table(id).columns.list({ limit: 100 });
    const rows = await doc
      .table(id)
      .rows.list({ limit: 500, valueFormat: "simpleWithArrays", useColumnNames: true });
    seen[`table ${name}`] = {
      layout,
      rowCount,
      tableType,
      sorts: sorts.map(({ column, direction }) => [column.id, direction]),
      columns: columns.items.map(
        ({ id: columnId, name: columnName, calculated, display, format }) => ({
          columnId,
          columnName,
          calculated,
          display,
          format: { ...format, table: (format["table"] as { id: string } | undefined)?.id },
        }),
      ),
      rows: rows.items.map(({ values }) => values),
    };
  }
  const formulas = await doc.formulas.list();
  seen["formulas"] = await Promise.all(
    formulas.items.map(async ({ id }) => [id, (await doc.formulas.get(id)).value]),
  );
  const controls = await doc.controls.list();
  seen["controls"] = await Promise.all(
    controls.items.map(async ({ id }) => [id, (await doc.controls.get(id)).value]),
  );
  return seen;
}

describe("importing documents", () => {
  it("gives a seed with the same documents, and changes nothing at the source", async () => {
    await using source = await startService();
    const before = source.requests.length;
    const { seed, notes } = await importDocs({ from: source.url, token: source.token });
    expect(source.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
    await using copy = await startService({ seed });
    const viewsWithFilter = notes
      .filter((note) => note.includes("shows every row"))
      .map((note) => note.split('"')[1]);
    const [original, imported] = await Promise.all([
      readContent(source.url, source.token, source.docId),
      readContent(copy.url, copy.token, source.docId),
    ]);
    for (const view of viewsWithFilter) {
      delete original[`table ${view}`];
      delete imported[`table ${view}`];
    }
    expect(Object.keys(original).length).toBeGreaterThan(6);
    expect(imported).toEqual(original);
  });

  it("keeps equal names apart, escapes text, and says what is left out", async () => {
    const seed: Seed = {
      users: [{ name: "Ann", email: "ann@people.example" }],
      docs: [
        {
          title: "Odd",
          pages: [
            { id: "canvas-a", name: "P", content: "A \\*b\\* # c\n\n- item" },
            { id: "canvas-b", name: "Q" },
          ],
          tables: [
            {
              name: "T",
              columns: [{ name: "N" }],
              rows: Array.from({ length: 30 }, (_, at) => ({ N: `row ${at}, "x"` })),
            },
          ],
        },
      ],
    };
    await using source = await startService({ seed, mutationDelayMs: 0 });
    await createServiceClient({ baseUrl: source.url, token: source.token })
      .doc(source.docId)
      .page("canvas-b")
      .update({ name: "P" });
    await source.settle();
    const imported = await importDocs({ from: source.url, token: source.token, maxRows: 20 });
    expect(imported.seed.docs[0]?.pages?.map(({ name }) => name)).toEqual(["P", "P (2)"]);
    expect(imported.seed.docs[0]?.tables?.[0]?.rows).toHaveLength(20);
    expect(imported.notes).toEqual(
      expect.arrayContaining([
        'Odd: a second page named "P" is renamed to "P (2)"',
        'Odd: "T" has more than 20 rows; the other rows were left out',
      ]),
    );
    await using copy = await startService({ seed: imported.seed });
    const content = async ({ url, token, docId }: typeof source) => {
      const page = createServiceClient({ baseUrl: url, token }).doc(docId).page("canvas-a");
      return (await page.content.list()).items.map(({ itemContent }) => itemContent);
    };
    expect(await content(copy)).toEqual(await content(source));
  });

  it("ends with IMPORT_FAILED and the status when the service refuses", async () => {
    await using source = await startService();
    await expect(importDocs({ from: source.url, token: "wrong" })).rejects.toMatchObject({
      code: "IMPORT_FAILED",
      details: { operation: "whoami", status: 401 },
    });
    await expect(
      importDocs({ from: source.url, token: source.token, docIds: ["none"] }),
    ).rejects.toMatchObject({
      details: { operation: "getDoc", status: 404 },
    });
  });
});

describe("packsmith service import", () => {
  const run = async (args: string[], cwd: string, env: Record<string, string>) => {
    const cli = startCli(["service", "import", ...args], { cwd, env });
    const code = await cli.ended;
    return { code, stdout: cli.stdout(), stderr: cli.stderr() };
  };

  it("writes a seed that packsmith service can serve, and a database", async () => {
    using folder = makeTemporaryFolder();
    await using source = await startService();
    const args = ["--from", source.url, "--token-env", "DOCS_TOKEN", "--doc", source.docId];
    const { code, stdout } = await run(
      [...args, "--out", "new/seed.json", "--database", "docs.db"],
      folder.path,
      {
        DOCS_TOKEN: source.token,
      },
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("copied 1 documents")]);
    const seed = JSON.parse(await readFile(join(folder.path, "new/seed.json"), "utf8")) as Seed;
    expect(seed.docs.map(({ id }) => id)).toEqual([source.docId]);
    await using kept = await startService({ database: join(folder.path, "docs.db") });
    const doc = await createServiceClient({ baseUrl: kept.url, token: kept.token })
      .doc(source.docId)
      .get();
    expect(doc.name).toBe(seed.docs[0]?.title);
  });

  it("refuses a database that holds other documents, a URL without encryption and a missing token", async () => {
    using folder = makeTemporaryFolder();
    await using source = await startService({
      seed: { users: [{ name: "A", email: "a@people.example" }], docs: [{ title: "Source" }] },
    });
    const args = ["--token-env", "DOCS_TOKEN", "--database", "docs.db"];
    await (await startService({ database: join(folder.path, "docs.db") })).close();
    const used = await run(["--from", source.url, ...args], folder.path, {
      DOCS_TOKEN: source.token,
    });
    expect([used.code, used.stderr]).toEqual([
      2,
      expect.stringContaining("already contains other documents"),
    ]);
    for (const [from, env] of [
      ["http://docs.service.example/apis/v1", { DOCS_TOKEN: "t" }],
      ["https://user:pass@docs.service.example", { DOCS_TOKEN: "t" }],
      [source.url, {}],
    ] as const) {
      expect((await run(["--from", from, ...args], folder.path, env)).code).toBe(2);
    }
  });

  it("never prints the token", async () => {
    using folder = makeTemporaryFolder();
    await using source = await startService();
    await writeFile(join(folder.path, "file"), "");
    const failed = await run(
      ["--from", `${source.url}/wrong`, "--token-env", "T", "--debug", "--json"],
      folder.path,
      { T: source.token },
    );
    const refused = await run(
      ["--from", source.url, "--token-env", "T", "--out", "file/seed.json"],
      folder.path,
      { T: source.token },
    );
    expect([failed.code, refused.code]).toEqual([11, 10]);
    for (const { stdout, stderr } of [failed, refused])
      expect(stdout + stderr).not.toContain(source.token);
  });
});
