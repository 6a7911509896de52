import { describe, expect, it } from "vitest";
import { builtFile } from "../../src/shared/own-package.ts";
import { openEditor } from "../support/editor.ts";
import { typedNames } from "../support/typed-names.ts";

const PACKAGES = { packsmith: "index.d.ts", "@codahq/packs-sdk": "legacy-types.d.ts" } as const;
type PackageName = keyof typeof PACKAGES;
const packageNames = Object.keys(PACKAGES) as PackageName[];

/** Their members say everything with their names, or stand for a type each. */
const SELF_EXPLAINING = [
  "AutocompleteParameterTypeMapping",
  "ContextualTriggerSuggestionColor",
  "FeatureSet",
  "HttpStatusCode",
  "ParameterTypeMap",
  "ParameterValueMap",
  "PackCategory",
  "PrecannedDateRange",
  "QuotaLimitType",
  "ScaleIconSet",
  "SyncInterval",
  "ToolMap",
  "TypeMap",
];
/** Tells types apart that are otherwise the same. No value has it. */
const BRAND = /\.__brand$/;

/** Functions and methods with which authors build a Pack. */
const BUILDERS = [
  ...[
    "newPack",
    "newAgent",
    "makeParameter",
    "makeFormula",
    "makeSyncTable",
    "makeDynamicSyncTable",
    "makeMetadataFormula",
  ],
  ...[
    "makeSchema",
    "makeObjectSchema",
    "makeReferenceSchemaFromObjectSchema",
    "makeAttributionNode",
    "withIdentity",
    "generateSchema",
  ],
  ...[
    "makeTranslateObjectFormula",
    "makeEmptyFormula",
    "simpleAutocomplete",
    "autocompleteSearchObjects",
  ],
  ...[
    "addFormula",
    "addSyncTable",
    "addDynamicSyncTable",
    "addColumnFormat",
    "addSkill",
    "addMCPServer",
    "addNetworkDomain",
  ].map((name) => `PackDefinitionBuilder.${name}`),
  ...["setUserAuthentication", "setSystemAuthentication", "setVersion"].map(
    (name) => `PackDefinitionBuilder.${name}`,
  ),
];

const FORMULA = `name: "Count", description: "Counts.", parameters: [], resultType: coda.ValueType.Number, execute: async () => 1`;
const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://a.example/", tokenUrl: "https://a.example/"`;
const CONTEXT = "export const shown = (context: coda.SyncExecutionContext) => context";

/**
 * Where an author writes: `|` is the cursor. A name that is suggested there, and how its text
 * begins.
 */
const PLACES: Readonly<Record<string, readonly [source: string, name: string, begins: string]>> = {
  "a formula": [
    `pack.addFormula({ | });`,
    "description",
    "A description of the formula. At most 1,000 characters.",
  ],
  "a formula with a name": [
    `pack.addFormula({ ${FORMULA}, | });`,
    "isAction",
    "Makes the formula an action",
  ],
  "a parameter": [
    `coda.makeParameter({ | });`,
    "suggestedValue",
    "The initial value of the field.",
  ],
  "an authentication": [
    `pack.setUserAuthentication({ | });`,
    "type",
    "Set to `AuthenticationType.",
  ],
  "an OAuth 2.0 authentication": [
    `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, | });`,
    "tokenUrl",
    "The URL of the token request.",
  ],
  "an object schema": [
    `coda.makeObjectSchema({ | });`,
    "featuredProperties",
    "The properties that users see first.",
  ],
  "a property": [
    `coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String, | } } });`,
    "fromKey",
    "The name of the field in the object that `execute` returns",
  ],
  "a schema": [
    `coda.makeSchema({ type: coda.ValueType.Number, codaType: coda.ValueHintType.Currency, | });`,
    "currencyCode",
    "The currency code of ISO 4217",
  ],
  "a sync table": [`pack.addSyncTable({ | });`, "identityName", "The name for the kind of row."],
  "a request": [
    `${CONTEXT}.fetcher.fetch({ | });`,
    "cacheTtlSecs",
    "The number of seconds to cache a GET response",
  ],
  "the context": [
    `${CONTEXT}.|;`,
    "temporaryBlobStorage",
    "Stores images and files under a temporary URL.",
  ],
  "the package": [`coda.|;`, "makeParameter", "Defines a parameter."],
  "the Pack": [`pack.|;`, "addNetworkDomain", "Allows requests to these domains"],
  "an authentication type": [
    `export const shown = coda.AuthenticationType.|;`,
    "OAuth2",
    "Users log in with a browser",
  ],
};

