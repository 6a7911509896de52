import { expectTypeOf } from "vitest";
import {
  type AcceptedEdit,
  type AclSettings,
  type AnalyticsLastUpdated,
  type ButtonPushed,
  type Column,
  type Control,
  type ControlReference,
  type Doc,
  type DocAnalytics,
  type DocAnalyticsSummary,
  type DocCategory,
  type Done,
  type Envelope,
  type Formula,
  type FormulaReference,
  type List,
  type MutationStatus,
  type Open,
  type OperationId,
  type PackAnalytics,
  type PackAnalyticsSummary,
  type PackFormulaAnalytics,
  type Page,
  type PageAnalytics,
  type PageContentItem,
  type PageEdited,
  type PageExport,
  type PageExportBegun,
  type PathOf,
  type Permission,
  type PrincipalSearch,
  packTransport,
  type ResolvedLink,
  type Row,
  type RowEdited,
  type RowEnvelope,
  type RowsDeleted,
  type RowsUpserted,
  type ServiceClient,
  type SharingMetadata,
  type Table,
  type TableReference,
  type User,
} from "../../../../src/service.ts";

declare const client: ServiceClient;
const doc = client.doc("d");
const page = doc.page("p");
const table = doc.table("t");
type Of<Method extends (...given: never[]) => unknown> = Awaited<ReturnType<Method>>;

// Every operation, by its resource.
expectTypeOf<Of<typeof client.whoami>>().toEqualTypeOf<User>();
expectTypeOf<ReturnType<typeof client.docs.list>>().toExtend<List<Doc>>();
expectTypeOf<Of<typeof client.docs.get>>().toEqualTypeOf<Doc>();
expectTypeOf<Of<typeof client.docs.create>>().toEqualTypeOf<Doc & AcceptedEdit>();
expectTypeOf<Of<typeof client.docs.resolve>>().toEqualTypeOf<Doc>();
expectTypeOf<Of<typeof client.categories>>().toEqualTypeOf<{ items: DocCategory[] }>();
expectTypeOf<Of<typeof client.resolveLink>>().toEqualTypeOf<ResolvedLink>();
expectTypeOf<Of<typeof client.mutationStatus>>().toEqualTypeOf<MutationStatus>();

expectTypeOf<Of<typeof doc.get>>().toEqualTypeOf<Doc>();
expectTypeOf<Of<typeof doc.update>>().toEqualTypeOf<Done>();
expectTypeOf<Of<typeof doc.delete>>().toEqualTypeOf<Done>();
expectTypeOf<Of<typeof doc.publish>>().toEqualTypeOf<AcceptedEdit>();
expectTypeOf<Of<typeof doc.unpublish>>().toEqualTypeOf<Done>();
expectTypeOf<Of<typeof doc.triggerAutomation>>().toEqualTypeOf<AcceptedEdit>();

expectTypeOf<Of<typeof doc.sharing.metadata>>().toEqualTypeOf<SharingMetadata>();
expectTypeOf<ReturnType<typeof doc.sharing.permissions>>().toExtend<List<Permission>>();
expectTypeOf<Of<typeof doc.sharing.share>>().toEqualTypeOf<Done>();
expectTypeOf<Of<typeof doc.sharing.unshare>>().toEqualTypeOf<Done>();
expectTypeOf<Of<typeof doc.sharing.searchPrincipals>>().toEqualTypeOf<PrincipalSearch>();
expectTypeOf<Of<typeof doc.sharing.settings>>().toEqualTypeOf<AclSettings>();
expectTypeOf<Of<typeof doc.sharing.updateSettings>>().toEqualTypeOf<AclSettings>();

expectTypeOf<ReturnType<typeof doc.pages.list>>().toExtend<List<Page>>();
expectTypeOf<Of<typeof doc.pages.create>>().toEqualTypeOf<PageEdited>();
expectTypeOf<Of<typeof doc.pages.resolve>>().toEqualTypeOf<Page>();
expectTypeOf<Of<typeof page.get>>().toEqualTypeOf<Page>();
expectTypeOf<Of<typeof page.update>>().toEqualTypeOf<PageEdited>();
expectTypeOf<Of<typeof page.delete>>().toEqualTypeOf<PageEdited>();
expectTypeOf<ReturnType<typeof page.content.list>>().toExtend<List<PageContentItem>>();
expectTypeOf<Of<typeof page.content.delete>>().toEqualTypeOf<PageEdited>();
expectTypeOf<Of<typeof page.beginExport>>().toEqualTypeOf<PageExportBegun>();
expectTypeOf<Of<typeof page.exportStatus>>().toEqualTypeOf<PageExport>();

