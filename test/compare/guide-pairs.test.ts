import { describe, expect, it } from "vitest";
import { readMetadata } from "../../src/bundle/build-record.ts";
import { adviseVersion, mostSerious } from "../../src/compare/change.ts";
import { comparePacks } from "../../src/compare/compare-packs.ts";
import {
  AuthenticationType,
  ConnectionRequirement,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueHintType,
  ValueType,
} from "../../src/index.ts";

// Pairs of Packs as authors write them, with the version that the platform's guide asks for:
// `major` breaks documents, `minor` adds something, `patch` is neither. `person` is what the guide
// does not say. The third member changes the older Pack.
type Verdict = "major" | "minor" | "patch" | "person" | "none";

// biome-ignore lint/suspicious/noExplicitAny: a pair changes any member
type Part = any;

const text = (name: string, more: object = {}): Part =>
  makeParameter({ type: ParameterType.String, name, description: "A text.", ...more });

const taskSchema = (more: Part = {}, properties: Part = {}): Part =>
  makeObjectSchema({
    properties: {
      taskId: { type: ValueType.String, required: true },
      name: { type: ValueType.String, mutable: true },
      due: { type: ValueType.String, codaType: ValueHintType.Date },
      ...properties,
    },
    idProperty: "taskId",
    displayProperty: "name",
    featuredProperties: ["due"],
    ...more,
  });

interface Parts {
  formulas: Part[];
  tables: Part[];
  dynamicTables: Part[];
  formats: Part[];
  skills: Part[];
  authentication: Part;
  domains: string[];
  pack: Part;
}

function makeParts(): Parts {
  return {
    formulas: [
      {
        name: "Task",
        description: "Gets a task.",
        parameters: [text("id"), text("list", { optional: true })],
        resultType: ValueType.Object,
        schema: taskSchema(),
        connectionRequirement: ConnectionRequirement.Optional,
        execute: async () => ({ taskId: "1" }),
      },
      {
        name: "AddTask",
        description: "Adds a task.",
        isAction: true,
        parameters: [text("name")],
        varargParameters: [text("label")],
        resultType: ValueType.String,
        connectionRequirement: ConnectionRequirement.Required,
        execute: async () => "1",
      },
      {
        name: "Count",
        description: "Counts.",
        parameters: [],
        resultType: ValueType.Number,
        connectionRequirement: ConnectionRequirement.None,
        execute: async () => 1,
      },
    ],
    tables: [
      {
        name: "Tasks",
        description: "All tasks.",
        identityName: "Task",
        schema: taskSchema(),
        formula: {
          name: "SyncTasks",
          description: "Syncs tasks.",
          parameters: [text("list", { optional: true })],
          execute: async () => ({ result: [] }),
          executeUpdate: async () => ({ result: [] }),
        },
      },
    ],
    dynamicTables: [
      {
        name: "Boards",
        identityName: "Card",
        listDynamicUrls: async () => [],
        getName: async () => "Board",
        getDisplayUrl: async () => "https://tasks.example/",
        getSchema: async () => taskSchema(),
        formula: {
          name: "SyncBoard",
          description: "Syncs a board.",
          parameters: [],
          execute: async () => ({ result: [] }),
        },
      },
    ],
    formats: [
      {
        name: "Task link",
        formulaName: "Task",
        matchers: [/^https:\/\/tasks\.example\/(.*)/],
        instructions: "Paste a link.",
      },
    ],
    skills: [],
    authentication: {
      type: AuthenticationType.OAuth2,
      authorizationUrl: "https://login.tasks.example/authorize",
      tokenUrl: "https://login.tasks.example/token",
      scopes: ["read"],
    },
    domains: ["tasks.example"],
    pack: { version: "3.1.4" },
  };
}

function buildMetadata(change: (parts: Parts) => void): Part {
  const parts = makeParts();
  change(parts);
  const pack = newPack(parts.pack) as Part;
  for (const domain of parts.domains) pack.addNetworkDomain(domain);
  if (parts.authentication !== undefined) pack.setUserAuthentication(parts.authentication);
  for (const formula of parts.formulas) pack.addFormula(formula);
  for (const table of parts.tables) pack.addSyncTable(table);
  for (const table of parts.dynamicTables) pack.addDynamicSyncTable(table);
  for (const format of parts.formats) pack.addColumnFormat(format);
  for (const skill of parts.skills) pack.addSkill(skill);
  return readMetadata(pack);
}

/** A table has its schema twice once it is compiled, so a change replaces the author's one. */
const setTableSchema =
  (more: Part, properties: Part = {}) =>
  (parts: Parts) => {
    parts.tables[0].schema = taskSchema(more, properties);
  };
const withoutProperty = (name: string): Part => {
  const { [name]: _, ...others } = taskSchema().properties;
  return makeObjectSchema({ properties: others, idProperty: "taskId", displayProperty: "taskId" });
};
const skill = { name: "Plan", displayName: "Plan", description: "Plans.", prompt: "Plan." };

