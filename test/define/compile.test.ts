import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyWritten } from "../../src/define/compile/written.ts";
import { definitionForm } from "../../src/define/definition-form.ts";
import { normalizePropertyName, normalizePropertyPath } from "../../src/define/property-name.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import {
  makeFormula,
  makeObjectSchema,
  makeParameter,
  newPack,
  OptionsType,
  type ParameterType,
} from "../../src/index.ts";

const name = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", "B", "7", "_", "-", " ", ":", ".", "é", "ß", "[*]") }),
);

describe("the compiled name of a property", () => {
  it("is given to every text, and kept by every identifier that it gives", () => {
    fc.assert(
      fc.property(name, (text) => {
        const compiled = normalizePropertyName(text);
        expect(normalizePropertyPath(text)).toBeTypeOf("string");
        if (/^[A-Za-z0-9_]+$/.test(compiled))
          expect(normalizePropertyName(compiled)).toBe(compiled);
        if (/[A-Za-z0-9]/.test(text)) expect(compiled).toMatch(/^[A-Z0-9][A-Za-z0-9]*$/);
      }),
    );
  });

  it.each([
    ["due-date", "DueDate"],
    [" Due date ", "DueDate"],
    ["a", "A"],
    ["é", "É"],
    ["ns:tag", "NsTag"],
    ["é:ü", "é_ü"],
    ["__proto__", "Proto"],
    ["", ""],
  ])("of %j is %j", (written, compiled) => {
    expect(normalizePropertyName(written)).toBe(compiled);
  });
});

const choice = makeParameter({
  type: "string",
  name: "list",
  description: "The list.",
  autocomplete: ["a", "b"],
});
const types = [
  "number",
  "date",
  "stringArray",
  "sparseStringArray",
  "sparseDateArray",
  "email",
] as const satisfies ParameterType[];
const parameters = [
  choice,
  ...types.map((type) =>
    makeParameter({ type, name: type, description: "Anything.", optional: true }),
  ),
];
const common = { description: "Runs.", parameters: [] } as const;
const Person = makeObjectSchema({
  codaType: "person",
  properties: {
    "e-mail": { type: "string", codaType: "email", required: true, fromKey: "mail" },
    name: { type: "string" },
  },
  idProperty: "e-mail",
  displayProperty: "name",
});
const Task = makeObjectSchema({
  properties: {
    "task id": { type: "string", required: true, fromKey: "id" },
    Title: { type: "string", fixedId: "t", displayName: "The title" },
    "due-date": { type: "string", codaType: "date", mutable: true },
    owner: Person,
    tags: {
      type: "array",
      items: { type: "object", properties: { "tag name": { type: "string" } } },
    },
    ключ: { type: "number" },
  },
  idProperty: "task id",
  displayProperty: "Title",
  featuredProperties: ["due-date", "owner"],
  linkProperty: { property: "due-date", label: "due-date", placeholder: "owner" },
  subtitleProperties: ["owner.e-mail", "tags[*].tag name"],
  index: {
    properties: ["Title", { property: "due-date", strategy: "standalone" }],
    filterableProperties: ["owner"],
  },
  identity: { name: "Task" },
  includeUnknownProperties: true,
} as never);

const formulas = () =>
  newPack()
    .addFormula({
      ...common,
      name: "Text",
      parameters,
      resultType: "string",
      codaType: "url",
      execute: () => "",
    })
    .addFormula({
      ...common,
      name: "Amount",
      resultType: "number",
      schema: { type: "number", codaType: "percent" },
      execute: () => 1,
    })
    .addFormula({
      ...common,
      name: "Done",
      varargParameters: [choice],
      resultType: "boolean",
      execute: () => true,
    })
    .addFormula({
      ...common,
      name: "Names",
      resultType: "array",
      items: { type: "string", codaType: "markdown" },
      execute: () => [],
    })
    .addFormula({
      ...common,
      name: "Task",
      resultType: "object",
      schema: Task,
      execute: () => ({}) as never,
      onError: () => ({}) as never,
    })
    .addFormula({ ...common, name: "Tasks", resultType: "array", items: Task, execute: () => [] });