expectTypeOf<ReturnType<typeof doc.tables.list>>().toExtend<List<TableReference>>();
expectTypeOf<Of<typeof table.get>>().toEqualTypeOf<Table>();
expectTypeOf<ReturnType<typeof table.columns.list>>().toExtend<List<Column>>();
expectTypeOf<Of<typeof table.columns.get>>().toEqualTypeOf<Column>();
expectTypeOf<ReturnType<typeof table.rows.list>>().toExtend<List<Row, RowEnvelope>>();
expectTypeOf<Of<typeof table.rows.get>>().toEqualTypeOf<Row>();
expectTypeOf<Of<typeof table.rows.insert>>().toEqualTypeOf<RowsUpserted>();
expectTypeOf<Of<typeof table.rows.upsert>>().toEqualTypeOf<RowsUpserted>();
expectTypeOf<Of<typeof table.rows.update>>().toEqualTypeOf<RowEdited>();
expectTypeOf<Of<typeof table.rows.delete>>().toEqualTypeOf<RowEdited>();
expectTypeOf<Of<typeof table.rows.deleteMany>>().toEqualTypeOf<RowsDeleted>();
expectTypeOf<Of<typeof table.rows.pushButton>>().toEqualTypeOf<ButtonPushed>();

expectTypeOf<ReturnType<typeof doc.formulas.list>>().toExtend<List<FormulaReference>>();
expectTypeOf<Of<typeof doc.formulas.get>>().toEqualTypeOf<Formula>();
expectTypeOf<ReturnType<typeof doc.controls.list>>().toExtend<List<ControlReference>>();
expectTypeOf<Of<typeof doc.controls.get>>().toEqualTypeOf<Control>();

expectTypeOf<ReturnType<typeof client.analytics.docs>>().toExtend<List<DocAnalytics>>();
expectTypeOf<Of<typeof client.analytics.docsSummary>>().toEqualTypeOf<DocAnalyticsSummary>();
expectTypeOf<ReturnType<typeof client.analytics.pages>>().toExtend<List<PageAnalytics>>();
expectTypeOf<ReturnType<typeof client.analytics.packs>>().toExtend<List<PackAnalytics>>();
expectTypeOf<Of<typeof client.analytics.packsSummary>>().toEqualTypeOf<PackAnalyticsSummary>();
expectTypeOf<ReturnType<typeof client.analytics.packFormulas>>().toExtend<
  List<PackFormulaAnalytics>
>();
expectTypeOf<Of<typeof client.analytics.lastUpdated>>().toEqualTypeOf<AnalyticsLastUpdated>();
expectTypeOf<DocAnalytics["metrics"][number]["views"]>().toEqualTypeOf<number>();
expectTypeOf<PackAnalytics["metrics"][number]["revenueUsd"]>().toEqualTypeOf<string>();

// A list is awaited for its first page and iterated over for its items.
const rows = table.rows.list({ valueFormat: "rich", fresh: "wait" });
expectTypeOf<Awaited<typeof rows>>().toExtend<RowEnvelope>();
expectTypeOf<(typeof rows)[typeof Symbol.asyncIterator]>().returns.toExtend<AsyncIterator<Row>>();
expectTypeOf(rows.all({ max: 5 })).toEqualTypeOf<Promise<Row[]>>();
expectTypeOf<Awaited<ReturnType<typeof doc.tables.list>>>().toExtend<Envelope<TableReference>>();

// Any operation by its name, with the parameters that its path has.
expectTypeOf(client.call("whoami")).toEqualTypeOf<Promise<User>>();
expectTypeOf(
  client.call("getRow", { path: { docId: "d", tableIdOrName: "t", rowIdOrName: "r" } }),
).toEqualTypeOf<Promise<Row>>();
expectTypeOf<PathOf<"pushButton">>().toEqualTypeOf<
  Readonly<Record<"docId" | "tableIdOrName" | "rowIdOrName" | "columnIdOrName", string>>
>();
expectTypeOf<OperationId>().toExtend<string>();
// @ts-expect-error the path needs a document
client.call("getDoc");
// @ts-expect-error and has no other parameters
client.call("getDoc", { path: { docId: "d", tableIdOrName: "t" } });
// @ts-expect-error there is no such operation
client.call("getFolder", { path: { folderId: "f" } });

// What is not taken, is not accepted.
// @ts-expect-error a table has no query
table.get({ query: "x" });
// @ts-expect-error rows need cells that can be written
table.rows.insert({ rows: [{ Name: null }] });
// @ts-expect-error an upsert needs a key
table.rows.upsert({ key: [], rows: [] });
// @ts-expect-error permissions need a principal
doc.sharing.share({ access: "write" });
// @ts-expect-error the page of a document that is mirrored needs both ids
doc.pages.create({ pageContent: { type: "syncPage", mode: "page", sourceDocId: "d" } });

// Open lists of values: the known ones complete, others pass.
expectTypeOf<Open<"a">>().toExtend<string>();
expectTypeOf<string>().toExtend<Table["layout"]>();
expectTypeOf<string>().toExtend<Column["format"]["type"]>();
doc.sharing.share({ access: "manage", principal: { type: "anyone" } });

// What a Pack has, is enough.
declare const context: { fetcher: import("../../../../src/index.ts").ExecutionContext["fetcher"] };
packTransport(context.fetcher);
// What a browser's or Node's signal is, too.
client.whoami({ signal: AbortSignal.timeout(1), deadlineMs: 5 });