const PAIRS: Readonly<
  Record<string, [Verdict, (parts: Parts) => void, ((parts: Parts) => void)?]>
> = {
  "nothing but the version": ["none", (p) => (p.pack.version = "3.2.0")],
  "only code": ["none", (p) => (p.formulas[2].execute = async () => 2)],
  "building blocks in another order": ["none", (p) => p.formulas.reverse()],
  "properties in another order": [
    "none",
    (p) =>
      (p.formulas[0].schema = makeObjectSchema({
        ...taskSchema(),
        properties: Object.fromEntries(Object.entries(taskSchema().properties).reverse()),
      } as Part)),
  ],
  // Renamed.
  "a formula renamed": ["major", (p) => (p.formulas[2].name = "Total")],
  "an action renamed": ["major", (p) => (p.formulas[1].name = "CreateTask")],
  "a sync table renamed": ["major", (p) => (p.tables[0].name = "Items")],
  "a dynamic sync table renamed": ["major", (p) => (p.dynamicTables[0].name = "Walls")],
  "a column format renamed": ["patch", (p) => (p.formats[0].name = "Link to a task")],
  "a formula renamed only in the case of a letter": [
    "major",
    (p) => (p.formulas[2].name = "count"),
  ],
  // Removed.
  "a formula removed": ["major", (p) => p.formulas.pop()],
  "an action removed": ["major", (p) => p.formulas.splice(1, 1)],
  "a sync table removed": ["major", (p) => (p.tables = [])],
  "a dynamic sync table removed": ["major", (p) => (p.dynamicTables = [])],
  "a column format removed": ["major", (p) => (p.formats = [])],
  "a skill removed": ["major", () => {}, (p) => p.skills.push(skill)],
  // Added.
  "a formula added": ["minor", (p) => p.formulas.push({ ...p.formulas[2], name: "Total" })],
  "an action added": ["minor", (p) => p.formulas.push({ ...p.formulas[1], name: "Remove" })],
  "a sync table added": [
    "minor",
    (p) => p.tables.push({ ...p.tables[0], name: "Lists", identityName: "List" }),
  ],
  "a dynamic sync table added": [
    "minor",
    (p) => p.dynamicTables.push({ ...p.dynamicTables[0], name: "Walls", identityName: "Wall" }),
  ],
  "a column format added": [
    "minor",
    (p) => p.formats.push({ ...p.formats[0], name: "Number", matchers: [] }),
  ],
  "a skill added": ["minor", (p) => p.skills.push(skill)],
  // Parameters.
  "a required parameter added": ["major", (p) => p.formulas[0].parameters.push(text("owner"))],
  "a required parameter added to a formula without one": [
    "major",
    (p) => p.formulas[2].parameters.push(text("owner")),
  ],
  "a required parameter added to a sync table": [
    "major",
    (p) => p.tables[0].formula.parameters.push(text("owner")),
  ],
  "a required parameter added to an action": [
    "major",
    (p) => p.formulas[1].parameters.push(text("owner")),
  ],
  "an optional parameter added": [
    "minor",
    (p) => p.formulas[0].parameters.push(text("owner", { optional: true })),
  ],
  "an optional parameter added to a sync table": [
    "minor",
    (p) => p.tables[0].formula.parameters.push(text("owner", { optional: true })),
  ],
  "repeated parameters added": ["minor", (p) => (p.formulas[2].varargParameters = [text("a")])],
  "an optional parameter becomes required": [
    "major",
    (p) => (p.formulas[0].parameters[1] = text("list")),
  ],
  "a parameter becomes optional": [
    "patch",
    (p) => (p.formulas[1].parameters[0] = text("name", { optional: true })),
  ],
  "a parameter removed": ["major", (p) => p.formulas[0].parameters.pop()],
  "a parameter of another type": [
    "major",
    (p) =>
      (p.formulas[0].parameters[0] = makeParameter({
        type: ParameterType.Number,
        name: "id",
        description: "A number.",
      })),
  ],
  "parameters swapped": [
    "major",
    (p) => p.formulas[0].parameters.push(p.formulas[0].parameters.shift()),
    (p) => (p.formulas[0].parameters[1] = text("list")),
  ],
  "a suggested value of a parameter": [
    "patch",
    (p) => (p.formulas[0].parameters[0] = text("id", { suggestedValue: "1" })),
  ],
  "the description of a parameter": [
    "patch",
    (p) => (p.formulas[0].parameters[0] = text("id", { description: "The number." })),
  ],
  "choices for a parameter": [
    "patch",
    (p) => (p.formulas[0].parameters[0] = text("id", { autocomplete: ["1", "2"] })),
  ],
  // Schemas.
  "a property added": [
    "minor",
    (p) => (p.formulas[0].schema = taskSchema({}, { owner: { type: ValueType.String } })),
  ],
  "a property added to a sync table": [
    "minor",
    setTableSchema({}, { owner: { type: ValueType.String } }),
  ],
  "a property removed": ["major", (p) => (p.tables[0].schema = withoutProperty("due"))],
  "a property renamed": [
    "major",
    (p) =>
      (p.formulas[0].schema = makeObjectSchema({
        ...withoutProperty("due"),
        properties: { ...withoutProperty("due").properties, deadline: { type: "string" } },
      } as Part)),
  ],
  "a property renamed that had its fixedId a version before": [
    "person",
    setTableSchema(
      { featuredProperties: [] },
      { due: undefined, until: { type: "string", fixedId: "d" } },
    ),
    setTableSchema({ featuredProperties: [] }, { due: { type: "string", fixedId: "d" } }),
  ],
  "the name that a property shows": [
    "patch",
    setTableSchema({}, { due: { type: "string", codaType: "date", displayName: "Deadline" } }),
  ],
  "the name that a table shows": ["patch", (p) => (p.tables[0].displayName = "All tasks")],
  "the description of a property": [
    "patch",
    setTableSchema({}, { due: { type: "string", codaType: "date", description: "When." } }),
  ],
  "other columns shown at first": [
    "patch",
    setTableSchema({ featuredProperties: ["due", "name"] }),
  ],
  "the identity of a dynamic table": ["major", (p) => (p.dynamicTables[0].identityName = "Ticket")],
  "the identity of a table": ["major", (p) => (p.tables[0].identityName = "Item")],
  "rows with another id": ["major", setTableSchema({ idProperty: "name" })],
  "another type of result": ["major", (p) => (p.formulas[2].resultType = ValueType.String)],
  "another type of a property": [
    "major",
    setTableSchema({}, { due: { type: ValueType.Number, codaType: ValueHintType.Date } }),
  ],
  "rows can no longer be edited": ["major", (p) => delete p.tables[0].formula.executeUpdate],
  // Column formats.
  "a column format with another formula": [
    "major",
    (p) => {
      p.formulas.push({ ...p.formulas[0], name: "TaskByLink" });
      p.formats[0].formulaName = "TaskByLink";
    },
  ],
  "a column format with other instructions": [
    "patch",
    (p) => (p.formats[0].instructions = "Paste the link of a task."),
  ],
  // Accounts.
  "a scope added": ["minor", (p) => p.authentication.scopes.push("write")],
  "the first scope": [
    "minor",
    (p) => (p.authentication.scopes = ["read"]),
    (p) => delete p.authentication.scopes,
  ],
  "a scope added to a formula": ["minor", (p) => (p.formulas[0].extraOAuthScopes = ["write"])],
  "a formula that requires an account now": [
    "major",
    (p) => (p.formulas[0].connectionRequirement = ConnectionRequirement.Required),
  ],
  "a formula that can do without an account now": [
    "major",
    (p) => (p.formulas[1].connectionRequirement = ConnectionRequirement.Optional),
  ],
  "a formula that uses no account any more": [
    "major",
    (p) => (p.formulas[0].connectionRequirement = ConnectionRequirement.None),
  ],
  "a formula that may use an account now": [
    "major",
    (p) => (p.formulas[2].connectionRequirement = ConnectionRequirement.Optional),
  ],
  "a table that can do without an account now": [
    "major",
    (p) => (p.tables[0].connectionRequirement = ConnectionRequirement.Optional),
  ],
  "another type of authentication": [
    "major",
    (p) => (p.authentication = { type: AuthenticationType.HeaderBearerToken }),
  ],
  "authentication removed": ["major", (p) => (p.authentication = undefined)],
  "a network domain added": ["person", (p) => p.domains.push("more.example")],
  // Seen, and not breaking.
  "a formula made experimental": ["patch", (p) => (p.formulas[2].isExperimental = true)],
  "a formula that is no longer experimental": [
    "patch",
    () => {},
    (p) => (p.formulas[2].isExperimental = true),
  ],
  "the description of a formula": ["patch", (p) => (p.formulas[0].description = "Gets one.")],
  "examples of a formula": [
    "patch",
    (p) => (p.formulas[0].examples = [{ params: ["1"], result: "Milk" }]),
  ],
  "an action that becomes a formula": ["major", (p) => delete p.formulas[1].isAction],
  "a longer cache": ["person", (p) => (p.formulas[2].cacheTtlSecs = 60)],
  "an addition and a removal": [
    "major",
    (p) => {
      p.formulas.pop();
      p.formulas.push({ ...p.formulas[0], name: "Other" });
    },
  ],
};

describe("the changes of the platform's guide", () => {
  it.each(Object.entries(PAIRS))("%s", (_, [verdict, change, before = () => {}]) => {
    const [older, newer] = [before, change].map((each) => ({
      metadata: buildMetadata(each),
      bundle: { sha256: "" },
    })) as [Part, Part];
    const changes = comparePacks(older, newer);
    const advice = adviseVersion("3.1.4", changes);
    const verdicts: Readonly<Record<string, Verdict>> = {
      "4.0.0": "major",
      "3.2.0": "minor",
      "3.1.5": "patch",
    };
    const isUnsure = mostSerious(changes) === "review";
    expect(isUnsure ? "person" : (verdicts[advice ?? ""] ?? "none")).toBe(verdict);
  });
});
