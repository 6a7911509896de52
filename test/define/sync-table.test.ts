import { describe, expect, it } from "vitest";
import { definitionForm } from "../../src/define/definition-form.ts";
import type { MetadataFormula } from "../../src/define/formula.ts";
import type { SyncExecutionContext } from "../../src/define/schema.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import {
  makeDynamicSyncTable,
  makeObjectSchema,
  makeParameter,
  makeSyncTable,
  newPack,
  type SyncTable,
} from "../../src/index.ts";

const context = { sync: {} } as unknown as SyncExecutionContext;
const Task = makeObjectSchema({
  properties: { id: { type: "string" } },
  idProperty: "id",
  displayProperty: "id",
});
const base = { name: "Tasks", identityName: "Task", schema: Task } as const;
const formula = { parameters: [], execute: () => ({ result: [{ id: "1" }] }) } as const;
const Id = { type: "string", fromKey: "id", originalKey: "id" };
const CompiledTask = {
  type: "object",
  identity: { name: "Task" },
  properties: { Id },
  idProperty: "Id",
  displayProperty: "Id",
};
const getMetadata = {
  name: "getMetadata",
  resultType: 2,
  parameters: [{ name: "search" }, { name: "formulaContext" }],
};

/** The table that validation sees. */
function readDefinition(table: SyncTable): SyncTable | undefined {
  const pack = definitionForm(
    decodeSnapshot(encodeSnapshot(newPack({ syncTables: [table] }))),
  ) as ReturnType<typeof newPack>;
  return pack.syncTables[0];
}

