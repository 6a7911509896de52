import { cpSync, readdirSync, readFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { stopsBuild } from "../../src/execute/pack-issues.ts";
import { readDocumentedRules } from "../support/documented-rules.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { CALLS } from "./calls.ts";
import { REFUSED } from "./refused-definitions.ts";

// Each fact about the compiled form (docs/rules.md: C1 to C43) is shown by a Pack of this folder, and the other
// tests compare these Packs with what the published package makes of them. Here each Pack is asked
// whether it shows the fact.

// biome-ignore lint/suspicious/noExplicitAny: read as the service reads it, without types
type Compiled = any;

const facts = readDocumentedRules();
const folder = makeTemporaryFolder();
/** What the bundle of each Pack exports. */
const exported: Record<string, Compiled> = {};
/** The `manifest.json` of each Pack. */
const metadata: Record<string, Compiled> = {};

const findPack = (name: string): Compiled => exported[name].pack ?? exported[name].manifest;
const findFormula = (pack: string, name: string, from: Compiled = findPack(pack)): Compiled =>
  from.formulas.find((each: Compiled) => each.name === name);
const findTable = (pack: string, name: string, from: Compiled = findPack(pack)): Compiled =>
  from.syncTables.find((each: Compiled) => each.name === name || each.getter.name === name);
const metadataFormula = expect.objectContaining({
  name: "getMetadata",
  resultType: 2,
  execute: expect.any(Function),
});
const listSpecs = (type: string): Compiled[] =>
  Object.values(CALLS)
    .map(({ spec }) => spec as Compiled)
    .filter((spec) => spec.type === type);
const refusals = (fact: number): number =>
  Object.values(REFUSED).filter((each) => each.fact === fact).length;
const listSchemas = (pack: string): Compiled[] =>
  findPack(pack).syncTables.map(({ schema }: Compiled) => schema);

const FACTS: Record<number, [where: string, check: () => void]> = {
  1: [
    "formulas and legacy",
    () => expect([exported["formulas"].pack, exported["legacy"].manifest]).not.toContain(undefined),
  ],
  2: [
    "tables and members",
    () => {
      expect(findTable("tables", "SyncTasks")).toBe(findTable("tables", "Tasks"));
      expect(findTable("tables", "Tasks").getter.execute).toBeTypeOf("function");
      expect(findPack("tables")).toMatchObject({
        defaultAuthentication: {},
        systemConnectionAuthentication: {},
      });
      expect(
        findPack("members").adminAuthentications.find(({ name }: Compiled) => name === "admins")
          .authentication,
      ).toBeDefined();
    },
  ],
  3: [
    "the calls",
    () => {
      for (const type of ["Standard", "Sync", "SyncUpdate", "GetPermissions"])
        expect(listSpecs(type), type).not.toEqual([]);
      expect(Object.values(CALLS).flatMap(({ args = [] }) => args)).toContainEqual(
        expect.any(Date),
      );
    },
  ],
  4: [
    "the calls",
    () =>
      expect(
        new Set(listSpecs("Metadata").map(({ metadataFormulaType }) => metadataFormulaType)),
      ).toEqual(
        new Set([
          ...[
            "GetConnectionName",
            "GetConnectionUserId",
            "PostSetupSetEndpoint",
            "ParameterAutocomplete",
            "ValidateParameters",
          ],
          ...[
            "SyncListDynamicUrls",
            "SyncSearchDynamicUrls",
            "SyncGetTableName",
            "SyncGetDisplayUrl",
            "SyncGetSchema",
            "PropertyOptions",
          ],
        ]),
      ),
  ],
  5: [
    "members/Named",
    () => {
      const { X, Y, Rows } = findFormula("members", "Named").schema.properties;
      expect([X.fromKey, Y.fromKey, Rows.items.includeUnknownProperties]).toEqual([
        "shared",
        "shared",
        true,
      ]);
      expect(CALLS["members under the author's names"]?.target).toBe("Named");
    },
  ],
  6: [
    "tables/Tasks",
    () => {
      expect(findTable("tables", "Tasks").namedPropertyOptions.state.execute).toBeTypeOf(
        "function",
      );
      expect(
        findTable("tables", "Tasks", metadata["tables"]).namedPropertyOptions.state,
      ).not.toHaveProperty("execute");
    },
  ],
  7: [
    "members/Takes…",
    () => {
      const types = findPack("members").formulas.map(
        ({ parameters }: Compiled) => parameters[0]?.type,
      );
      for (const type of [0, 1, 3, 4, 5, 6, 7, 8, 9]) {
        const list = { type: "array", items: type };
        expect(types).toEqual(expect.arrayContaining([type, list, { ...list, allowEmpty: true }]));
      }
      const results = Object.keys(exported).flatMap((name) =>
        metadata[name].formulas.map(({ resultType }: Compiled) => resultType),
      );
      expect(new Set(results)).toEqual(new Set([0, 1, 2, 3]));
    },
  ],
  8: [
    "formulas/Tasks",
    () => {
      expect(findFormula("formulas", "Tasks")).toMatchObject({
        resultType: 2,
        schema: { type: "array" },
      });
      expect(findFormula("formulas", "Tasks")).not.toHaveProperty("items");
    },
  ],
  9: [
    "members/Named and tables/Tasks",
    () => {
      expect(Object.keys(findFormula("members", "Named").schema.properties)).toEqual(
        expect.arrayContaining(["PaddedName", "PostCode", "X", "日本", "Nested"]),
      );
      expect(listSchemas("tables")[0].properties).toHaveProperty("TaskId");
      expect(
        Object.keys(findFormula("formulas", "Task").schema.properties.Address.properties),
      ).toContain("PostCode");
    },
  ],
  10: [
    "formulas/Choices, members and errors/Choices",
    () => {
      const [list, numbers, labelled, found] = findFormula("formulas", "Choices").parameters;
      for (const { autocomplete } of [list, numbers, labelled, found])
        expect(autocomplete).toEqual(metadataFormula);
      expect([list.allowManualInput, labelled.allowManualInput]).toEqual([true, false]);
      expect(Object.isFrozen(findFormula("errors", "Choices").parameters[0])).toBe(true);
      expect(findFormula("members", "Checked").parameters[1].autocomplete).toEqual(metadataFormula);
      expect(
        findFormula("members", "Crawled").parameters[0].crawlStrategy.parentTable.propertyKey,
      ).toBe("MailId");
    },
  ],
  11: [
    "members/Checked and formulas/Saved",
    () => {
      for (const formula of [findFormula("members", "Checked"), findFormula("formulas", "Saved")])
        for (const key of ["onError", "codaType", "items"]) expect(formula).not.toHaveProperty(key);
    },
  ],
  12: [
    "formulas",
    () => {
      expect(findFormula("formulas", "Choices").schema).toMatchObject({
        type: "number",
        currencyCode: "EUR",
      });
      expect(findFormula("formulas", "Link").schema).toEqual({ type: "string", codaType: "url" });
      expect(Object.entries(findFormula("formulas", "Saved"))).toContainEqual([
        "schema",
        undefined,
      ]);
      expect(findFormula("formulas", "IsDone").schema).toBeUndefined();
    },
  ],
  13: [
    "formulas/Tasks and formulas/Task",
    () => {
      expect(findFormula("formulas", "Tasks").schema.items.properties).toHaveProperty("DueDate");
      expect(findFormula("formulas", "Task").schema.properties).toHaveProperty("DueDate");
    },
  ],
  14: ["formulas/Saved", () => expect(CALLS["onError"]?.target).toBe("Saved")],
  15: [
    "members/Early and formulas/Choices",
    () => {
      const requirements = (each: Compiled): unknown[] =>
        [...each.parameters, ...each.varargParameters].flatMap(
          ({ autocomplete }) => autocomplete?.connectionRequirement ?? [],
        );
      expect(new Set(requirements(findFormula("formulas", "Choices")))).toEqual(new Set(["none"]));
      expect(requirements(findFormula("members", "Early"))).toEqual(["optional", "optional"]);
    },
  ],
  16: [
    "legacy",
    () => {
      expect(findPack("legacy").formulas.map(({ name }: Compiled) => name)).toEqual([
        "Greet",
        "Sum",
        "Item",
        "Fetch",
        "Remove",
      ]);
      for (const name of ["Fetch", "Remove"])
        expect(findFormula("legacy", name).execute).toBeTypeOf("function");
    },
  ],
  20: [
    "tables/Lists",
    () => {
      const { parameters, ...rest } = findTable("tables", "Lists").getName;
      expect(rest).toEqual({
        name: "getMetadata",
        description: "Gets metadata",
        examples: [],
        connectionRequirement: "required",
        resultType: 2,
        execute: expect.any(Function),
      });
      expect(parameters).toEqual([
        {
          name: "search",
          description: "Metadata to search for.",
          optional: true,
          allowManualInput: true,
          type: 0,
        },
        {
          name: "formulaContext",
          description: "Serialized JSON for metadata.",
          optional: true,
          allowManualInput: true,
          type: 0,
        },
      ]);
    },
  ],
  21: [
    "tables/Tasks and tables/Lists",
    () => {
      expect(findTable("tables", "Tasks").namedPropertyOptions.state.name).toBe(
        "Task.state.Options",
      );
      expect(Object.values(findTable("tables", "Lists").namedPropertyOptions)).toEqual([
        expect.objectContaining({ name: "ListRow.DynamicPropertyOptions" }),
      ]);
    },
  ],
  22: [
    "members/Named",
    () =>
      expect(findFormula("members", "Named").schema.properties.PaddedName).toEqual({
        type: "string",
        fromKey: " padded name ",
        originalKey: " padded name ",
        displayName: "Padded",
        fixedId: "p",
        mutable: true,
        required: true,
      }),
  ],
  23: [
    "every schema",
    () => {
      const [schema, ...others] = [
        ...listSchemas("tables"),
        ...listSchemas("members"),
        findFormula("members", "Named").schema,
      ].filter(Boolean);
      const all = Object.assign({}, schema, ...others);
      const indexes = Object.assign({}, ...[schema, ...others].map(({ index }) => index));
      const references = [
        ...[
          "displayProperty",
          "primary",
          "idProperty",
          "id",
          "featured",
          "featuredProperties",
          "imageProperty",
          "linkProperty",
        ],
        ...[
          "snippetProperty",
          "subtitleProperties",
          "titleProperty",
          "createdAtProperty",
          "createdByProperty",
          "modifiedAtProperty",
        ],
        ...[
          "modifiedByProperty",
          "userEmailProperty",
          "userIdProperty",
          "groupIdProperty",
          "memberGroupIdProperty",
          "versionProperty",
        ],
      ];
      expect(references.filter((key) => all[key] === undefined)).toEqual([]);
      expect(all.parent).toEqual({ parentIdProperty: "Thread" });
      expect(all.linkProperty).toEqual({ property: "Link", label: "Open", placeholder: "none" });
      expect(all.subtitleProperties).toContainEqual({ property: "Project.Name", label: "" });
      expect(indexes).toEqual({
        properties: ["Body", { property: "DisplayName", strategy: "raw" }],
        contextProperties: ["Project.Name"],
        authorityNormProperty: "Trust",
        popularityNormProperty: "Rank",
        filterableProperties: ["Sent"],
        contentCategorization: {
          type: "Email",
          toProperty: "ToList",
          fromProperty: "FromOne",
          subjectProperty: "SubjectLine",
          htmlBodyProperty: "HtmlBody",
          plainTextBodyProperty: "PlainBody",
        },
      });
    },
  ],
  24: [
    "the refused definitions and members/Thread",
    () => {
      expect(refusals(24)).toBeGreaterThan(0);
      expect(readFileSync(join(folder.path, "members.ts"), "utf8")).toContain("__packId");
      expect(JSON.stringify(findPack("members"))).not.toContain("__packId");
    },
  ],
  25: [
    "the refused definitions and tables/Tasks",
    () => {
      expect(refusals(25)).toBeGreaterThan(3);
      expect(listSchemas("tables")[0].properties.Project).toMatchObject({
        codaType: "reference",
        identity: { name: "Project" },
      });
    },
  ],
  30: [
    "tables and members",
    () => {
      const all = Object.assign(
        {},
        ...findPack("tables").syncTables,
        ...findPack("members").syncTables,
      );
      const members = [
        "name",
        "displayName",
        "description",
        "instructions",
        "schema",
        "identityName",
        "getter",
        "getSchema",
        "entityName",
      ];
      const more = [
        "defaultAddDynamicColumns",
        "namedPropertyOptions",
        "role",
        "indexing",
        "isDynamic",
      ];
      const dynamic = ["getDisplayUrl", "listDynamicUrls", "searchDynamicUrls", "getName"];
      expect(Object.keys(all).sort()).toEqual([...members, ...more, ...dynamic].sort());
    },
  ],
  31: [
    "tables/Tasks and members/Mails",
    () => {
      const getter = { isSyncFormula: true, cacheTtlSecs: 0, resultType: 2 };
      expect(findTable("tables", "Tasks").getter).toMatchObject({
        ...getter,
        supportsUpdates: true,
        supportsGetPermissions: true,
        execute: expect.any(Function),
        executeUpdate: expect.any(Function),
        executeGetPermissions: expect.any(Function),
        schema: { type: "array" },
        validateParameters: metadataFormula,
        connectionRequirement: "required",
      });
      expect(findTable("members", "Mails").getter).toMatchObject({
        ...getter,
        supportsUpdates: false,
        connectionRequirement: "none",
      });
      expect(findTable("members", "Typed").getter.schema).toBeUndefined();
      expect(findTable("members", "Broken").getter).not.toHaveProperty("onError");
    },
  ],
  32: [
    "tables/Tasks and members/Mails, Gone, Empty and Broken",
    async () => {
      const run = (name: string) => findTable("members", name).getter.execute([], {});
      expect(await run("Mails")).toHaveProperty("permissionsContext");
      expect(await run("Gone")).toEqual({
        result: [],
        deletedRowIds: ["1", "2"],
        deletedItemIds: ["1", "2"],
      });
      expect(await run("Empty")).toEqual({ result: [] });
      await expect(run("Broken")).rejects.toThrow("Said by onError.");
      expect(CALLS["a sync of several pages"]?.compare).toBe("pages");
    },
  ],
  33: ["tables/Tasks", () => expect(CALLS["an update"]?.compare).toBe("updates")],
  34: [
    "tables/Lists and members/Typed",
    async () => {
      expect(await findTable("members", "Typed").getSchema.execute(["", ""], {})).toMatchObject({
        type: "array",
      });
      expect(findTable("tables", "Lists").schema).toMatchObject({
        type: "object",
        idProperty: "Id",
        displayProperty: "Id",
        identity: { name: "ListRow" },
        properties: { Id: { type: "string", originalKey: "id" } },
      });
    },
  ],
  35: [
    "tables/Tasks",
    () =>
      expect(findTable("tables", "Tasks", metadata["tables"]).schema.properties.State.options).toBe(
        "state",
      ),
  ],
  36: [
    "tables/Lists and members/Mails",
    () => {
      const {
        getter,
        getSchema,
        getName,
        getDisplayUrl,
        listDynamicUrls,
        searchDynamicUrls,
        ...table
      } = findTable("tables", "Lists");
      const parts = [
        getter,
        getSchema,
        getName,
        getDisplayUrl,
        listDynamicUrls,
        searchDynamicUrls,
        ...Object.values(table.namedPropertyOptions),
      ];
      expect(parts.map((part: Compiled) => part.connectionRequirement)).toEqual(
        parts.map(() => "required"),
      );
      for (const each of [table, findTable("members", "Mails")])
        expect(each).not.toHaveProperty("connectionRequirement");
    },
  ],
  37: ["the refused definitions", () => expect(refusals(37)).toBeGreaterThan(7)],
  40: [
    "members and formulas",
    () => {
      const always = [
        "formulas",
        "formats",
        "syncTables",
        "skills",
        "suggestedPrompts",
        "networkDomains",
        "mcpServers",
      ];
      for (const name of ["formulas", "members"]) {
        for (const key of always)
          expect(metadata[name][key], `${name} ${key}`).toEqual(expect.any(Array));
        expect(metadata[name].formulaNamespace).toBe("Deprecated");
      }
      const set = [
        "version",
        "skillEntrypoints",
        "chatSkill",
        "benchInitializationSkill",
        "defaultAuthentication",
        "adminAuthentications",
      ];
      for (const key of [...set, "_defaultConnectionRequirement"])
        expect(metadata["members"]).toHaveProperty(key);
      for (const key of set.slice(1)) expect(metadata["formulas"]).not.toHaveProperty(key);
    },
  ],
  41: [
    "tables, members and none",
    () => {
      const { getConnectionName, getConnectionUserId, postSetup } =
        findPack("tables").defaultAuthentication;
      for (const each of [getConnectionName, getConnectionUserId, postSetup[0].getOptions])
        expect(each).toEqual(metadataFormula);
      const own = findPack("members").defaultAuthentication;
      expect(own.postSetup[0].getOptionsFormula).toEqual(metadataFormula);
      expect(own).not.toHaveProperty("defaultConnectionRequirement");
      expect(findPack("none").defaultAuthentication).toEqual({ type: "None" });
      expect(findPack("various").defaultAuthentication).toEqual({ type: "Various" });
    },
  ],
  42: [
    "members and tables",
    () => {
      const requirements = ["Early", "Late", "EarlyOwn"].map(
        (name) => findFormula("members", name).connectionRequirement,
      );
      expect(requirements).toEqual(["optional", "optional", "optional"]);
      expect(metadata["members"]._defaultConnectionRequirement).toBe("optional");
      expect(metadata["tables"]._defaultConnectionRequirement).toBe("required");
      expect(findPack("none")).not.toHaveProperty("_defaultConnectionRequirement");
    },
  ],
  43: [
    "agent and writing-agent",
    () => {
      const { agent, defaultTriggers } = metadata["agent"];
      expect(agent.tools.map(({ type }: Compiled) => type)).toEqual([
        "WebSearch",
        "CodaDocsAndTables",
        "MailAndCalendar",
        "Pack",
      ]);
      expect(agent.instructions).not.toBe("");
      expect([...defaultTriggers, ...metadata["writing-agent"].defaultTriggers]).toMatchObject([
        { kind: "schedule" },
        { kind: "whileWriting" },
      ]);
    },
  ],
};

describe("the Packs of this folder show each fact about the compiled form", () => {
  beforeAll(async () => {
    const packs = new URL("packs/", import.meta.url);
    cpSync(packs, folder.path, { recursive: true });
    const files = readdirSync(packs);
    const { packs: built, issues } = await buildPacks(files, {
      cwd: folder.path,
      outDir: "out",
      types: false,
    });
    expect(issues.filter(stopsBuild)).toEqual([]);
    for (const { name, bundle, manifest } of built) {
      const module = new Module(bundle) as Module & { _compile(code: string, file: string): void };
      module._compile(readFileSync(bundle, "utf8"), bundle);
      exported[name] = module.exports;
      metadata[name] = JSON.parse(readFileSync(manifest, "utf8"));
    }
  }, 120_000);
  afterAll(() => folder[Symbol.dispose]());

  it.each(
    Object.entries(FACTS).map(([number, [where, check]]) => ({
      fact: facts.get(`C${number}`),
      where,
      check,
    })),
  )("$fact, in $where", async ({ check }) => {
    await check();
  });
});
