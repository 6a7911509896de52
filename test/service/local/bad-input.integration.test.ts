import fc from "fast-check";
import { expect, it } from "vitest";
import {
  OPERATION_MODELS,
  type OperationModel,
} from "../../../src/service/contract/operation-models.ts";
import { OPERATIONS, type Operation, type OperationId } from "../../../src/service.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest, startTestService } from "../support.ts";
import { SHARED } from "./seeds.ts";

const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];
const IDS: Record<string, string> = {
  docId: "shared",
  permissionId: "perm-none",
  pageIdOrName: "First",
  requestId: "none",
  ruleId: "grid-auto-on",
  tableIdOrName: "grid-one",
  columnIdOrName: "Name",
  rowIdOrName: "b",
  formulaIdOrName: "Now",
  controlIdOrName: "Slider",
  packId: "1",
};
/** Bodies that their operations accept; each is spoiled in turn. */
const BODIES: Partial<Record<OperationId, Record<string, unknown>>> = {
  createDoc: { title: "t", timezone: "UTC", initialPage: { name: "p" } },
  updateDoc: { title: "t", iconName: "i" },
  addPermission: { access: "write", principal: { type: "email", email: "a@service.example" } },
  updateAclSettings: { allowCopying: true },
  publishDoc: {
    slug: "s",
    discoverable: true,
    earnCredit: true,
    mode: "view",
    categoryNames: ["Design"],
  },
  createPage: {
    name: "n",
    pageContent: { type: "canvas", canvasContent: { format: "html", content: "x" } },
  },
  updatePage: {
    name: "n",
    isHidden: true,
    contentUpdate: { insertionMode: "append", canvasContent: { format: "html", content: "x" } },
  },
  deletePageContent: { elementIds: ["cl-1"] },
  beginPageContentExport: { outputFormat: "html" },
  upsertRows: { rows: [{ cells: [{ column: "Name", value: 1 }] }], keyColumns: ["Name"] },
  updateRow: { row: { cells: [{ column: "Name", value: 1 }] } },
  deleteRows: { rowIds: ["i-1"] },
};
const HOSTILE_NAMES = [
  "%2F",
  "%2e%2e%2f",
  "😀",
  "x".repeat(10_000),
  "'; drop table docs; --",
  "__proto__",
  "constructor",
  "\u0000",
  "a\nb",
  "../../etc",
  "%",
  " ",
];

function createPath(
  { path }: Operation,
  replace: (name: string) => string | undefined = () => undefined,
): string {
  return path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => replace(name) ?? encodeURIComponent(IDS[name] ?? "x"),
  );
}

/**
 * A documented error, or else what is not: an answer may be fine, it may never be a failure of the
 * service itself.
 */
function expectDocumented(
  { status, body }: { status: number; body: Record<string, unknown> },
  what: string,
): void {
  expect([200, 202, 400, 401, 403, 404, 410, 422], what).toContain(status);
  if (status < 400) return;
  expect(Object.keys(body), what).toEqual(["statusCode", "statusMessage", "message"]);
  expect([body["statusCode"], typeof body["message"]], what).toEqual([status, "string"]);
  expect(String(body["message"]), what).not.toMatch(/\bat .*\.ts|sqlite|select |kysely/i);
}

async function readState(test: ServiceUnderTest) {
  return (await test.control("/state")).body;
}

