import { expect, it } from "vitest";
import { deletePage } from "../../../../src/service/local/edits/apply-page.ts";
import { findParts, listParts } from "../../../../src/service/local/store/doc-parts.ts";
import { loadSeed } from "../../../../src/service/local/store/load-seed.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { parseSeed } from "../../../../src/service/local/store/seed.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

const BELOW = 60;

it("a page is deleted with the pages below it by few statements, however many they are", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const below = Array.from({ length: BELOW }, (_, at) => ({ name: `P${at}`, parent: "Top" }));
  const pages = [{ name: "Kept" }, { name: "Top" }, ...below].map((page) => ({
    ...page,
    id: `canvas-${page.name}`,
    content: `text of ${page.name}`,
  }));
  const seed = parseSeed({
    users: [{ name: "U", email: "u@people.example" }],
    docs: [{ id: "d", title: "D", pages }],
  });
  await storage.transaction((transaction) => loadSeed(transaction, seed, 0));
  let statements = 0;
  const counted = storage.db.withPlugin({
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const warnings = new Set<string>();
  const target = { docId: "d", seq: 2, nowMs: 5, author: undefined, warnings };
  await counted
    .transaction()
    .execute((db) => deletePage({ ...target, db: db as never }, "canvas-Top"));
  expect(warnings).toEqual(new Set());
  expect(statements).toBeLessThan(10);
  const { db } = storage;
  expect((await listParts(db, "d", "page")).map(({ name }) => name)).toEqual(["Kept"]);
  expect((await listParts(db, "d", "content")).map(({ id }) => id)).toEqual(["canvas-Kept"]);
  const deleted = await listParts(db, "d", "deletedPage");
  expect(deleted.map(({ id }) => id)).toEqual(pages.slice(1).map(({ id }) => id));
  expect(deleted[0]).toEqual({ id: "canvas-Top", name: "Top", position: 1, deletedAtMs: 5 });
  for (const kind of ["page", "content"] as const)
    expect(await findParts(db, { docId: "d", kind, seq: 1 })).toHaveLength(pages.length);
});
