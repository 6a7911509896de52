import { describe, expect, it } from "vitest";
import { openApiDescription } from "../../../src/service/contract/openapi.ts";
import { OPERATION_MODELS } from "../../../src/service/contract/operation-models.ts";
import { OPERATIONS, type Operation } from "../../../src/service/contract/operations.ts";
import { REGISTRY_MODELS } from "../../../src/service/contract/registry/registry-operation-models.ts";
import { REGISTRY_OPERATIONS } from "../../../src/service/contract/registry/registry-operations.ts";
import { startTestService } from "../support.ts";
import { lintOpenApi } from "./openapi-linter.ts";

type Described = {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; "x-group": string; parameters?: { name: string; explode?: boolean }[] }
    >
  >;
};

describe("the description of the interface", () => {
  const description = openApiDescription() as unknown as Described;

  it("obeys the structural rules of OpenAPI 3.1, and every reference in it leads somewhere", () => {
    expect(lintOpenApi(description)).toEqual([]);
  });

  it("has no pattern next to a format, and no limit that every safe integer obeys", () => {
    const text = JSON.stringify(description, (_, value) =>
      value?.format !== undefined && value.pattern !== undefined ? "format and pattern" : value,
    );
    expect(text).toContain('"format"');
    expect(text).not.toContain("format and pattern");
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it("is linted for real: an unknown member, a dangling reference and a repeated operation are found", () => {
    const broken = structuredClone(description) as never as Record<
      string,
      Record<string, Record<string, Record<string, unknown>>>
    >;
    const get = broken["paths"]?.["/whoami"]?.["get"] ?? {};
    get["operationId"] = "listDocs";
    get["responses"] = { 200: { $ref: "#/components/responses/Nothing" } };
    expect(lintOpenApi(broken)).toEqual(
      expect.arrayContaining([
        "#/components/responses/Nothing leads nowhere",
        "get /whoami: listDocs is not unique",
      ]),
    );
    get["produces"] = [];
    expect(lintOpenApi(broken)).toEqual([
      expect.stringContaining('paths["/whoami"].get: Unrecognized key'),
    ]);
  });

  it("holds all 50 operations of documents and, as a second group, those of the registry, with their methods and paths", () => {
    const described = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId, "x-group": group }]) =>
          `${group} ${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const listNames = (group: string, operations: object) =>
      (Object.entries(operations) as [string, Operation][]).map(
        ([id, { method, path }]) => `${group} ${id} ${method} ${path}`,
      );
    const known = listNames("documents", OPERATIONS);
    expect(known).toHaveLength(50);
    expect(described.sort()).toEqual(
      [...known, ...listNames("registry", REGISTRY_OPERATIONS)].sort(),
    );
    expect(Object.keys(REGISTRY_MODELS).sort()).toEqual(Object.keys(REGISTRY_OPERATIONS).sort());
    expect(Object.keys(OPERATION_MODELS).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  // docs/rules.md: service 12
  it("separates lists in a query by commas", () => {
    const parameters = Object.values(description.paths).flatMap((item) =>
      Object.values(item).flatMap((each) => each.parameters ?? []),
    );
    const lists = parameters.filter(({ explode }) => explode === false).map(({ name }) => name);
    expect([...new Set(lists)].sort()).toEqual([
      "accessTypes",
      "docIds",
      "logTypes",
      "packFormulaNames",
      "packFormulaTypes",
      "packIds",
      "parentWorkspaceIds",
      "requestIds",
      "tableTypes",
    ]);
  });

  it("is the same every time, and what the service serves without a token", async () => {
    await using test = await startTestService();
    expect(JSON.stringify(openApiDescription())).toBe(JSON.stringify(description));
    const served = await fetch(new URL("/openapi.json", test.service.url));
    expect(served.status).toBe(200);
    expect(await served.json()).toEqual(JSON.parse(JSON.stringify(description)));
  });
});
