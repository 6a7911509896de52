import { expectTypeOf } from "vitest";
import {
  type Continuation,
  makeDynamicSyncTable,
  makeObjectSchema,
  makeParameter,
  makeSyncTable,
  newPack,
  type PackDefinitionBuilder,
  type SyncExecutionContext,
  type SyncTable,
  type SyncUpdate,
  type UpdateSyncExecutionContext,
} from "../../../src/index.ts";

const pack = newPack();
const Task = makeObjectSchema({
  properties: {
    id: { type: "string", required: true },
    title: { type: "string", fromKey: "name", mutable: true },
  },
  idProperty: "id",
  displayProperty: "title",
});
interface Row {
  id: string;
  name?: string | null | undefined;
}
const list = makeParameter({ type: "string", name: "list", description: "The list." });

const chained = pack.addSyncTable({
  name: "Tasks",
  description: "All tasks.",
  identityName: "Task",
  schema: Task,
  formula: {
    name: "SyncTasks",
    description: "Syncs.",
    parameters: [list],
    execute: async (args, context) => {
      expectTypeOf(args).toEqualTypeOf<[string]>();
      expectTypeOf(context).toEqualTypeOf<SyncExecutionContext>();
      expectTypeOf(context.sync.continuation).toEqualTypeOf<Continuation | undefined>();
      return {
        result: [{ id: "1", name: "One" }],
        continuation: { page: 2 },
        deletedRowIds: ["3"],
      };
    },
    maxUpdateBatchSize: 10,
    updateOptions: { extraOAuthScopes: ["write"] },
    executeUpdate: async (args, updates, context) => {
      expectTypeOf(args).toEqualTypeOf<[string]>();
      expectTypeOf(updates).toEqualTypeOf<SyncUpdate<Row>[]>();
      expectTypeOf(context).toEqualTypeOf<UpdateSyncExecutionContext>();
      return { result: updates.map(({ newValue }) => newValue) };
    },
    validateParameters: () => ({
      isValid: false,
      message: "No.",
      errors: [{ message: "No.", parameterName: "list" }],
    }),
    onError: (error) => {
      throw error;
    },
  },
  dynamicOptions: {
    getSchema: async () => Task,
    entityName: "Task",
    defaultAddDynamicColumns: false,
  },
});
expectTypeOf(chained).toEqualTypeOf<PackDefinitionBuilder>();

// A continuation and a completion of one's own.
pack.addSyncTable({
  name: "Changes",
  identityName: "Change",
  schema: Task,
  formula: {
    parameters: [],
    execute: async (_args, context: SyncExecutionContext<{ page: number }, { since: string }>) => {
      expectTypeOf(context.sync.continuation).toEqualTypeOf<{ page: number } | undefined>();
      if (context.sync.previousCompletion !== undefined) {
        expectTypeOf(context.sync.previousCompletion.incrementalContinuation).toEqualTypeOf<{
          since: string;
        }>();
      }
      return { result: [], completion: { incrementalContinuation: { since: "now" } } };
    },
  },
});

const failure = { name: "Bad", identityName: "Bad", schema: Task } as const;
makeSyncTable({
  ...failure,
  // @ts-expect-error a row lacks its id
  formula: { parameters: [], execute: async () => ({ result: [{ name: "One" }] }) },
});
makeSyncTable({
  ...failure,
  // @ts-expect-error rows are a list
  formula: { parameters: [], execute: async () => ({ result: { id: "1" } }) },
});
makeSyncTable({
  ...failure,
  // @ts-expect-error there is no second argument
  formula: { parameters: [list], execute: async ([, second]) => ({ result: [{ id: second }] }) },
});
// @ts-expect-error a table needs a schema
makeSyncTable({
  name: "Bad",
  identityName: "Bad",
  formula: { parameters: [], execute: async () => ({ result: [] }) },
});
// @ts-expect-error a table needs the name of its rows
makeSyncTable({
  name: "Bad",
  schema: Task,
  formula: { parameters: [], execute: async () => ({ result: [] }) },
});
makeSyncTable({
  ...failure,
  // @ts-expect-error identityNam
  identityNam: "x",
  formula: { parameters: [], execute: async () => ({ result: [] }) },
});
makeSyncTable({
  ...failure,
  // @ts-expect-error a sync formula has no varargs
  formula: { parameters: [], varargParameters: [list], execute: async () => ({ result: [] }) },
});
makeSyncTable({
  ...failure,
  formula: {
    parameters: [],
    execute: () => ({ result: [] }),
    // @ts-expect-error updates give rows or errors
    executeUpdate: () => ({ result: [1] }),
  },
});