/** Hovers that an author meets, and how their text begins. */
const HOVERS: readonly (readonly [source: string, begins: string])[] = [
  [`pack.addFormula|({ ${FORMULA} });`, "Adds a formula."],
  [
    `pack.addFormula({ ${FORMULA}, cacheTtlSecs|: 1 });`,
    "The number of seconds to cache a result. At most 86,400.",
  ],
  [
    `pack.addFormula({ ${FORMULA}, connectionRequirement|: coda.ConnectionRequirement.None });`,
    "Sets whether the formula needs an account.",
  ],
  [
    `pack.addFormula({ ${FORMULA}, isSystem|: true });`,
    "@deprecated Accepted for compatibility with existing Packs.",
  ],
  [
    `pack.addSyncTable({ dynamicOptions: { defaultAddDynamicColumns|: true } });`,
    "Automatically adds columns for new schema properties.",
  ],
  [
    `pack.addDynamicSyncTable({ listDynamicUrls|: async () => [] });`,
    "Returns the tables that the user can choose.",
  ],
  [
    `pack.addNetworkDomain|("example.com");`,
    "Allows requests to these domains and their subdomains.",
  ],
  [`pack.setUserAuthentication({ ${OAUTH}, scopes|: [] });`, "The scopes that the Pack needs."],
  [
    `pack.setUserAuthentication({ ${OAUTH}, useProofKeyForCodeExchange|: true });`,
    "Turns on Proof Key for Code Exchange (PKCE, RFC 7636).",
  ],
  [
    `pack.setUserAuthentication({ type|: coda.AuthenticationType.HeaderBearerToken });`,
    "Set to `AuthenticationType.",
  ],
  [
    `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2|, });`,
    "Users log in with a browser",
  ],
  [
    `pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly|: true } });`,
    "Asks for no password.",
  ],
  [
    `pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName|: "key" });`,
    "The name of the URL parameter.",
  ],
  [
    `pack.setSystemAuthentication({ type: coda.AuthenticationType.AWSAccessKey, service|: "s3" });`,
    "The service that requests are signed",
  ],
  [`coda.makeParameter|({});`, "Defines a parameter."],
  [
    `coda.makeParameter({ type: coda.ParameterType.String, autocomplete|: [] });`,
    "The choices, or a function that finds them.",
  ],
  [
    `coda.makeParameter({ type: coda.ParameterType.SparseStringArray| });`,
    "A list of strings. An empty item is `undefined`.",
  ],
  [
    `coda.makeSchema({ type: coda.ValueType.String, codaType: coda.ValueHintType.ImageReference| });`,
    "The URL of an image. The document shows",
  ],
  [`${CONTEXT}.timezone|;`, "The IANA time zone of the document"],
  [`${CONTEXT}.sync.continuation|;`, "The continuation that the previous page returned."],
  [
    `${CONTEXT}.fetcher.fetch|({ method: "GET", url: "/" });`,
    "Sends a request to a network domain of the Pack.",
  ],
  [
    `${CONTEXT}.fetcher.fetch({ disableAuthentication|: true });`,
    "Sends the request without the credentials of the account.",
  ],
  [
    `${CONTEXT}.temporaryBlobStorage.storeUrl("", { expiryMs|: 1 });`,
    "The time for which the URL works, in milliseconds.",
  ],
  [
    `export const shown = (update: coda.GenericSyncUpdate) => update.updatedFields|;`,
    "The names of the edited properties.",
  ],
  [
    `export const shown = (error: coda.StatusCodeError) => error.statusCode|;`,
    "The status of the response, such as 404.",
  ],
  [
    `pack.addSkill({ prompt|: "" });`,
    "The instructions for the assistant. At most 20,000 characters.",
  ],
  [`export const shown = coda.TokenExchangeCredentialsLocation.Automatic|;`, "In the body first."],
  [
    `export const shown = coda.InvocationErrorType.RateLimitExceeded|;`,
    "The API or the document service rejected the request",
  ],
];