const crawlStrategy = {
  parentTable: { tableName: "Tasks", propertyKey: "task id", inheritPermissions: true },
};
const task = makeParameter({
  type: "string",
  name: "task",
  description: "The task.",
  crawlStrategy,
});
const tables = () =>
  newPack()
    .addSyncTable({
      name: "Tasks",
      identityName: "Task",
      description: "All tasks.",
      schema: Task,
      role: undefined,
      formula: {
        name: "SyncTasks",
        description: "Syncs.",
        parameters,
        execute: () => ({ result: [] }),
        onError: () => ({ result: [] }),
      },
      dynamicOptions: {
        getSchema: () => Task as never,
        propertyOptions: () => [],
        defaultAddDynamicColumns: true,
        entityName: "Task",
      },
    })
    .addSyncTable({
      name: "Persons",
      identityName: "Person",
      schema: { ...Person, identity: undefined },
      connectionRequirement: "none",
      formula: {
        parameters: [task],
        execute: () => ({ result: [] }),
        executeUpdate: () => ({ result: [] }),
      },
      dynamicOptions: { defaultAddDynamicColumns: true },
    });
const Choice = makeObjectSchema({
  properties: {
    id: { type: "string" },
    state: { type: "string", codaType: "selectList", options: OptionsType.Dynamic },
  },
  idProperty: "id",
  displayProperty: "state",
});
const dynamicTables = () => {
  const dynamic = {
    getName: () => "",
    getSchema: () => Choice,
    getDisplayUrl: () => "",
    defaultAddDynamicColumns: false,
  } as const;
  const formula = { parameters, execute: () => ({ result: [] }) };
  return newPack()
    .addDynamicSyncTable({
      ...dynamic,
      name: "Lists",
      identityName: "List",
      listDynamicUrls: () => [],
      formula,
    })
    .addDynamicSyncTable({
      ...dynamic,
      name: "Others",
      identityName: "Other",
      placeholderSchema: Choice,
      formula,
    });
};
const everything = () =>
  newPack({
    ...formulas(),
    syncTables: [...tables().syncTables, ...dynamicTables().syncTables],
  } as object)
    .addColumnFormat({ name: "Task", formulaName: "Task" })
    .setSystemAuthentication({ type: "HeaderBearerToken" })
    .setUserAuthentication({ type: "HeaderBearerToken", getConnectionName: () => "Ada" });
const packs = Object.entries({
  formulas,
  tables,
  dynamicTables,
  everything,
  nothing: () => newPack(),
});

interface Form {
  formulas: (object & { parameters: object[]; varargParameters?: object[] })[];
  syncTables: (object & { getter: Form["formulas"][number] })[];
}

/** What validation sees. */
const readDefinition = (pack: object) => definitionForm(decodeSnapshot(encodeSnapshot(pack)));

/** Copies every part by its members, as a tool that changes Packs, or another realm, would. */
function copyPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(copyPart);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, copyPart(value)]));
}

/**
 * Names, types, schemas and requirements; not the functions, of which the compiled form makes
 * formulas.
 */
function facts(form: unknown): unknown {
  const { formulas, syncTables } = form as Form;
  const of = (part: object, ...keys: string[]) =>
    Object.fromEntries(keys.map((key) => [key, (part as Record<string, unknown>)[key]]));
  const listParameters = (list: object[] = []) =>
    list.map((each) =>
      of(each, "name", "description", "type", "optional", "allowManualInput", "crawlStrategy"),
    );
  const callable = (part: Form["formulas"][number]) => ({
    ...of(
      part,
      "name",
      "description",
      "connectionRequirement",
      "resultType",
      "schema",
      "items",
      "codaType",
      "onError",
    ),
    ...of(part, "cacheTtlSecs", "isSyncFormula", "supportsUpdates"),
    updates: typeof (part as { executeUpdate?: unknown }).executeUpdate === "function",
    parameters: listParameters(part.parameters),
    varargParameters: listParameters(part.varargParameters),
  });
  return {
    formulas: formulas.map(callable),
    syncTables: syncTables.map((table) => ({
      ...of(
        table,
        "name",
        "description",
        "identityName",
        "schema",
        "isDynamic",
        "entityName",
        "defaultAddDynamicColumns",
      ),
      getter: callable(table.getter),
    })),
  };
}

describe("what the author wrote", () => {
  it("stays with a compiled part, and a changed copy of the part stands for itself", () => {
    fc.assert(
      fc.property(fc.string(), (changed) => {
        const written = {
          ...common,
          name: "One",
          resultType: "string",
          execute: () => "",
        } as const;
        const pack = newPack().addFormula(written);
        const parts = [
          makeFormula(written),
          choice,
          ...pack.formulas,
          ...tables().syncTables,
          ...dynamicTables().syncTables,
        ];
        for (const part of parts) {
          expect(copyWritten<object>(part)).not.toBe(part);
          const copy = { ...part, name: changed };
          expect(copyWritten(copy)).toBe(copy);
          expect(readDefinition({ formulas: [copy] })).toMatchObject({
            formulas: [{ name: changed }],
          });
        }
        expect(copyWritten<object>(makeFormula(written))).toBe(written);
      }),
      { numRuns: 20 },
    );
  });

  it("is not a member that anyone lists", () => {
    for (const part of [choice, ...everything().formulas, ...everything().syncTables]) {
      expect(Reflect.ownKeys(part).filter((key) => typeof key === "symbol")).toHaveLength(1);
      expect(Reflect.ownKeys({ ...part }).filter((key) => typeof key === "symbol")).toEqual([]);
    }
  });
});

