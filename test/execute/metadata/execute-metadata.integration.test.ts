import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePack } from "../../../src/bundle/bundle-pack.ts";
import { matchFormat } from "../../../src/execute/execute-target.ts";
import {
  executeMetadata,
  getConnectionName,
  getPostSetupOptions,
} from "../../../src/execute/metadata/execute-metadata.ts";
import type { MetadataTarget } from "../../../src/execute/metadata/metadata-formulas.ts";
import { createIsolate, type Isolate } from "../../../src/sandbox/host/isolate.ts";
import { createProject } from "../../bundle/project.ts";

const PACK = `
import { AuthenticationType, autocompleteSearchObjects, makeMetadataFormula, makeObjectSchema, makeParameter, newPack, ParameterType, PostSetupType, simpleAutocomplete, ValueType, makeSimpleAutocompleteMetadataFormula } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
const text = (name: string, autocomplete: any) => makeParameter({ type: ParameterType.String, name, description: name, optional: true, autocomplete });
pack.addFormula({ name: "Pick", description: "Picks.", resultType: ValueType.String, execute: async () => "", parameters: [
  text("fixed", ["Red", { display: "Dark blue", value: "blue" }]),
  text("modern", async (_: unknown, search: string, { fixed }: { fixed?: string }) => simpleAutocomplete(search, [String(fixed), "other"])),
  text("objects", async (_: unknown, search: string) => autocompleteSearchObjects(search, [{ id: 1, name: "One" }, { id: 2, name: "Two" }], "name", "id")),
  text("wrapped", makeMetadataFormula(async (_, search, { fixed }) => [search + String(fixed)])),
  text("older", makeSimpleAutocompleteMetadataFormula(["Ann", "Bob"])),
  text("nothing", async () => undefined),
  text("wrong", async () => [{ display: "no value" }]),
  text("crash", async () => { throw new Error("no luck"); }),
  makeParameter({ type: ParameterType.Number, name: "numbers", description: "It.", optional: true, autocomplete: [1, 20, 3] }),
] });
pack.addSyncTable({ name: "Tasks", description: "Tasks.", identityName: "Task",
  schema: makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: {
    id: { type: ValueType.String },
    tags: { type: ValueType.Array, items: { type: ValueType.String, codaType: "selectList", options: async (context) => ({ result: [context.propertyName, ...context.propertyValues.more], cacheTtlSecs: 60 }) } },
    labels: { type: ValueType.Array, items: { type: ValueType.String, codaType: "selectList" }, options: async () => ["red"] },
    state: { type: ValueType.String, codaType: "selectList", options: async (context) => context.search === "" ? undefined : [{ display: "Open", value: "open" }] },
  } }),
  formula: { name: "SyncTasks", description: "Gets.", parameters: [], execute: async () => ({ result: [] }), validateParameters: async () => ({ fine: true }) as never } });
pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true,
  getConnectionName: async (context) => "Account at " + context.endpoint, getConnectionUserId: async () => 42,
  postSetup: [{ type: PostSetupType.SetEndpoint, name: "Region", description: "Pick.", getOptions: async () => [{ display: "Europe", value: "https://eu.tasks.example" }] }] });
pack.addColumnFormat({ name: "Ticket", formulaName: "Pick", matchers: [/^T-(\\d+)$/gi, /^#/] });
pack.addColumnFormat({ name: "Slow", formulaName: "Pick", matchers: [/^(a+)+$/] });
`;

