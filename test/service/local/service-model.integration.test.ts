import fc from "fast-check";
import { expect, it } from "vitest";
import { isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

/** What the model knows: pages in a tree, rows of one table, and what was published. */
interface Model {
  title: string;
  pages: {
    id: string;
    name: string;
    parentId: string | undefined;
    isHidden: boolean;
    lines: string[];
  }[];
  rows: { id: string; Key: string; Value: number }[];
  slug: string | undefined;
  access: Map<string, string>;
}

type Step = (model: Model, test: ServiceUnderTest) => Promise<void>;

const DOC = "/docs/model";
const ROWS = `${DOC}/tables/T/rows`;
const name = fc.constantFrom("a", "b", "c d", "ü/😀", "__proto__", "'; --");
const text = fc.constantFrom("one", "two", "three");
const place = fc.nat(6);
const rowList = fc.array(fc.record({ Key: name, Value: fc.integer({ min: -9, max: 9 }) }), {
  maxLength: 3,
});
const createCells = (row: object) => ({
  cells: Object.entries(row).map(([column, value]) => ({ column, value })),
});

async function send(
  test: ServiceUnderTest,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await test.write(method, path, body);
  expect([200, 202], `${method} ${path} ${JSON.stringify(answer.body)}`).toContain(answer.status);
  const { requestId } = answer.body;
  // On a busy machine the service may not wait long enough for the edit.
  const readStatus = async () => (await test.send(`/mutationStatus/${requestId}`)).body;
  if (requestId !== undefined) await expect.poll(readStatus).toEqual({ completed: true });
  return answer.body;
}

const subtree = (model: Model, id: string): string[] => [
  id,
  ...model.pages
    .filter(({ parentId }) => parentId === id)
    .flatMap((page) => subtree(model, page.id)),
];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(name, place, fc.array(text, { maxLength: 3 })).map(
    ([called, at, lines]): Step =>
      async (model, test) => {
        const parentId = model.pages[at]?.id;
        const pageContent = {
          type: "canvas",
          canvasContent: { format: "markdown", content: lines.join("\n\n") },
        };
        const { id } = await send(test, "POST", `${DOC}/pages`, {
          name: called,
          parentPageId: parentId,
          pageContent,
        });
        model.pages.push({ id: String(id), name: called, parentId, isHidden: false, lines });
      },
  ),
  fc.tuple(place, fc.constantFrom("append", "prepend", "replace"), text, fc.boolean()).map(
    ([at, mode, line, isHidden]): Step =>
      async (model, test) => {
        const page = model.pages[at];
        if (page === undefined) return;
        const canvasContent = { format: "html", content: `<p>${line}</p>` };
        await send(test, "PUT", `${DOC}/pages/${page.id}`, {
          isHidden,
          contentUpdate: { insertionMode: mode, canvasContent },
        });
        page.lines =
          mode === "replace"
            ? [line]
            : mode === "append"
              ? [...page.lines, line]
              : [line, ...page.lines];
        const isSole =
          page.parentId === undefined &&
          model.pages.filter(({ parentId }) => parentId === undefined).length === 1;
        if (!isHidden || !isSole) page.isHidden = isHidden;
      },
  ),
  place.map(
    (at): Step =>
      async (model, test) => {
        const page = model.pages[at];
        if (page === undefined) return;
        const gone = subtree(model, page.id);
        const answer = await test.send(`${DOC}/pages/${page.id}`, { method: "DELETE" });
        expect(answer.status).toBe(gone.length === model.pages.length ? 400 : 202);
        if (answer.status === 202) model.pages = model.pages.filter(({ id }) => !gone.includes(id));
      },
  ),
  place.map(
    (at): Step =>
      async (model, test) => {
        const page = model.pages[at];
        if (page === undefined) return;
        await send(test, "DELETE", `${DOC}/pages/${page.id}/content`);
        page.lines = [];
      },
  ),
  rowList.map(
    (rows): Step =>
      async (model, test) => {
        const { addedRowIds } = await send(test, "POST", ROWS, { rows: rows.map(createCells) });
        model.rows.push(
          ...rows.map((row, at) => ({ ...row, id: (addedRowIds as string[])[at] ?? "" })),
        );
      },
  ),
  rowList.map(
    (rows): Step =>
      async (model, test) => {
        const known = new Set(model.rows.map(({ id }) => id));
        await send(test, "POST", ROWS, { rows: rows.map(createCells), keyColumns: ["Key"] });
        for (const row of rows) {
          const matches = model.rows.filter(({ Key }) => Key === row.Key);
          for (const match of matches) match.Value = row.Value;
          if (matches.length === 0) model.rows.push({ ...row, id: "" });
        }
        const ids = (await listRows(test)).map(({ id }) => id).filter((id) => !known.has(id));
        for (const row of model.rows) if (row.id === "") row.id = ids.shift() ?? "";
      },
  ),
  fc.tuple(place, fc.integer({ min: -9, max: 9 })).map(
    ([at, Value]): Step =>
      async (model, test) => {
        const row = model.rows[at];
        if (row === undefined) return;
        await send(test, "PUT", `${ROWS}/${row.id}`, { row: createCells({ Value }) });
        row.Value = Value;
      },
  ),
  fc.array(place, { maxLength: 3 }).map(
    (places): Step =>
      async (model, test) => {
        const rowIds = places.map((at) => model.rows[at]?.id ?? "i-none");
        await send(test, "DELETE", ROWS, { rowIds });
        model.rows = model.rows.filter(({ id }) => !rowIds.includes(id));
      },
  ),
  name.map(
    (title): Step =>
      async (model, test) => {
        await send(test, "PATCH", DOC, { title });
        model.title = title;
      },
  ),
  fc.constantFrom("one", "two").map(
    (slug): Step =>
      async (model, test) => {
        await send(test, "PUT", `${DOC}/publish`, { slug });
        model.slug = slug;
      },
  ),
  fc.constant<Step>(async (model, test) => {
    await send(test, "DELETE", `${DOC}/publish`);
    model.slug = undefined;
  }),
  fc.tuple(name, fc.constantFrom("readonly", "write", "comment")).map(
    ([email, access]): Step =>
      async (model, test) => {
        await send(test, "POST", `${DOC}/acl/permissions`, {
          access,
          principal: { type: "email", email },
        });
        model.access.set(email, access);
      },
  ),
);

