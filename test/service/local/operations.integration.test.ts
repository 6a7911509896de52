import { expect, it } from "vitest";
import { OPERATIONS, type Operation, type OperationId } from "../../../src/service.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { recordStatements, withoutDocument } from "./recorded-statements.ts";

/** One good request of an operation, and what its answer has at least. */
interface Case {
  /** Path parameters beside the document of the demo; a function when they are found first. */
  path?: Record<string, string> | ((test: ServiceUnderTest) => Promise<Record<string, string>>);
  query?: string;
  body?: unknown;
  answer: object;
}

const TASKS = { tableIdOrName: "Tasks" };
const START = { pageIdOrName: "Start" };
const list = (item: object) => ({ items: expect.arrayContaining([expect.objectContaining(item)]) });
const accepted = { requestId: expect.stringMatching(/^mutate:[0-9a-f-]{36}$/) };
const firstRow = async (test: ServiceUnderTest) => {
  const { items } = await test.client
    .doc(test.service.docId)
    .table("Tasks")
    .rows.list({ limit: 1 });
  return { ...TASKS, rowIdOrName: items[0]?.id ?? "" };
};

const CASES = {
  listDocs: {
    query: "limit=5",
    answer: { ...list({ type: "doc", name: "Demo document" }), href: expect.any(String) },
  },
  createDoc: {
    body: { title: "New" },
    answer: { ...accepted, type: "doc", name: "New", owner: "first.owner@service.example" },
  },
  getDoc: {
    answer: {
      type: "doc",
      ownerName: "First Owner",
      workspace: { type: "workspace" },
      docSize: { totalRowCount: 44, pageCount: 3 },
    },
  },
  deleteDoc: { answer: {} },
  updateDoc: { body: { title: "Renamed" }, answer: {} },
  getSharingMetadata: {
    answer: { canShare: true, canShareWithWorkspace: true, canShareWithOrg: true, canCopy: true },
  },
  getPermissions: {
    answer: list({
      access: "readonly",
      principal: { type: "email", email: "first.viewer@service.example" },
    }),
  },
  addPermission: { body: { access: "comment", principal: { type: "anyone" } }, answer: {} },
  deletePermission: {
    path: async (test) => {
      const { body } = await test.send(`/docs/${test.service.docId}/acl/permissions`);
      return { permissionId: (body["items"] as { id: string }[])[1]?.id ?? "" };
    },
    answer: {},
  },
  searchPrincipals: {
    query: "query=viewer",
    answer: { users: [{ name: "First Viewer", type: "user" }], groups: [] },
  },
  getAclSettings: {
    answer: {
      allowEditorsToChangePermissions: true,
      allowCopying: true,
      allowViewersToRequestEditing: true,
    },
  },
  updateAclSettings: {
    body: { allowCopying: false },
    answer: { allowCopying: false, allowViewersToRequestEditing: true },
  },
  listCategories: { answer: list({ name: "Design" }) },
  publishDoc: { body: { slug: "demo", mode: "play" }, answer: accepted },
  unpublishDoc: { answer: {} },
  listPages: {
    answer: list({ type: "page", name: "Plans", contentType: "canvas", isHidden: false }),
  },
  createPage: {
    body: { name: "New" },
    answer: { ...accepted, id: expect.stringMatching(/^canvas-/) },
  },
  getPage: {
    path: START,
    answer: {
      type: "page",
      name: "Start",
      subtitle: "What there is to do",
      children: [{ name: "Plans" }],
    },
  },
  updatePage: {
    path: START,
    body: { subtitle: "x" },
    answer: { ...accepted, id: "canvas-demoStart1" },
  },
  deletePage: { path: START, answer: { ...accepted, id: "canvas-demoStart1" } },
  listPageContent: {
    path: START,
    answer: list({
      type: "line",
      itemContent: { style: "h1", format: "plainText", content: "Welcome" },
    }),
  },
  deletePageContent: { path: START, answer: { ...accepted, id: "canvas-demoStart1" } },
  beginPageContentExport: {
    path: START,
    body: { outputFormat: "html" },
    answer: { status: "inProgress", href: expect.any(String) },
  },
  getPageContentExportStatus: {
    path: async (test) => {
      const { body } = await test.write("POST", `/docs/${test.service.docId}/pages/Start/export`, {
        outputFormat: "markdown",
      });
      return { ...START, requestId: String(body["id"]) };
    },
    answer: { status: "complete", downloadLink: expect.stringContaining("/exports/") },
  },
  triggerWebhookAutomation: {
    path: { ruleId: "grid-auto-demoRule01" },
    body: { a: 1 },
    answer: accepted,
  },
  listTables: { answer: list({ type: "table", tableType: "view", name: "Tasks to do" }) },
  getTable: {
    path: TASKS,
    answer: { type: "table", rowCount: 24, layout: "default", displayColumn: { type: "column" } },
  },
  listColumns: { path: TASKS, answer: list({ type: "column", name: "Due" }) },
  getColumn: {
    path: { ...TASKS, columnIdOrName: "Title" },
    answer: { name: "Title", display: true, parent: { type: "table" } },
  },
  listRows: {
    path: TASKS,
    answer: { ...list({ type: "row", index: 0 }), nextSyncToken: expect.any(String) },
  },
  upsertRows: {
    path: TASKS,
    body: { rows: [{ cells: [{ column: "Title", value: "x" }] }] },
    answer: { ...accepted, addedRowIds: [expect.stringMatching(/^i-/)] },
  },
  deleteRows: {
    path: TASKS,
    body: { rowIds: ["i-none"] },
    answer: { ...accepted, rowIds: ["i-none"] },
  },
  getRow: {
    path: firstRow,
    query: "useColumnNames=true",
    answer: { type: "row", name: "Draft the welcome guide", parent: { type: "table" } },
  },
  updateRow: {
    path: firstRow,
    body: { row: { cells: [] } },
    answer: { ...accepted, id: expect.stringMatching(/^i-/) },
  },
  deleteRow: { path: firstRow, answer: { ...accepted, id: expect.stringMatching(/^i-/) } },
  pushButton: {
    path: async (test) => ({ ...(await firstRow(test)), columnIdOrName: "Close" }),
    answer: { ...accepted, rowId: expect.stringMatching(/^i-/), columnId: "c-demoClose1" },
  },
  listFormulas: { answer: list({ type: "formula", name: "Statuses" }) },
  getFormula: { path: { formulaIdOrName: "Open tasks" }, answer: { type: "formula", value: 18 } },
  listControls: { answer: list({ type: "control", name: "Only mine" }) },
  getControl: {
    path: { controlIdOrName: "Only mine" },
    answer: { controlType: "checkbox", value: false },
  },
  whoami: {
    answer: {
      type: "user",
      loginId: "first.owner@service.example",
      scoped: false,
      workspace: { organizationId: "org-local00000" },
    },
  },
  listDocAnalytics: { answer: list({ doc: expect.objectContaining({ title: "Demo document" }) }) },
  listDocAnalyticsSummary: { answer: { totalSessions: expect.any(Number) } },
  listPageAnalytics: { answer: list({ page: expect.objectContaining({ name: "Start" }) }) },
  listPackAnalytics: { answer: list({ pack: expect.objectContaining({ id: 1001 }) }) },
  listPackAnalyticsSummary: { answer: { totalDocInstalls: 14 } },
  listPackFormulaAnalytics: {
    path: { packId: "1001" },
    answer: list({ formula: { name: "ListTasks", type: "formula" } }),
  },
  getAnalyticsLastUpdated: {
    answer: { docAnalyticsLastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  },
  resolveBrowserLink: {
    query: `url=${encodeURIComponent("https://docs.service.example/d/Demo_ddemoDoc001")}`,
    answer: { type: "apiLink", resource: { type: "doc", id: "demoDoc001", name: "Demo document" } },
  },
  getMutationStatus: {
    path: async (test) => ({
      requestId: (
        await test.client.doc(test.service.docId).table("Tasks").rows.insert({ rows: [] })
      ).requestId,
    }),
    answer: { completed: true },
  },
} satisfies Record<OperationId, Case>;

onEachDatabase("every operation", (start) => {
  it.each(Object.entries(CASES) as [OperationId, Case][])(
    "%s answers what is documented, and names the document in its queries",
    async (id, { path, query, body, answer }) => {
      await using test = await start();
      const operation: Operation = OPERATIONS[id];
      const parameters: Record<string, string> = {
        docId: test.service.docId,
        ...(typeof path === "function" ? await path(test) : path),
      };
      const url = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(parameters[name] ?? ""),
      );
      const statements = recordStatements();
      const answered = await test.write(
        operation.method,
        query === undefined ? url : `${url}?${query}`,
        body,
      );
      expect(answered.body).toMatchObject(answer);
      expect(answered.status).toBe(operation.status);
      const { requestId } = answered.body;
      if (typeof requestId === "string")
        expect((await test.send(`/mutationStatus/${requestId}`)).body).toEqual({
          completed: true,
        });
      await test.service.settle();
      expect(withoutDocument(statements)).toEqual([]);
    },
  );
});