describe("executeMetadata", () => {
  let isolate: Isolate;
  beforeAll(async () => {
    await using project = await createProject({
      "pack.ts": PACK.replace(
        'import { makeSimpleAutocompleteMetadataFormula } from "packsmith";',
        'import { makeSimpleAutocompleteMetadataFormula } from "@codahq/packs-sdk";',
      ),
    });
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    isolate = await createIsolate({
      code: bundle.code,
      sourceMap: bundle.sourceMap,
      fileName: "bundle.js",
    });
  });
  afterAll(() => isolate[Symbol.asyncDispose]());
  const ask = async (target: MetadataTarget, account?: object) =>
    (await executeMetadata({ isolate, target, account: account as never })).result;
  const choices = (parameter: string, search = "", values = {}) =>
    ask({ kind: "autocomplete", of: "Pick", parameter, search, values });

  it.each<[string, string, object, unknown]>([
    [
      "fixed",
      "",
      {},
      [
        { display: "Red", value: "Red" },
        { display: "Dark blue", value: "blue" },
      ],
    ],
    ["fixed", "BLUE", {}, [{ display: "Dark blue", value: "blue" }]],
    ["numbers", "2", {}, [{ display: "20", value: 20 }]],
    [
      "modern",
      "r",
      { fixed: "Red" },
      [
        { display: "Red", value: "Red" },
        { display: "other", value: "other" },
      ],
    ],
    ["objects", "tw", {}, [{ display: "Two", value: 2 }]],
    ["wrapped", "x", { fixed: "y" }, [{ display: "xy", value: "xy" }]],
    ["older", "b", {}, [{ display: "Bob", value: "Bob" }]],
    ["nothing", "", {}, []],
  ])("gives the choices of %s for %j", async (parameter, search, values, expected) => {
    expect(await choices(parameter, search, values)).toEqual(expected);
  });

  it("tells what is wrong with choices, and where a function throws", async () => {
    await expect(choices("wrong")).rejects.toMatchObject({
      code: "RESULT_INVALID",
      details: { path: "result[0]" },
    });
    await expect(choices("crash")).rejects.toMatchObject({
      code: "FORMULA_FAILED",
      message: "autocomplete failed: no luck",
      hint: expect.stringMatching(/^Look at pack\.ts:\d+:\d+\.$/),
    });
  });

  it("says that a list property has no options when they are not on its items", async () => {
    await expect(
      ask({ kind: "propertyOptions", table: "Tasks", property: "labels" }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("has no options function"),
    });
  });

  it("gives the options of a property, also of its items, and what they depend on", async () => {
    expect(
      await ask({
        kind: "propertyOptions",
        table: "Tasks",
        property: "tags",
        values: { more: ["a"] },
      }),
    ).toEqual({
      result: [
        { display: "tags", value: "tags" },
        { display: "a", value: "a" },
      ],
      cacheTtlSecs: 60,
      used: ["propertyValues.more"],
    });
    expect(await ask({ kind: "propertyOptions", table: "Tasks", property: "state" })).toEqual({
      result: [],
      used: ["search"],
    });
    expect(
      await ask({ kind: "propertyOptions", table: "Tasks", property: "state", search: "o" }),
    ).toMatchObject({
      result: [{ display: "Open", value: "open" }],
    });
  });

  it("gives the label and the id of an account, and the choices of its set-up", async () => {
    const account = {
      endpoint: "https://acme.tasks.example",
      authentication: { type: "None" },
    } as never;
    expect(await getConnectionName({ isolate, account })).toBe(
      "Account at https://acme.tasks.example",
    );
    expect(await ask({ kind: "getConnectionUserId" }, account)).toBe(42);
    expect(await getPostSetupOptions({ isolate, slot: "user", step: "Region" })).toEqual([
      { display: "Europe", value: "https://eu.tasks.example" },
    ]);
    expect(await getConnectionName({ isolate, slot: "system" })).toBeUndefined();
    await expect(ask({ kind: "postSetup", step: "Other" })).rejects.toMatchObject({
      code: "METADATA_MISSING",
      hint: "The set-up has: Region.",
    });
  });

  it("refuses the answer of a check that says neither yes nor no", async () => {
    await expect(ask({ kind: "validateParameters", of: "Tasks" })).rejects.toMatchObject({
      code: "RESULT_INVALID",
    });
    await expect(ask({ kind: "validateParameters", of: "Pick" })).rejects.toMatchObject({
      code: "METADATA_MISSING",
    });
  });

  it("finds the column formats of a text, the same ones every time", async () => {
    const match = async (text: string) => (await matchFormat({ isolate, text })).result;
    const ticket = { format: "Ticket", formula: "Pick" };
    for (let time = 0; time < 2; time++)
      expect(await match("t-12")).toEqual([
        { ...ticket, args: ["t-12"], matcher: "/^T-(\\d+)$/gi" },
      ]);
    expect(await match("#T-1")).toEqual([{ ...ticket, args: ["#T-1"], matcher: "/^#/" }]);
    expect(await match("none")).toEqual([]);
  });

  it("ends a pattern that takes forever", async () => {
    const text = `${"a".repeat(40)}b`;
    await expect(matchFormat({ isolate, text, timeoutMs: 300 })).rejects.toMatchObject({
      code: "RUN_TIMEOUT",
    });
    expect((await matchFormat({ isolate, text: "aaa" })).result).toMatchObject([
      { format: "Slow" },
    ]);
  });
});
