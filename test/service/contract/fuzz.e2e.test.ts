import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OPERATIONS } from "../../../src/service/contract/operations.ts";
import { REGISTRY_OPERATIONS } from "../../../src/service/contract/registry/registry-operations.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import {
  createTestPack,
  putUpload,
  uploadVersion,
  writeUpload,
} from "../local/registry/uploads.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { checkExchange, checkRegistryExchange } from "./check-exchange.ts";
import { createRequests, describedOperations } from "./fuzz-requests.ts";

/** With `PACKSMITH_TEST_RUNS=100000`, the complete run. */
const RUNS = Number(process.env["PACKSMITH_TEST_RUNS"] ?? 3_000);
/** The same requests in every run, unless `PACKSMITH_TEST_SEED` names others. */
const SEED = Number(process.env["PACKSMITH_TEST_SEED"] ?? 24);
/**
 * Everything is as it was in the beginning after so many requests, because some of them delete what
 * others need.
 */
const RESTORE_EVERY = 100;

onEachDatabase("requests made from the description that the service gives of itself", (start) => {
  it("are answered as described, whether they are valid or not", async () => {
    using keys = makeTemporaryFolder();
    await using test = await start({ secretsKeyFile: join(keys.path, "service.key") });
    const description = await (await fetch(new URL("/openapi.json", test.service.url))).json();
    const operations = describedOperations(description);
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(OPERATIONS), ...Object.keys(REGISTRY_OPERATIONS)].sort(),
    );
    const other = await copyDoc(test);
    const names = {
      ...(await namesIn(test, other)),
      requestId: await requestIds(test),
      ...(await preparePack(test)),
    };
    await test.service.settle();
    await test.control("/snapshot", { name: "prepared" });
    const reads = await readablePaths(test);
    const succeeded = new Set<string>();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(
        createRequests(description, operations, names),
        async ({ operation, path, init }) => {
          if (sent++ % RESTORE_EVERY === 0) {
            await test.service.settle();
            await expectReadable(test, reads);
            await test.control("/restore", { name: "prepared" });
          }
          const response = await fetch(test.service.url + path, {
            ...init,
            headers: { ...init.headers, Authorization: `Bearer ${test.service.token}` },
            signal: AbortSignal.timeout(60_000),
          });
          const text = await response.text();
          expect(response.status, `${path} ${text.slice(0, 300)}`).toBeLessThan(500);
          const what = `${init.method} ${path.slice(0, 300)} ${String(init.body).slice(0, 500)} → ${response.status} ${text.slice(0, 300)}`;
          expect(Object.keys(operation.responses), what).toContain(String(response.status));
          const exchange = {
            operation: operation.operationId,
            status: response.status,
            body: JSON.parse(text),
          };
          if (operation.operationId in OPERATIONS) checkExchange(exchange as never);
          else checkRegistryExchange(exchange as never);
          if (response.ok) succeeded.add(operation.operationId);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    // The requests are good enough to reach what they are for.
    const missed = operations
      .map(({ operationId }) => operationId)
      .filter((id) => !succeeded.has(id));
    expect(missed.length, missed.join()).toBeLessThanOrEqual(
      RUNS < 20_000 ? operations.length / 10 : 0,
    );
    await test.service.settle();
    expect((await test.send("/docs")).status).toBe(200);
  }, 7_200_000);
});

/** A second document with the same ids inside, and a page and a row of its own. */
async function copyDoc({
  client,
  service,
}: ServiceUnderTest): Promise<Record<"docId" | "pageId" | "rowId", string>> {
  const { id: docId } = await client.docs.create({ title: "Copy", sourceDoc: service.docId });
  const { id: pageId } = await client.doc(docId).pages.create({ name: "Only here" });
  const { addedRowIds = [] } = await client
    .doc(docId)
    .table("Tasks")
    .rows.insert({ rows: [{ Title: "Only here" }] });
  return { docId, pageId, rowId: addedRowIds[0] ?? "" };
}

/** What the documents consist of, read in every way. */
async function readablePaths({ service: { docId } }: ServiceUnderTest): Promise<string[]> {
  const doc = `/docs/${docId}`;
  const formats = ["simple", "simpleWithArrays", "rich"].map(
    (format) => `${doc}/tables/Tasks/rows?limit=500&valueFormat=${format}`,
  );
  const parts = [
    "pages",
    "tables",
    "formulas",
    "controls",
    "acl/permissions",
    "tables/Tasks/columns",
    "tables/Projects/rows",
  ];
  return [
    "/docs",
    "/packs",
    doc,
    ...formats,
    ...parts.map((part) => `${doc}/${part}`),
    `${doc}/pages/Start/content`,
  ];
}

/** Nothing that was stored makes a read fail. */
async function expectReadable(test: ServiceUnderTest, paths: readonly string[]): Promise<void> {
  // What was deleted or renamed is not found.
  for (const path of paths) expect([200, 404, 410], path).toContain((await test.send(path)).status);
}