interface Items<Item> {
  items: Item[];
}

async function get<Body>(test: ServiceUnderTest, path: string): Promise<Body> {
  const { status, body } = await test.send(path);
  expect(status, path).toBe(200);
  return body as Body;
}

async function listRows(test: ServiceUnderTest) {
  const path = `${ROWS}?useColumnNames=true&limit=500`;
  return (
    await get<Items<{ id: string; index: number; values: { Key: string; Value: number } }>>(
      test,
      path,
    )
  ).items;
}

async function compare(model: Model, test: ServiceUnderTest): Promise<void> {
  expect((await listRows(test)).map(({ id, index, values }) => ({ id, index, ...values }))).toEqual(
    model.rows.map(({ id, Key, Value }, index) => ({ id, index, Key, Value })),
  );
  const doc = await get<{ name: string; published?: { browserLink: string } }>(test, DOC);
  expect([doc.name, doc.published?.browserLink.split("@")[1]]).toEqual([model.title, model.slug]);
  const pages = await get<
    Items<{ id: string; name: string; isHidden: boolean; parent?: { id: string } }>
  >(test, `${DOC}/pages?limit=100`);
  expect(
    pages.items.map(({ id, name: called, isHidden, parent }) => [id, called, isHidden, parent?.id]),
  ).toEqual(
    model.pages.map(({ id, name: called, isHidden, parentId }) => [id, called, isHidden, parentId]),
  );
  for (const page of model.pages) {
    const { items } = await get<Items<{ itemContent: { content: string } }>>(
      test,
      `${DOC}/pages/${page.id}/content`,
    );
    expect(items.map(({ itemContent }) => itemContent.content)).toEqual(page.lines);
  }
  const permissions = await get<Items<{ access: string; principal: { email: string } }>>(
    test,
    `${DOC}/acl/permissions?limit=100`,
  );
  expect(
    permissions.items.slice(1).map(({ access, principal }) => [principal.email, access]),
  ).toEqual([...model.access]);
}

onEachDatabase("random edits", (start) => {
  it("leave the service as they leave a model of plain arrays", async () => {
    await using test = await start({
      seed: {
        users: [{ name: "Owner", email: "owner@service.example" }],
        docs: [
          {
            id: "model",
            title: "Model",
            // On no page, so that it does not go with one.
            tables: [{ name: "T", columns: [{ name: "Key" }, { name: "Value", type: "number" }] }],
          },
        ],
      },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        await test.service.reset();
        const model: Model = {
          title: "Model",
          pages: [],
          rows: [],
          slug: undefined,
          access: new Map(),
        };
        await compare(model, test);
        for (const apply of steps) await apply(model, test);
        await compare(model, test);
      }),
      {
        numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? (isLong ? 60 : 20)),
      },
    );
  }, 3_600_000);
});