// Dynamic tables.
const dynamic = makeDynamicSyncTable({
  name: "Lists",
  description: "One table for each list.",
  identityName: "ListItem",
  getName: async (context) => `List ${context.sync}`,
  getSchema: async () => Task,
  getDisplayUrl: async (context) => context.endpoint ?? "",
  listDynamicUrls: async (_context, parent) => [
    { display: "A", value: parent, hasChildren: false },
  ],
  searchDynamicUrls: async (_context, search) => [search],
  formula: { parameters: [list], execute: async ([name]) => ({ result: [{ name }] }) },
});
expectTypeOf(dynamic).toEqualTypeOf<SyncTable>();

// Rows whose type is an interface, which has no index signature.
interface Contact {
  id: string;
  labels: Label[];
}
interface Label {
  name: string;
}
declare const contacts: Contact[];
const dynamicMembers = {
  ...{ name: "Contacts", description: "Contacts.", identityName: "Contact" },
  getName: async () => "Contacts",
  getSchema: async () => Task,
  getDisplayUrl: async () => "https://contacts.example",
};
pack.addDynamicSyncTable({
  ...dynamicMembers,
  formula: {
    parameters: [],
    execute: async () => ({ result: contacts }),
    executeUpdate: async (_args, updates) => {
      expectTypeOf(updates[0]?.newValue).toEqualTypeOf<{ [member: string]: unknown } | undefined>();
      return { result: contacts };
    },
  },
});
pack.addDynamicSyncTable({
  ...dynamicMembers,
  formula: { parameters: [], execute: async () => ({ result: [{ id: "1", more: 1 }] }) },
});
pack.addDynamicSyncTable({
  ...dynamicMembers,
  // @ts-expect-error rows are objects
  formula: { parameters: [], execute: async () => ({ result: ["1"] }) },
});
const Open = makeObjectSchema({
  properties: { id: { type: "string", required: true } },
  includeUnknownProperties: true,
  idProperty: "id",
  displayProperty: "id",
});
const openTable = { name: "Open", description: "Open.", identityName: "Open", schema: Open };
pack.addSyncTable({
  ...openTable,
  formula: {
    name: "Open",
    description: "Open.",
    parameters: [],
    execute: async () => ({ result: contacts }),
  },
});
pack.addSyncTable({
  ...openTable,
  formula: {
    name: "Open",
    description: "Open.",
    parameters: [],
    execute: async () => ({ result: [{ id: "1", more: 1 }] }),
  },
});
pack.addSyncTable({
  ...openTable,
  formula: {
    name: "Open",
    description: "Open.",
    parameters: [],
    // @ts-expect-error the id is missing
    execute: async () => ({ result: [{ more: 1 }] }),
  },
});
makeDynamicSyncTable({
  name: "Bad",
  identityName: "Bad",
  getName: () => "a",
  getDisplayUrl: () => "a",
  // @ts-expect-error a schema, not true
  getSchema: () => true,
  formula: { parameters: [], execute: () => ({ result: [] }) },
});

// Formats, skills and servers.
pack.addColumnFormat({ name: "Task", formulaName: "Task", matchers: [/^task/i] });
pack.addMCPServer({ name: "Tasks", endpointUrl: "https://tasks.example/mcp" });
pack.addSkill({
  name: "Plan",
  displayName: "Plan",
  description: "Plans.",
  prompt: "Plan.",
  tools: [
    { type: "Pack", formulas: [{ formulaName: "Task" }] },
    { type: "Knowledge", source: { type: "Pack" } },
    { type: "ScreenAnnotation", annotation: { type: "Rewrite" } },
    { type: "ContactResolution" },
    { type: "WebSearch", allowedDomains: ["tasks.example"] },
    { type: "MCP", serverNames: ["Tasks"] },
  ],
  models: [{ model: "OpenAIGPT5", prompt: "Plan." }],
});
// @ts-expect-error matchers are patterns
pack.addColumnFormat({ name: "Task", formulaName: "Task", matchers: ["task"] });
pack.addSkill({
  name: "A",
  displayName: "A",
  description: "A",
  prompt: "A",
  // @ts-expect-error no such tool
  tools: [{ type: "Oracle" }],
});