/** Tokens of other lists, and some that are none. */
async function tokensIn(
  test: ServiceUnderTest,
): Promise<Record<"pageToken" | "syncToken", string[]>> {
  const doc = `/docs/${test.service.docId}`;
  const lists = await Promise.all(
    [`${doc}/tables/Tasks/rows?limit=1`, `${doc}/tables?limit=1`, `${doc}/pages?limit=1`].map(
      (path) => test.send(path),
    ),
  );
  const texts = lists
    .flatMap(({ body }) => [body["nextPageToken"], body["nextSyncToken"]])
    .filter((text) => typeof text === "string");
  const all = [
    ...texts,
    ...texts.map((text) => `${text.slice(0, -1)}_`),
    ".",
    "e30.e30",
    "x".repeat(9_000),
  ];
  return { pageToken: all, syncToken: all };
}

/** The ids of an edit and of an export of the page "Start". */
async function requestIds({ client, service }: ServiceUnderTest): Promise<string[]> {
  const doc = client.doc(service.docId);
  const edit = await doc.table("Tasks").rows.insert({ rows: [{ Title: "One" }] });
  const begun = await doc.page("Start").beginExport({ outputFormat: "html" });
  return [edit.requestId, begun.id];
}

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const computeHash = (content: string) => sha256(content, "hex");

/**
 * A Pack that is released, with something of everything. @returns the names of its parts, by the
 * name of the parameter
 */
async function preparePack(test: ServiceUnderTest): Promise<Record<string, string[]>> {
  const packId = await createTestPack(test);
  const post = async (path: string, body: object) => {
    const answer = await test.write("POST", `/packs/${packId}${path}`, body);
    expect(answer.status, path).toBe(200);
    return answer.body;
  };
  const uploaded = await uploadVersion(test, packId, "1.0.0", { metadata: { name: "Tasks" } });
  expect(uploaded.status).toBe(200);
  const next = writeUpload({ version: "1.1.0", name: "Tasks" });
  await putUpload(await post("/versions/1.1.0/register", { bundleHash: computeHash(next) }), next);
  const release = await post("/releases", { packVersion: "1.0.0" });
  const logo = {
    packAssetType: "logo",
    imageHash: sha256(PNG, "hex"),
    mimeType: "image/png",
    filename: "logo.png",
  };
  const asset = await post("/uploadAsset", logo);
  await putUpload(asset, PNG as never);
  await putUpload(
    await post("/uploadSourceCode", { payloadHash: computeHash("source"), filename: "pack.ts" }),
    "source",
  );
  const permission = await post("/permissions", {
    principal: { type: "worldwide" },
    access: "view",
  });
  const invitation = await post("/invitations", { email: "x@tasks.example", access: "edit" });
  await post("/category", { categoryName: "Design" });
  const credentials = { type: "header", token: "synthetic-token-0123456789" };
  expect(
    (await test.write("PUT", `/packs/${packId}/systemConnection`, { credentials })).status,
  ).toBe(200);
  const { items } = await test.client.doc(test.service.docId).sharing.permissions();
  return {
    packId: [String(packId)],
    packVersion: ["1.0.0", "1.1.0", "1.2.0"],
    basePackVersion: ["1.0.0"],
    targetPackVersion: ["1.0.0"],
    packReleaseId: [String(release["releaseId"])],
    permissionId: [...items.map(({ id }) => id), String(permission["permissionId"])],
    invitationId: [String(invitation["invitationId"])],
    loginId: ["first.owner@service.example", "first.viewer@service.example"],
    email: ["y@tasks.example"],
    categoryName: ["Design"],
    packAssetId: [String(asset["packAssetUploadedPathName"])],
    packAssetType: ["logo"],
    bundleHash: [computeHash(next), computeHash("other")],
    imageHash: [logo.imageHash],
    payloadHash: [computeHash("source")],
    codeHash: [computeHash("source")],
    proposedMetadata: ["{}", '{"formulas":[]}', "[", '{"formulas":1}'],
    filename: ["pack.ts", "logo.png"],
  };
}

/** What paths and bodies can name, by the name of the parameter. */
async function namesIn(
  test: ServiceUnderTest,
  other: Awaited<ReturnType<typeof copyDoc>>,
): Promise<Record<string, string[]>> {
  const { client, service } = test;
  const doc = client.doc(service.docId);
  const table = doc.table("Tasks");
  const { items: rows } = await table.rows.list({ limit: 3 });
  const { items: columns } = await table.columns.list({ limit: 100 });
  const { browserLink: link, folder } = await doc.get();
  return {
    ...(await tokensIn(test)),
    // The first one more often than the other.
    docId: [service.docId, service.docId, service.docId, service.docId, other.docId],
    pageIdOrName: [other.pageId, "Start", "Plans", "canvas-demoAttic1"],
    ruleId: [service.automationRuleId],
    tableIdOrName: ["Tasks", "Tasks to do", "Projects", "table-demoAll01"],
    columnIdOrName: ["Title", "Close", ...columns.map(({ id }) => id)],
    rowIdOrName: [other.rowId, ...rows.flatMap(({ id, name }) => [id, name])],
    formulaIdOrName: ["Open tasks"],
    controlIdOrName: ["Only mine"],

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
