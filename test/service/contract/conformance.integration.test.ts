import { expect, it } from "vitest";
import { OPERATIONS, type OperationId } from "../../../src/service/contract/operations.ts";
import { createServiceClient, type Exchange, ServiceError } from "../../../src/service.ts";
import { startTestService } from "../support.ts";
import { checkExchange } from "./check-exchange.ts";

it("every operation of the running service answers what its model describes", async () => {
  await using test = await startTestService();
  const exchanges: Exchange[] = [];
  const client = createServiceClient({
    baseUrl: test.service.url,
    token: test.service.token,
    observe(exchange) {
      if (exchange.event !== "response") return;
      exchanges.push(exchange);
      checkExchange(exchange);
    },
  });
  const attempt = async <Body>(request: PromiseLike<Body>): Promise<Body | undefined> => {
    try {
      return await request;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  };
  const { docId, automationRuleId } = test.service;
  const doc = client.doc(docId);
  const [page] = (await doc.pages.list()).items;
  const [formula] = (await doc.formulas.list()).items;
  const [control] = (await doc.controls.list()).items;
  const table = doc.table("Tasks");
  const { items: columns } = await table.columns.list({ limit: 100 });
  const [row] = (await table.rows.list({ limit: 2 })).items;
  const pageId = page?.id ?? "";
  const rowId = row?.id ?? "";

  await client.whoami();
  await client.docs.list();
  await doc.get();
  await doc.get({ fresh: "latest" });
  await table.get();
  await doc.tables.list();
  await table.columns.get(columns[0]?.id ?? "");
  for (const valueFormat of ["simple", "simpleWithArrays", "rich"] as const)
    await table.rows.list({ valueFormat, useColumnNames: true });
  await table.rows.get(rowId, { valueFormat: "rich" });
  const inserted = await table.rows.insert({ rows: [{ Title: "One" }] });
  await test.service.settle();
  await client.mutationStatus(inserted.requestId);
  await table.rows.upsert({ key: ["Title"], rows: [{ Title: "One" }] });
  await table.rows.update(rowId, { Title: "Two" });
  const button = columns.find(({ format }) => format.type === "button");
  await attempt(table.rows.pushButton(rowId, button?.id ?? "none"));
  await table.rows.deleteMany(["i-unknown"]);
  await table.rows.delete(rowId);
  await doc.formulas.get(formula?.id ?? "");
  await doc.controls.get(control?.id ?? "");
  await doc.triggerAutomation(automationRuleId, { any: ["thing"] });
  await client.categories();

  await doc.page(pageId).get();
  await attempt(doc.page(pageId).update({ subtitle: "New" }));
  await attempt(doc.page(pageId).content.list());
  await attempt(doc.page(pageId).content.delete(["cl-unknown"]));
  const begun = await attempt(doc.page(pageId).beginExport({ outputFormat: "html" }));
  await attempt(doc.page(pageId).exportStatus(begun?.id ?? "none"));
  const created = await attempt(
    doc.pages.create({
      name: "New",
      pageContent: { type: "canvas", canvasContent: { format: "html", content: "<p>x" } },
    }),
  );
  await test.service.settle();
  await attempt(doc.page(created?.id ?? "none").delete());

  await attempt(doc.sharing.metadata());
  await attempt(
    doc.sharing.share({
      access: "write",
      principal: { type: "email", email: "new@people.example" },
    }),
  );
  const permissions = await attempt(doc.sharing.permissions());
  const shared = permissions?.items.find(
    ({ principal }) => principal.type === "email" && principal.email.startsWith("new@"),
  );
  await attempt(doc.sharing.unshare(shared?.id ?? "none"));
  await attempt(doc.sharing.searchPrincipals({ query: "a" }));
  await attempt(doc.sharing.settings());
  await attempt(doc.sharing.updateSettings({ allowCopying: true }));
  await attempt(doc.update({ title: "Renamed" }));
  await attempt(doc.publish({ slug: "tasks", mode: "view" }));
  await attempt(doc.unpublish());
  await attempt(client.resolveLink({ url: (await doc.get()).browserLink }));

  await client.analytics.docs({ scale: "cumulative", orderBy: "views", direction: "descending" });
  await client.analytics.docsSummary({ isPublished: false });
  await attempt(client.analytics.pages(docId));
  const packs = await client.analytics.packs({ limit: 1 });
  await client.analytics.packsSummary({ packIds: [1, 2] });
  await client.analytics.packFormulas(packs.items[0]?.pack.id ?? 1);
  await client.analytics.lastUpdated();
  const copy = await client.docs.create({ title: "Copy", sourceDoc: docId });
  await attempt(client.doc(copy.id).delete());

  const succeeded = new Set(
    exchanges.filter(({ status }) => status < 300).map(({ operation }) => operation),
  );
  expect(Object.keys(OPERATIONS).filter((id) => !succeeded.has(id as OperationId))).toEqual([]);
});