const findStart = (name: PackageName) =>
  `import * as coda from "${name}";\nexport const pack = coda.newPack();\n`;
const locateFile = (name: PackageName, place: number | string) =>
  `${packageNames.indexOf(name)}-${place}.ts`;
const written = packageNames.flatMap((name) => [
  ...Object.entries(PLACES).map(([place, [source]]) => [
    locateFile(name, place),
    findStart(name) + source,
  ]),
  ...HOVERS.map(([source], index) => [locateFile(name, index), findStart(name) + source]),
]);
const editor = openEditor(Object.fromEntries(written), Object.values(PACKAGES).map(builtFile));

describe.each(packageNames)("an author who imports %s", (name) => {
  const names = typedNames(editor.program, builtFile(PACKAGES[name]));

  it("finds a text on every name and every member", () => {
    expect(names.size).toBeGreaterThan(2_000);
    const silent = [...names]
      .filter(([path, { text, isQuiet }]) => text === "" && !isQuiet && !BRAND.test(path))
      .map(([path]) => path);
    expect(
      silent.filter((path) => !SELF_EXPLAINING.some((each) => path.startsWith(`${each}.`))),
    ).toEqual([]);
  });

  it("reads of a deprecated name why, or what to use", () => {
    const reasons = [...names].flatMap(([path, { tags }]) =>
      tags
        .filter((tag) => tag.name === "deprecated")
        .map((tag) => [path, (tag.text ?? []).map(({ text }) => text).join("")]),
    );
    expect(reasons.length).toBeGreaterThan(200);
    expect(reasons.filter(([, reason]) => reason === "")).toEqual([]);
  });

  it("finds an example on each builder", () => {
    expect(
      BUILDERS.filter((path) => !names.get(path)?.tags.some((tag) => tag.name === "example")),
    ).toEqual([]);
  });

  it("reads examples that compile", () => {
    const examples = [...names].flatMap(([path, { tags }]) =>
      tags
        .filter((tag) => tag.name === "example")
        .map(
          (tag) =>
            [
              path,
              (tag.text ?? [])
                .map(({ text }) => text)
                .join("")
                .replace(/^```ts\n|\n```$/g, ""),
            ] as const,
        ),
    );
    const values = [...names.keys()].filter((path) => /^\w+$/.test(path)).join(", ");
    const sources = examples.map(([path, example]) => {
      const start = /\bpack = /.test(example) ? "" : "const pack = newPack();\n";
      return [
        `${path}.ts`,
        `import { ${values} } from "${name}";\n${start}${example}\nexport {};\n`,
      ] as const;
    });
    const compiled = openEditor(Object.fromEntries(sources));
    expect(new Set(sources.map(([file]) => file)).size).toBeGreaterThan(BUILDERS.length);
    expect(
      sources.flatMap(([file]) => compiled.problems(file).map((problem) => `${file}: ${problem}`)),
    ).toEqual([]);
  });

  it.each(Object.entries(PLACES))(
    "is offered no internal name in %s, and deprecated ones last",
    (place, [, suggested, begins]) => {
      const file = locateFile(name, place);
      const offered = editor.suggestions(file);
      expect(offered.map((each) => each.name)).toContain(suggested);
      expect(editor.details(file, suggested)).toSatisfy((text: string) => text.startsWith(begins));
      expect(offered.filter((each) => /^[_#]/.test(each.name))).toEqual([]);
      expect(offered.map(({ isDeprecated }) => isDeprecated)).toEqual(
        offered.map(({ isDeprecated }) => isDeprecated).sort(),
      );
    },
  );

  it.each(HOVERS.map(([source, begins], index) => [source, begins, index] as const))(
    "hovers over %s",
    (_source, begins, index) => {
      expect(editor.hover(locateFile(name, index)).slice(0, begins.length)).toBe(begins);
    },
  );
});