describe("makeSyncTable", () => {
  it("makes the formula the getter, which is never cached, with the table's name and description where it has none", () => {
    const table = makeSyncTable({ ...base, description: "All tasks.", formula });
    expect(table.getter).toMatchObject({
      name: "Tasks",
      description: "All tasks.",
      cacheTtlSecs: 0,
      isSyncFormula: true,
    });
    const named = makeSyncTable({
      ...base,
      formula: { ...formula, name: "SyncTasks", description: "Syncs.", cacheTtlSecs: 60 },
    });
    expect(named.getter).toMatchObject({
      name: "SyncTasks",
      description: "Syncs.",
      cacheTtlSecs: 0,
    });
    expect(readDefinition(named)?.getter).toMatchObject({
      name: "SyncTasks",
      description: "Syncs.",
      cacheTtlSecs: 0,
      isSyncFormula: true,
    });
  });

  it("gives the getter the schema of a list of rows, and says what it supports", () => {
    expect(makeSyncTable({ ...base, formula }).getter).toMatchObject({
      resultType: 2,
      schema: { type: "array", items: CompiledTask },
      supportsUpdates: false,
      supportsGetPermissions: false,
    });
    const executeUpdate = () => ({ result: [] });
    const executeGetPermissions = () => ({ rowAccessDefinitions: [] });
    const { getter } = makeSyncTable({
      ...base,
      formula: { ...formula, executeUpdate, executeGetPermissions, onError: () => undefined },
    });
    expect(getter).toMatchObject({ supportsUpdates: true, supportsGetPermissions: true });
    expect(getter).not.toHaveProperty("onError");
    const table = makeSyncTable({ ...base, formula, dynamicOptions: { getSchema: () => Task } });
    expect(table.getter, "only getSchema knows it").toMatchObject({
      schema: undefined,
      resultType: 2,
    });
  });

  it("gives what follows a page only where there is something, and deleted rows under both names", async () => {
    const execute = (page: object) =>
      makeSyncTable({ ...base, formula: { parameters: [], execute: () => page as never } }).getter
        .execute;
    expect(
      await execute({ result: [], continuation: undefined, completion: null })([], context),
    ).toStrictEqual({ result: [] });
    const more = {
      continuation: { page: 2 },
      completion: { hasIncompleteResults: true },
      permissionsContext: [{}],
    };
    expect(await execute({ result: [{ id: "1" }], ...more, other: 1 })([], context)).toStrictEqual({
      result: [{ id: "1" }],
      ...more,
    });
    for (const key of ["deletedRowIds", "deletedItemIds"])
      expect(await execute({ [key]: ["1"] })([], context)).toStrictEqual({
        result: [],
        deletedRowIds: ["1"],
        deletedItemIds: ["1"],
      });
  });

  it("makes a formula of options that are a function, and names it in the schema", async () => {
    const options = () => ["open", "done"];
    const schema = makeObjectSchema({
      properties: {
        id: { type: "string" },
        "task state": { type: "string", codaType: "selectList", options },
      },
      idProperty: "id",
      displayProperty: "id",
    });
    const table = makeSyncTable({ ...base, schema, formula, connectionRequirement: "none" });
    expect(table.schema.properties["TaskState"]).toMatchObject({
      options: "task state",
      originalKey: "task state",
    });
    const named = (table as unknown as { namedPropertyOptions: Record<string, MetadataFormula> })
      .namedPropertyOptions;
    expect(named).toMatchObject({
      "task state": {
        name: "Task.task state.Options",
        resultType: 2,
        connectionRequirement: "none",
      },
    });
    expect(await named["task state"]?.execute([], context)).toEqual(["open", "done"]);
    expect(schema.properties["task state"].options, "the author's schema stays as it is").toBe(
      options,
    );
    expect(readDefinition(table)?.schema.properties["task state"]).toMatchObject({
      options: expect.any(Function),
    });
  });

  it("gives the schema its type and the table's identity; validation sees the schema's own", () => {
    expect(makeSyncTable({ ...base, formula }).schema).toEqual(CompiledTask);
    expect(readDefinition(makeSyncTable({ ...base, formula }))?.schema).toEqual({
      ...Task,
      identity: { name: "Task" },
    });
    const own = makeSyncTable({
      ...base,
      schema: { ...Task, identity: { name: "Todo", packId: 1 } },
      formula,
    });
    expect(own.schema.identity).toEqual({ name: "Task", packId: 1 });
    expect(readDefinition(own)?.schema.identity, "validation reports that they differ").toEqual({
      name: "Todo",
      packId: 1,
    });
    expect(Task.identity, "the author's schema stays as it is").toBeUndefined();
  });

  it("flattens the dynamic options; for validation, new columns are added by default", async () => {
    const getSchema = () => Task;
    const plain = makeSyncTable({ ...base, formula });
    expect(plain.defaultAddDynamicColumns).toBeUndefined();
    expect(readDefinition(plain)).toMatchObject({ defaultAddDynamicColumns: true });
    const table = makeSyncTable({
      ...base,
      formula,
      dynamicOptions: { getSchema, entityName: "Task", defaultAddDynamicColumns: false },
    });
    expect(table).toMatchObject({
      getSchema: getMetadata,
      entityName: "Task",
      defaultAddDynamicColumns: false,
    });
    expect(table).not.toHaveProperty("dynamicOptions");
    expect(table).not.toHaveProperty("formula");
    for (const rows of [Task, { type: "array", items: Task }] as const) {
      const listed = makeSyncTable({ ...base, formula, dynamicOptions: { getSchema: () => rows } });
      expect(await (listed.getSchema as MetadataFormula).execute(["", "{}"], context)).toEqual({
        type: "array",
        items: Task,
      });
    }
    expect(readDefinition(table)).toMatchObject({
      getSchema: expect.any(Function),
      entityName: "Task",
      defaultAddDynamicColumns: false,
    });
  });

  it("counts nothing as no rows", async () => {
    const table = makeSyncTable({
      ...base,
      formula: { parameters: [], execute: async () => undefined },
    });
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
    await expect(
      makeSyncTable({ ...base, formula: failing }).getter.execute([], context),
    ).rejects.toThrow("no rows");
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
    const table = makeDynamicSyncTable(dynamic);
    expect(table).toMatchObject({
      isDynamic: true,
      getName: getMetadata,
      getSchema: getMetadata,
      getDisplayUrl: getMetadata,
      listDynamicUrls: undefined,
      getter: { schema: undefined, resultType: 2 },
    });
    expect(table.schema).toEqual({ ...CompiledTask, identity: { name: "Item" } });
    expect(readDefinition(table)).toMatchObject({ isDynamic: true, getName: expect.any(Function) });
    expect(readDefinition(table)?.schema).toEqual({
      type: "object",
      properties: { id: { type: "string" } },
      idProperty: "id",
      displayProperty: "id",
      identity: { name: "Item" },
    });
  });

  it("takes the author's placeholder instead", () => {
    const placeholderSchema = {
      properties: { key: { type: "string" } },
      idProperty: "key",
      displayProperty: "key",
    } as const;
    const table = makeDynamicSyncTable({ ...dynamic, placeholderSchema });
    expect(table.schema).toMatchObject({
      idProperty: "Key",
      properties: { Key: { originalKey: "key" } },
      identity: { name: "Item" },
    });
    expect(table).not.toHaveProperty("placeholderSchema");
    expect(readDefinition(table)?.schema).toMatchObject({ ...placeholderSchema, type: "object" });
    expect(readDefinition(table)).not.toHaveProperty("placeholderSchema");
  });
});