onEachDatabase("bad input", (start, { isServer }) => {
  // What is refused before the database is read.
  const itChecks = it.runIf(isLong || !isServer);

  itChecks(
    "every body that is spoiled is refused by its operation, and nothing is applied",
    async () => {
      await using test = await start({ seed: SHARED });
      const before = await readState(test);
      for (const [id, body] of Object.entries(BODIES) as [OperationId, Record<string, unknown>][]) {
        const { method } = OPERATIONS[id];
        const path = createPath(OPERATIONS[id]);
        const wrong: unknown[] = [[], "text", 5, null, true, [body]];
        for (const [name, good] of Object.entries(body)) {
          // An object with unknown members only is one without members (docs/rules.md: service 17).
          const other = typeof good === "object" && !Array.isArray(good) ? [] : [{ a: 1 }];
          for (const value of [null, [[[]]], 5.5, [null], ...other])
            wrong.push({ ...body, [name]: value });
        }
        for (const spoiled of wrong) {
          const answer = await test.write(method, path, spoiled);
          expectDocumented(answer, `${id} ${JSON.stringify(spoiled)}`);
          expect(answer.status, `${id} ${JSON.stringify(spoiled)}`).toBe(400);
        }
        for (const text of ["{", "undefined", '{"a":1}}', "\u0000", "[".repeat(50_000)]) {
          expect(await test.send(path, { method, body: text }), id).toMatchObject({ status: 400 });
        }
        const large = await test.send(path, {
          method,
          body: JSON.stringify({ ...body, filler: "x".repeat(2 * 1_024 * 1_024) }),
        });
        expect(large, id).toMatchObject({
          status: 400,
          body: { message: "request entity too large" },
        });
      }
      expect(await readState(test)).toEqual(before);
    },
  );

  it("text that is not well formed is refused, wherever it is, and what is stored can be read", async () => {
    await using test = await start({ seed: SHARED });
    const before = await readState(test);
    const alone = ["\\ud800", "\\udfff", "a\\udc00b", "\\ud83d \\ude00"];
    for (const id of Object.keys(BODIES) as OperationId[]) {
      const text = JSON.stringify(BODIES[id]);
      const path = createPath(OPERATIONS[id]);
      for (const half of alone) {
        for (const body of [
          text.replace(/"([^"]*)"(?=[,}\]])/, `"${half}"`),
          text.replace("{", `{"${half}":1,`),
        ]) {
          if (body === text) continue;
          const answer = await test.send(path, { method: OPERATIONS[id].method, body });
          expect(answer.status, `${id} ${body}`).toBe(400);
          expectDocumented(answer, id);
        }
      }
      const bytes = Buffer.concat([
        Buffer.from(text.replace(/\}$/, ',"x":"')),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]);
      expect(
        (await test.send(path, { method: OPERATIONS[id].method, body: bytes })).status,
        id,
      ).toBe(400);
      expect(
        (await test.send(`${path}?any=%ED%A0%80`, { method: OPERATIONS[id].method, body: text }))
          .status,
        id,
      ).toBe(400);
    }
    expect(await readState(test)).toEqual(before);
    // The same characters as a pair are fine.
    expect((await test.write("PATCH", "/docs/shared", { iconName: "😀" })).status).toBe(200);
    expect((await test.send("/docs")).status).toBe(200);
  });

  itChecks(
    "a body that is nested too deeply is refused, with and without texts that cannot be stored",
    async () => {
      await using test = await start({ seed: SHARED });
      const nested = (levels: number, inner: string) =>
        `{"a":${"[".repeat(levels)}${inner}${"]".repeat(levels)}}`;
      const paths = [
        "/docs/shared/hooks/automation/grid-auto-on",
        "/docs/shared/tables/grid-one/rows",
        "/docs",
      ];
      for (const path of paths) {
        for (const inner of ["1", '"\\ud800"', '"\\u0000"']) {
          const answer = await test.send(path, { method: "POST", body: nested(20_000, inner) });
          expect(answer, path).toMatchObject({
            status: 400,
            body: { message: expect.stringContaining("nested more than 500 levels") },
          });
        }
      }
      const [automation = ""] = paths;
      expect((await test.send(automation, { method: "POST", body: nested(499, "1") })).status).toBe(
        202,
      );
      expect(
        (await test.send(automation, { method: "POST", body: nested(500, "[]") })).status,
      ).toBe(400);
    },
  );

  it("a form that is not well formed is refused by an automation, as are bodies that are not objects", async () => {
    await using test = await start({ seed: SHARED });
    const trigger = (body: string, type: string) =>
      test.send("/docs/shared/hooks/automation/grid-auto-on", {
        method: "POST",
        body,
        headers: { "Content-Type": type },
      });
    const form = "application/x-www-form-urlencoded";
    expect((await trigger("a=b&c=%F0%9F%98%80", form)).status).toBe(202);
    for (const body of ["a=%ED%A0%80", "a=%00"])
      expect((await trigger(body, form)).status, body).toBe(400);
    for (const body of ["null", "[]", '"text"', "1", "true"])
      expect((await trigger(body, "application/json")).status, body).toBe(400);
  });

  itChecks("every member that an operation needs is missed", async () => {
    await using test = await start({ seed: SHARED });
    const needed: [OperationId, unknown][] = [
      ["addPermission", { access: "write" }],
      ["addPermission", { principal: { type: "anyone" } }],
      ["addPermission", { access: "owner", principal: { type: "anyone" } }],
      ["addPermission", { access: "write", principal: { type: "email" } }],
      ["addPermission", { access: "write", principal: { type: "alien" } }],
      ["updateDoc", undefined],
      ["updateAclSettings", undefined],
      ["beginPageContentExport", {}],
      ["upsertRows", {}],
      ["upsertRows", { rows: [{}] }],
      ["updateRow", {}],
      ["updateRow", { row: {} }],
      ["deleteRows", {}],
      ["createPage", { pageContent: { type: "canvas" } }],
      ["createPage", { pageContent: { type: "syncPage" } }],
      ["updatePage", { contentUpdate: { canvasContent: { format: "html", content: "" } } }],
    ];
    for (const [id, body] of needed) {
      const answer = await test.write(OPERATIONS[id].method, createPath(OPERATIONS[id]), body);
      expect(answer, `${id} ${JSON.stringify(body)}`).toMatchObject({ status: 400 });
    }
  });

  // What a server adds is the same for all operations.
  it.each(chooseCases(OPERATION_IDS, isServer ? 8 : 4))(
    "%s: foreign ids and hostile names find nothing and break nothing",
    async (id) => {
      await using test = await start({ seed: SHARED });
      const operation = OPERATIONS[id];
      const before = await readState(test);
      const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
      for (const parameter of parameters) {
        for (const name of HOSTILE_NAMES) {
          const path = createPath(operation, (each) =>
            each === parameter ? encodeURIComponent(name) : undefined,
          );
          const answer = await test.write(operation.method, path, BODIES[id]);
          expectDocumented(answer, `${id} ${name.slice(0, 40)}`);
          expect(answer.status, `${id} ${name.slice(0, 40)}`).toBeGreaterThanOrEqual(
            id === "listPackFormulaAnalytics" ? 400 : 404,
          );
        }
      }
      if (parameters.length > 0) expect(await readState(test)).toEqual(before);
    },
  );

  it("every operation refuses a missing and a foreign token, and a stranger finds no document", async () => {
    await using test = await start({ seed: SHARED });
    for (const id of OPERATION_IDS) {
      const operation: Operation = OPERATIONS[id];
      const as = (token: string) =>
        test.write(operation.method, createPath(operation), BODIES[id], token);
      for (const token of ["", "forged"]) expect((await as(token)).status, id).toBe(401);
      if (operation.path.startsWith("/docs/{docId}"))
        expect((await as("stranger")).status, id).toBe(404);
    }
  });

  itChecks("a request without a body is refused where one is required", async () => {
    await using test = await start({ seed: SHARED });
    const needed = OPERATION_IDS.filter((id) => {
      const model: OperationModel = OPERATION_MODELS[id];
      return model.bodyRequired === true;
    });
    expect(needed.toSorted()).toEqual(
      Object.keys(BODIES)
        .filter((id) => id !== "createDoc" && id !== "deletePageContent")
        .sort(),
    );
    for (const id of needed) {
      const { method } = OPERATIONS[id];
      const answer = await test.write(method, createPath(OPERATIONS[id]));
      expect([id, answer.status]).toEqual([id, 400]);
      expectDocumented(answer, id);
    }
  });

  it("bad query values and tokens of lists are refused by every list", async () => {
    await using test = await start({ seed: SHARED });
    const lists = OPERATION_IDS.filter(
      (id) => id.startsWith("list") || id === "getPermissions",
    ).filter((id) => id !== "listCategories");
    for (const id of lists) {
      if (/Summary|listPageAnalytics/.test(id)) continue;
      const path = createPath(OPERATIONS[id]);
      for (const query of [
        "limit=0",
        "limit=-1",
        "limit=1e3",
        "limit=99999999999999999999",
        "pageToken=x",
        "pageToken=e30.e30",
      ]) {
        const answer = await test.send(`${path}?${query}`);
        expect(answer, `${id} ${query}`).toMatchObject({ status: 400 });
        expectDocumented(answer, `${id} ${query}`);
      }
    }
  });
});

it("answers any JSON and any query with a documented status", async () => {
  await using test = await startTestService({ seed: SHARED });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OPERATION_IDS),
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(
        fc.constantFrom(
          "limit",
          "query",
          "sortBy",
          "valueFormat",
          "pageToken",
          "syncToken",
          "url",
          "docIds",
          "scale",
          "visibleOnly",
        ),
        fc.string({ unit: "binary" }),
      ),
      async (id, body, query) => {
        const operation: Operation = OPERATIONS[id];
        if (id === "deleteDoc") return;
        const path = `${createPath(operation)}?${new URLSearchParams(query)}`;
        expectDocumented(
          await test.write(operation.method, path, operation.method === "GET" ? undefined : body),
          id,
        );
      },
    ),
    { numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? (isLong ? 150 : 15)) },
  );
}, 600_000);
