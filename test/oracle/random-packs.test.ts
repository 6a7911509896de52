import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeOwn, type Recipe } from "./own-description.ts";
import { askPublished, type Description, hasPublishedPackage } from "./published-package.ts";
import { REFUSED } from "./refused-definitions.ts";

/** Members that a part may have or leave out. */
const some = <Shape extends Record<string, fc.Arbitrary<unknown>>>(members: Shape) =>
  fc.record(members, { requiredKeys: [] });
const join = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const word = fc.stringMatching(/^[A-Z][a-z]{2,7}$/);
const propertyName = fc.oneof(
  word,
  fc.constantFrom(
    "due-date",
    "display name",
    "post:code",
    "snake_case",
    "camelCase",
    "x",
    "2nd",
    "Ünï",
    " padded ",
  ),
);
const text = fc.constantFrom("A text.", "Another text.");
const run = (value: unknown) => fc.constant({ $run: value });
const requirement = fc.constantFrom("required", "optional", "none");

const scalar = fc.constantFrom<object>(
  ...[
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "string", codaType: "url" },
  ],
  ...[
    { type: "string", codaType: "date" },
    { type: "string", codaType: "email", display: "iconOnly" },
    { type: "number", codaType: "percent" },
  ],
  ...[
    { type: "number", codaType: "currency", currencyCode: "EUR", precision: 2 },
    { type: "string", codaType: "image", imageOutline: "disabled" },
  ],
  {
    type: "string",
    codaType: "selectList",
    options: ["a", { display: "B", value: "b" }],
    allowNewValues: true,
  },
  { type: "number", codaType: "slider", minimum: 0, maximum: 5, step: 1 },
);
const annotations = some({
  description: text,
  displayName: word,
  required: fc.boolean(),
  mutable: fc.boolean(),
  fixedId: word,
  fromKey: word,
});
const nested = (depth: number): fc.Arbitrary<object> =>
  depth === 0
    ? scalar
    : fc.oneof(
        { weight: 3, arbitrary: scalar },
        fc.record({ type: fc.constant("array"), items: nested(depth - 1) }),
        objectSchema(depth - 1),
      );
const objectSchema = (depth: number): fc.Arbitrary<object> =>
  fc
    .uniqueArray(propertyName, {
      minLength: 1,
      maxLength: 4,
      selector: (name) => name.replace(/\W/g, "").toLowerCase(),
    })
    .chain((names) =>
      fc.record({
        names: fc.constant(names),
        properties: fc.tuple(...names.map(() => join(nested(depth), annotations))),
        extra: some({
          includeUnknownProperties: fc.boolean(),
          description: text,
          featuredProperties: fc.subarray(names),
        }),
      }),
    )
    .map(({ names, properties, extra }) => ({
      $schema: {
        properties: {
          id: { type: "string", required: true },
          ...Object.fromEntries(names.map((name, index) => [name, properties[index]])),
        },
        idProperty: "id",
        displayProperty: "id",
        ...extra,
      },
    }));

const parameter = (name: string, optional: boolean) =>
  join(
    fc.constant({ name, description: "A value.", ...(optional ? { optional } : {}) }),
    fc.oneof(
      fc
        .constantFrom(
          "string",
          "number",
          "boolean",
          "date",
          "html",
          "image",
          "file",
          "stringArray",
          "sparseNumberArray",
          "dateArray",
        )
        .map((type) => ({ type })),
      some({
        autocomplete: fc.oneof(fc.constant(["a", "b"]), run(["c"])),
        allowManualInput: fc.boolean(),
      }).map((more) => ({
        type: "string",
        ...more,
      })),
    ),
  ).map((each) => ({ $parameter: each }));
const parameters = fc
  .tuple(fc.nat(2), fc.nat(2))
  .chain(([required, optional]) =>
    fc.tuple(
      ...Array.from({ length: required + optional }, (_, index) =>
        parameter(`p${index}`, index >= required),
      ),
    ),
  );

const result = fc.oneof(
  fc
    .constantFrom("url", "date", undefined)
    .map((codaType) => ({ resultType: "string", ...(codaType ? { codaType } : {}) })),
  fc.constant({ resultType: "number", schema: { type: "number", codaType: "duration" } }),
  fc.constant({ resultType: "boolean" }),
  objectSchema(2).map((schema) => ({ resultType: "object", schema })),
  nested(2).map((items) => ({ resultType: "array", items })),
);
const formula = (name: string) =>
  join(
    fc.record({ name: fc.constant(name), description: text, parameters, execute: run(null) }),
    result,
    some({
      isAction: fc.boolean(),
      cacheTtlSecs: fc.nat(600),
      instructions: text,
      connectionRequirement: requirement,
      extraOAuthScopes: fc.constant(["more"]),
      isExperimental: fc.boolean(),
      onError: run(null),
      validateParameters: run({ isValid: true }),
    }),
  );
const rowFormula = (name: string) =>
  join(
    fc.record({
      name: fc.constant(`Sync${name}`),
      description: text,
      parameters,
      execute: run({ result: [] }),
    }),
    some({
      executeUpdate: run({ result: [] }),
      maxUpdateBatchSize: fc.integer({ min: 1, max: 9 }),
      connectionRequirement: requirement,
    }),
  );
const table = (name: string) =>
  join(
    fc.record({
      name: fc.constant(name),
      description: text,
      identityName: fc.constant(`${name}Row`),
      schema: objectSchema(1),
      formula: rowFormula(name),
    }),
    some({
      displayName: word,
      instructions: text,
      connectionRequirement: requirement,
      dynamicOptions: some({
        entityName: word,
        getSchema: run({ type: "object", properties: {} }),
      }),
    }),
  );
