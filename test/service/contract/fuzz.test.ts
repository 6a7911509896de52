import fc from "fast-check";
import { expect, it } from "vitest";
import { OPERATIONS, type OperationId } from "../../../src/service/contract/operations.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { checkExchange } from "./check-exchange.ts";
import { describedOperations, requestsOf } from "./fuzz-requests.ts";

/** With `PACKSMITH_TEST_RUNS=100000`, the complete run. */
const RUNS = Number(process.env["PACKSMITH_TEST_RUNS"] ?? 2_000);
/** The documents are as they were in the beginning after so many requests, because some of them delete what others need. */
const RESET_EVERY = 100;
/** Stand for ids of requests that were made after the latest reset. */
const [EDIT, EXPORT] = ["EDIT-ID", "EXPORT-ID"];

onEachDatabase("requests made from the description that the service gives of itself", (start) => {
  it("are answered as described, whether they are valid or not", async () => {
    await using test = await start();
    const description = await (await fetch(new URL("/openapi.json", test.service.url))).json();
    // Those of the registry have no models for their refusals here; their own tests hold them.
    const operations = describedOperations(description).filter(({ operationId }) => operationId in OPERATIONS);
    const names = await namesIn(test);
    const succeeded = new Set<string>();
    let current = { edit: "", export: "" };
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(requestsOf(description, operations, names), async ({ operation, path, init }) => {
        if (sent++ % RESET_EVERY === 0) {
          await test.service.reset();
          current = await requestIds(test);
        }
        const response = await fetch(test.service.url + path.replace(EDIT, current.edit).replace(EXPORT, current.export), {
          ...init,
          headers: { ...init.headers, Authorization: `Bearer ${test.service.token}` },
          signal: AbortSignal.timeout(60_000),
        });
        const text = await response.text();
        const what = `${init.method} ${path.slice(0, 300)} ${String(init.body).slice(0, 500)} → ${response.status} ${text.slice(0, 300)}`;
        expect(Object.keys(operation.responses), what).toContain(String(response.status));
        checkExchange({ operation: operation.operationId as OperationId, status: response.status, body: JSON.parse(text) } as never);
        if (response.ok) succeeded.add(operation.operationId);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    // The requests are good enough to reach what they are for.
    expect(operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id))).toEqual([]);
    await test.service.settle();
    expect((await test.send("/docs")).status).toBe(200);
  }, 3_600_000);
});

/** The ids of an edit and of an export of the page "Start", which a reset removes. */
async function requestIds({ client, service }: ServiceUnderTest): Promise<{ edit: string; export: string }> {
  const doc = client.doc(service.docId);
  const edit = await doc.table("Tasks").rows.insert({ rows: [{ Title: "One" }] });
  const begun = await doc.page("Start").beginExport({ outputFormat: "html" });
  return { edit: edit.requestId, export: begun.id };
}

/** What paths and bodies can name, by the name of the parameter. */
async function namesIn({ client, service }: ServiceUnderTest): Promise<Record<string, string[]>> {
  const doc = client.doc(service.docId);
  const table = doc.table("Tasks");
  const { items: rows } = await table.rows.list({ limit: 3 });
  const { items: columns } = await table.columns.list({ limit: 100 });
  const { items: permissions } = await doc.sharing.permissions();
  const { browserLink: link, folder } = await doc.get();
  return {
    docId: [service.docId],
    permissionId: permissions.map(({ id }) => id),
    pageIdOrName: ["Start", "Plans", "canvas-demoAttic1"],
    requestId: [EDIT, EXPORT],
    ruleId: [service.automationRuleId],
    tableIdOrName: ["Tasks", "Tasks to do", "Projects", "table-demoAll01"],
    columnIdOrName: ["Title", "Close", ...columns.map(({ id }) => id)],
    rowIdOrName: rows.flatMap(({ id, name }) => [id, name]),
    formulaIdOrName: ["Open tasks"],
    controlIdOrName: ["Only mine"],
    packId: ["1001"],

    column: columns.flatMap(({ id, name }) => [id, name]),
    keyColumns: ["Title", "Status"],
    rowIds: rows.map(({ id }) => id),
    sourceDoc: [service.docId],
    parentPageId: ["canvas-demoStart1"],
    timezone: ["Europe/Zurich"],
    query: ['Status:"Done"', '"Done":true', 'c-demoProj01:"Atlas"', "demo"],
    sinceDate: ["2026-01-03"],
    untilDate: ["2026-01-05"],
    categoryNames: ["Design"],
    slug: ["tasks"],
    imageUrl: ["https://service.example/a.png"],
    folderId: [folder.id],
    sourceDocId: [service.docId],
    sourcePageId: ["canvas-demoStart1"],
    url: [link, "https://service.example/a"],
    elementId: ["cl-none"],
  };
}