describe("the builder", () => {
  const readRequirement = ({ getter }: SyncTable) => getter.connectionRequirement;
  const choice = makeParameter({
    type: "string",
    name: "list",
    description: "The list.",
    autocomplete: ["a"],
  });
  const chosen = { ...formula, parameters: [choice] } as const;
  const options = () => ["open"];
  const schema = makeObjectSchema({
    properties: {
      id: { type: "string" },
      state: { type: "string", codaType: "selectList", options },
    },
    idProperty: "id",
    displayProperty: "id",
  });
  const table = {
    ...base,
    schema,
    formula: chosen,
    dynamicOptions: { getSchema: () => Task },
  } as const;
  const questions = {
    getName: () => "",
    getSchema: () => Task,
    getDisplayUrl: () => "",
    listDynamicUrls: () => [],
  };
  const dynamic = {
    name: "Lists",
    identityName: "List",
    formula: chosen,
    ...questions,
    searchDynamicUrls: () => [],
  } as const;

  it("applies the default requirement to everything of tables that runs, in either order of the calls", () => {
    const before = newPack()
      .setUserAuthentication({ type: "HeaderBearerToken" })
      .addSyncTable(table)
      .addDynamicSyncTable(dynamic);
    const after = newPack()
      .addSyncTable(table)
      .addDynamicSyncTable(dynamic)
      .setUserAuthentication({ type: "HeaderBearerToken" });
    const required = { connectionRequirement: "required" };
    const getter = { ...required, parameters: [{ autocomplete: { ...getMetadata, ...required } }] };
    for (const { syncTables } of [before, after]) {
      expect(syncTables).toMatchObject([
        { getter, getSchema: required, namedPropertyOptions: { state: required } },
        {
          getter,
          getSchema: required,
          getName: required,
          getDisplayUrl: required,
          listDynamicUrls: required,
          searchDynamicUrls: required,
        },
      ]);
      for (const each of syncTables) {
        expect(each).not.toHaveProperty("connectionRequirement");
        expect(readDefinition(each)).toMatchObject({ ...required, getter: required });
      }
    }
    expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(JSON.stringify(before)));
    expect(choice.autocomplete, "the parameter itself stays as it is").toMatchObject({
      connectionRequirement: "optional",
    });
  });

  it("leaves tables of a Pack without authentication without a requirement", () => {
    const pack = newPack().setUserAuthentication({ type: "None" }).addSyncTable(table);
    expect(pack.syncTables.map(readRequirement)).toEqual([undefined]);
    expect(pack.syncTables).toMatchObject([{ getSchema: { connectionRequirement: "optional" } }]);
  });

  it("keeps what a table says itself; the table's requirement, even the Pack's default, goes before the formula's", () => {
    const pack = newPack().setUserAuthentication({
      type: "HeaderBearerToken",
      defaultConnectionRequirement: "optional",
    });
    pack.addSyncTable({ ...base, formula, connectionRequirement: "none" });
    pack.addSyncTable({ ...base, formula: { ...formula, connectionRequirement: "required" } });
    pack.addSyncTable({
      ...base,
      formula: { ...formula, connectionRequirement: "required" },
      connectionRequirement: "none",
    });
    expect(pack.syncTables.map(readRequirement)).toEqual(["none", "optional", "none"]);
    expect(pack.syncTables.map((each) => readDefinition(each)?.connectionRequirement)).toEqual([
      "none",
      "optional",
      "none",
    ]);
    const later = newPack().addSyncTable({
      ...base,
      formula: { ...formula, connectionRequirement: "none" },
    });
    later.setUserAuthentication({ type: "HeaderBearerToken" });
    expect(
      later.syncTables.map(readRequirement),
      "without a requirement of the table, the formula's own stays",
    ).toEqual(["none"]);
  });

  it("takes a complete definition, with its own lists, and every part of a Pack", () => {
    const definition = {
      networkDomains: ["tasks.example"],
      syncTables: [makeSyncTable({ ...base, formula })],
      version: "1.0",
    };
    const pack = newPack(definition)
      .addColumnFormat({ name: "Task", formulaName: "Task" })
      .addSkill({
        name: "Plan",
        displayName: "Plan",
        description: "Plans.",
        prompt: "Plan.",
        tools: [],
      })
      .addMCPServer({ name: "Tasks", endpointUrl: "https://tasks.example/mcp" })
      .addAdminAuthentication({
        name: "admin",
        displayName: "Admin",
        description: "Admin.",
        authentication: { type: "HeaderBearerToken" },
      })
      .addSuggestedPrompt({ name: "Plan", displayName: "Plan", prompt: "Plan." })
      .setChatSkill({ name: "Plan" })
      .setBenchInitializationSkill({ name: "Plan" })
      .setSkillEntrypoints({ defaultChat: { skillName: "Plan" } })
      .addNetworkDomain("files.example")
      .setVersion("1.1");
    expect(definition.networkDomains, "the author's list stays as it is").toEqual([
      "tasks.example",
    ]);
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