describe.each(packs)("the definition form of %s", (_, make) => {
  it("is a form that it does not change", () => {
    for (const definition of [
      readDefinition(make()),
      definitionForm(make()),
      definitionForm(copyPart(make())),
    ])
      expect(definitionForm(definition)).toEqual(definition);
  });

  it("keeps what the compiled schema of a list says about the list", () => {
    const schema = { type: "array", items: { type: "string" }, description: "All names." };
    const [formula] = (
      definitionForm({ formulas: [{ name: "Names", resultType: 2, schema }] }) as {
        formulas: object[];
      }
    ).formulas;
    expect(formula).toEqual({ name: "Names", resultType: "array", schema });
  });

  it("has the author's names, types and schemas when all that is left is the compiled form", () => {
    const pack = make();
    const written = facts(readDefinition(pack));
    for (const compiled of [copyPart(pack), decodeSnapshot(encodeSnapshot(pack, "compiled"))])
      expect(facts(definitionForm(compiled))).toEqual(written);
  });
});

it("gives the schema of a Pack back as it was written", () => {
  const { formulas, syncTables } = definitionForm(copyPart(everything())) as {
    formulas: object[];
    syncTables: object[];
  };
  expect(formulas).toMatchObject([
    {},
    {},
    {},
    {},
    { resultType: "object" },
    { resultType: "array" },
  ]);
  expect((formulas[4] as { schema: unknown }).schema).toEqual(Task);
  expect((formulas[5] as { items: unknown }).items).toEqual(Task);
  expect((syncTables[0] as { schema: unknown }).schema).toEqual(Task);
  expect(
    (formulas[0] as Form["formulas"][number]).parameters.map(
      (each) => (each as { type: string }).type,
    ),
  ).toEqual(["string", ...types]);
});

it("gives options that are functions back to their properties", async () => {
  const options = () => ["open", "done"];
  const state = { type: "string", codaType: "selectList", options } as const;
  const schema = makeObjectSchema({
    properties: {
      id: { type: "string" },
      "the state": state,
      states: { type: "array", items: state },
    },
    idProperty: "id",
    displayProperty: "id",
  });
  const pack = newPack().addSyncTable({
    name: "Tasks",
    identityName: "Task",
    schema,
    formula: { parameters: [], execute: () => ({ result: [] }) },
  });
  const { syncTables } = definitionForm(copyPart(pack)) as {
    syncTables: { schema: typeof schema }[];
  };
  const properties = syncTables[0]?.schema.properties;
  for (const each of [properties?.["the state"], properties?.states.items])
    expect(await (each as { options(args: unknown[]): unknown }).options([])).toEqual([
      "open",
      "done",
    ]);
});

it("keeps of an object schema only the members that the service knows", () => {
  const schema = {
    type: "object",
    properties: { "the id": { type: "string", placeholder: "kept" } },
    idProperty: "the id",
    displayProperty: "the id",
    descriptionProperty: "the id",
    required: ["the id"],
    titleProperty: { property: "the id", label: "Title", extra: 1 },
    index: {
      properties: [{ property: "the id", strategy: "standard", extra: 1 }],
      contextProperties: ["the id"],
      extra: ["the id"],
    },
    parent: { parentIdProperty: "the id", lifecycle: "cascade", extraProperty: "the id" },
  };
  const { schema: compiled } = makeFormula({
    ...common,
    name: "Get",
    resultType: "object",
    schema,
    execute: () => ({}),
  } as never);
  expect(compiled).toEqual({
    type: "object",
    properties: {
      TheId: { type: "string", placeholder: "kept", fromKey: "the id", originalKey: "the id" },
    },
    idProperty: "TheId",
    displayProperty: "TheId",
    titleProperty: { property: "TheId", label: "Title" },
    index: {
      properties: [{ property: "TheId", strategy: "standard" }],
      contextProperties: ["TheId"],
    },
    parent: { parentIdProperty: "TheId", lifecycle: "cascade" },
  });
});