const dynamicTable = (name: string) =>
  join(
    fc.record({
      name: fc.constant(name),
      description: text,
      identityName: fc.constant(`${name}Row`),
      formula: rowFormula(name),
      getName: run("A name"),
      getSchema: run({ type: "object", properties: {} }),
      getDisplayUrl: run("https://tasks.example"),
      listDynamicUrls: run([]),
    }),
    some({
      searchDynamicUrls: run([]),
      entityName: word,
      defaultAddDynamicColumns: fc.boolean(),
      placeholderSchema: objectSchema(0),
      connectionRequirement: requirement,
    }),
  );
const authentication = fc.oneof(
  fc.constantFrom<object>(
    { type: "None" },
    { type: "HeaderBearerToken" },
    { type: "CustomHeaderToken", headerName: "X-Key" },
    { type: "WebBasic" },
    { type: "QueryParamToken", paramName: "key" },
  ),
  join(
    fc.constant({
      type: "OAuth2",
      authorizationUrl: "https://tasks.example/authorize",
      tokenUrl: "https://tasks.example/token",
    }),
    some({
      scopes: fc.constant(["read"]),
      useProofKeyForCodeExchange: fc.boolean(),
      getConnectionName: run("Ada"),
      getConnectionUserId: run("1"),
      defaultConnectionRequirement: requirement,
      requiresEndpointUrl: fc.constant(false),
    }),
  ),
);

const recipe: fc.Arbitrary<Recipe> = fc.record({
  domains: fc.constant(["tasks.example"]),
  authentication: fc.option(authentication, { nil: undefined }),
  parts: fc
    .array(
      fc.constantFrom(
        "addFormula" as const,
        "addSyncTable" as const,
        "addDynamicSyncTable" as const,
      ),
      { minLength: 1, maxLength: 4 },
    )
    .chain((kinds) =>
      fc.tuple(
        ...kinds.map((add, index) => {
          const make = {
            addFormula: formula,
            addSyncTable: table,
            addDynamicSyncTable: dynamicTable,
          }[add];
          return make(`Part${index}`).map((part) => ({ add, part }));
        }),
      ),
    ),
});

/** Agents, as calls of their builder. */
const agents = fc.record({
  agent: fc.constant(true as const),
  parts: fc
    .record(
      {
        setInstructions: fc.constantFrom("", "Help with the report."),
        setTools: some({
          docs: fc.boolean(),
          mail: fc.boolean(),
          webSearch: fc.constantFrom(
            true,
            false,
            { allowedDomains: ["docs.example"] },
            { allowedDomains: [] },
          ),
          connectors: fc.array(fc.record({ packId: fc.nat(3) }), { maxLength: 2 }),
        }),
        setDefaultWhileWritingTrigger: join(
          fc.constantFrom({ condition: "A number" }, { condition: "" }),
          some({
            surfaces: fc.constant(["docs"]),
            assistMode: fc.constantFrom("proactive", "never"),
            blockedDomains: fc.constantFrom(["a.example"], ["https://a.example"]),
          }),
        ),
        setDefaultScheduleTrigger: fc.record({
          rruleString: fc.oneof(
            fc.constantFrom(
              "FREQ=DAILY",
              "RRULE:FREQ=WEEKLY;BYDAY=MO,-1FR",
              "FREQ=MINUTELY",
              "",
              "FREQ=DAILY;BYHOUR=24",
              "FREQ=DAILY;BYMINUTE=0,30",
            ),
            fc.constantFrom(
              "DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=FR",
              "FREQ=DAILY;FREQ=DAILY",
              "FREQ=DAILY;COUNT=0",
            ),
          ),
        }),
      },
      { requiredKeys: [] },
    )
    .map((calls) => Object.entries(calls).map(([add, part]) => ({ add, part: part as object }))),
});

describe.skipIf(!hasPublishedPackage)("definitions that both refuse", () => {
  it.each(Object.entries(REFUSED))("%s", async (_, { part, add = "addSyncTable" }) => {
    const refused: Recipe = { domains: ["tasks.example"], parts: [{ add, part }] };
    const [theirs] = await askPublished<Description[]>({ kind: "define", recipes: [refused] });
    expect(
      [theirs?.error, ...(theirs?.problems ?? [])].filter((each) => each !== undefined),
    ).not.toEqual([]);
    expect(describeOwn(refused).errors).not.toEqual([]);
  });
});

describe.skipIf(!hasPublishedPackage)("random definitions", () => {
  const recipes: Recipe[] = [...fc.sample(recipe, 150), ...fc.sample(agents, 100)];

  it("are accepted by both validators or by neither, and have equal metadata where both accept", async () => {
    const theirs = await askPublished<Description[]>({ kind: "define", recipes });
    const different: object[] = [];
    let accepted = 0;
    for (const [index, each] of recipes.entries()) {
      const own = describeOwn(each);
      const { metadata, error, problems = [] } = theirs[index] ?? {};
      const refusals =
        error === undefined ? problems.map(({ path, message }) => `${path} ${message}`) : [error];
      if (own.errors.length > 0 !== refusals.length > 0)
        different.push({ index, own: own.errors, theirs: refusals });
      if (own.errors.length > 0 || refusals.length > 0) continue;
      accepted += 1;
      expect(own.metadata, `definition ${index}`).toEqual(metadata);
    }
    expect(different).toEqual([]);
    // Definitions that are all refused would compare nothing.
    expect(accepted).toBeGreaterThan(recipes.length / 5);
  });
});
