import { describe, expect, it } from "vitest";
import type { SyncExecutionContext } from "../../src/define/schema.ts";
import { makeDynamicSyncTable, makeObjectSchema, makeSyncTable, newPack, type SyncTable } from "../../src/index.ts";

const context = { sync: {} } as unknown as SyncExecutionContext;
const Task = makeObjectSchema({ properties: { id: { type: "string" } }, idProperty: "id", displayProperty: "id" });
const base = { name: "Tasks", identityName: "Task", schema: Task } as const;
const formula = { parameters: [], execute: () => ({ result: [{ id: "1" }] }) } as const;

describe("makeSyncTable", () => {
  it("makes the formula the getter, which is never cached, with the table's name and description where it has none", () => {
    const table = makeSyncTable({ ...base, description: "All tasks.", formula });
    expect(table.getter).toMatchObject({ name: "Tasks", description: "All tasks.", cacheTtlSecs: 0, isSyncFormula: true });
    const named = makeSyncTable({ ...base, formula: { ...formula, name: "SyncTasks", description: "Syncs.", cacheTtlSecs: 60 } });
    expect(named.getter).toMatchObject({ name: "SyncTasks", description: "Syncs.", cacheTtlSecs: 0 });
  });

  it("gives the schema its type and, when it has none, the table's identity", () => {
    expect(makeSyncTable({ ...base, formula }).schema).toMatchObject({ type: "object", identity: { name: "Task" } });
    const own = makeSyncTable({ ...base, schema: { ...Task, identity: { name: "Todo" } }, formula });
    expect(own.schema.identity, "validation reports that they differ").toEqual({ name: "Todo" });
    expect(Task.identity, "the author's schema stays as it is").toBeUndefined();
  });

  it("flattens the dynamic options; new columns are added by default", () => {
    const getSchema = () => Task;
    expect(makeSyncTable({ ...base, formula })).toMatchObject({ defaultAddDynamicColumns: true });
    const table = makeSyncTable({ ...base, formula, dynamicOptions: { getSchema, entityName: "Task", defaultAddDynamicColumns: false } });
    expect(table).toMatchObject({ getSchema, entityName: "Task", defaultAddDynamicColumns: false });
  });

  it("counts nothing as no rows", async () => {
    const table = makeSyncTable({ ...base, formula: { parameters: [], execute: async () => undefined } });
    expect(await table.getter.execute([], context)).toEqual({ result: [] });
  });

  it("calls onError and throws the error on, whatever it returns", async () => {
    const seen: string[] = [];
    const failing = {
      parameters: [],
      execute: () => {
        throw new Error("no rows");
      },
      onError: (error: Error) => {
        seen.push(error.message);
        return { result: [] };
      },
    };
    await expect(makeSyncTable({ ...base, formula: failing }).getter.execute([], context)).rejects.toThrow("no rows");
    expect(seen).toEqual(["no rows"]);
  });

  it("refuses nothing, not even a table without a formula: validation reports what is missing", () => {
    expect(() => makeSyncTable({ name: "Tasks" } as never)).not.toThrow();
    expect(() => makeDynamicSyncTable({} as never)).not.toThrow();
  });
});

describe("makeDynamicSyncTable", () => {
  const dynamic = {
    name: "Lists",
    identityName: "Item",
    getName: () => "List",
    getSchema: () => Task,
    getDisplayUrl: () => "https://tasks.example",
    formula: { parameters: [], execute: () => ({ result: [{ id: "1" }] }) },
  } as const;

  it("has one text property, which is id and display property, until the schema is known", () => {
    expect(makeDynamicSyncTable(dynamic)).toMatchObject({
      isDynamic: true,
      schema: {
        type: "object",
        properties: { id: { type: "string" } },
        idProperty: "id",
        displayProperty: "id",
        identity: { name: "Item" },
      },
    });
  });

  it("takes the author's placeholder instead", () => {
    const placeholderSchema = { properties: { key: { type: "string" } }, idProperty: "key", displayProperty: "key" } as const;
    const table = makeDynamicSyncTable({ ...dynamic, placeholderSchema });
    expect(table.schema).toMatchObject({ idProperty: "key" });
    expect(table).not.toHaveProperty("placeholderSchema");
  });
});

describe("the builder", () => {
  const requirements = ({ connectionRequirement, getter }: SyncTable) => [connectionRequirement, getter.connectionRequirement];

  it("applies the default requirement to tables and their formulas, in either order of the calls", () => {
    const before = newPack()
      .setUserAuthentication({ type: "HeaderBearerToken" })
      .addSyncTable({ ...base, formula });
    const after = newPack()
      .addSyncTable({ ...base, formula })
      .setUserAuthentication({ type: "HeaderBearerToken" });
    for (const { syncTables } of [before, after]) expect(syncTables.map(requirements)).toEqual([["required", "required"]]);
  });

  it("keeps what a table or its formula says itself", () => {
    const pack = newPack().setUserAuthentication({ type: "HeaderBearerToken", defaultConnectionRequirement: "optional" });
    pack.addSyncTable({ ...base, formula, connectionRequirement: "none" });
    pack.addSyncTable({ ...base, formula: { ...formula, connectionRequirement: "required" } });
    expect(pack.syncTables.map(requirements)).toEqual([
      ["none", "none"],
      ["optional", "required"],
    ]);
  });

  it("takes a complete definition, with its own lists, and every part of a Pack", () => {
    const definition = { networkDomains: ["tasks.example"], syncTables: [makeSyncTable({ ...base, formula })], version: "1.0" };
    const pack = newPack(definition)
      .addColumnFormat({ name: "Task", formulaName: "Task" })
      .addSkill({ name: "Plan", displayName: "Plan", description: "Plans.", prompt: "Plan.", tools: [] })
      .addMCPServer({ name: "Tasks", endpointUrl: "https://tasks.example/mcp" })
      .addAdminAuthentication({ name: "admin", displayName: "Admin", description: "Admin.", authentication: { type: "HeaderBearerToken" } })
      .addSuggestedPrompt({ name: "Plan", displayName: "Plan", prompt: "Plan." })
      .setChatSkill({ name: "Plan" })
      .setBenchInitializationSkill({ name: "Plan" })
      .setSkillEntrypoints({ defaultChat: { skillName: "Plan" } })
      .addNetworkDomain("files.example")
      .setVersion("1.1");
    expect(definition.networkDomains, "the author's list stays as it is").toEqual(["tasks.example"]);
    expect(JSON.parse(JSON.stringify(pack))).toMatchObject({
      version: "1.1",
      networkDomains: ["tasks.example", "files.example"],
      formulas: [],
      formats: [{ name: "Task" }],
      skills: [{ name: "Plan" }],
      mcpServers: [{ name: "Tasks" }],
      adminAuthentications: [{ name: "admin" }],
      suggestedPrompts: [{ name: "Plan" }],
      chatSkill: { name: "Plan" },
      benchInitializationSkill: { name: "Plan" },
      skillEntrypoints: { defaultChat: { skillName: "Plan" } },
      formulaNamespace: "Deprecated",
    });
  });
});
