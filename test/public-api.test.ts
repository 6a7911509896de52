import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import * as authoring from "../src/index.ts";

describe("the authoring entry", () => {
  it("exports these values", () => {
    expect(Object.keys(authoring).sort()).toMatchInlineSnapshot(`
      [
        "AttributionNodeType",
        "AuthenticationType",
        "ConnectionRequirement",
        "ContentCategorizationType",
        "CurrencyFormat",
        "DataIndexing",
        "DurationUnit",
        "EmailDisplayType",
        "EmbeddedContentType",
        "FormulaPurpose",
        "HttpStatusCode",
        "ImageCornerStyle",
        "ImageOutline",
        "ImageShapeStyle",
        "IndexingStrategy",
        "InvocationErrorType",
        "InvocationSource",
        "KnowledgeToolSourceType",
        "LifecycleBehavior",
        "LinkDisplayType",
        "MissingScopesError",
        "NetworkConnection",
        "OptionsType",
        "PackDefinitionBuilder",
        "ParameterType",
        "PermissionSyncMode",
        "PermissionType",
        "PermissionsBehavior",
        "PostSetupType",
        "PrecannedDate",
        "PrecannedDateRange",
        "PrincipalType",
        "PropertyLabelValueTemplate",
        "ReservedAuthenticationNames",
        "ResponseSizeTooLargeError",
        "ScaleIconSet",
        "ScreenAnnotationType",
        "SkillModel",
        "StatusCodeError",
        "SvgConstants",
        "TableRole",
        "TokenExchangeCredentialsLocation",
        "ToolType",
        "Type",
        "UpdateOutcome",
        "UserVisibleError",
        "ValidFetchMethods",
        "ValueHintType",
        "ValueType",
        "assertCondition",
        "autocompleteSearchObjects",
        "ensureExists",
        "ensureNonEmptyString",
        "ensureUnreachable",
        "generateSchema",
        "getEffectivePropertyKeysFromSchema",
        "getQueryParams",
        "joinUrl",
        "makeAttributionNode",
        "makeDynamicSyncTable",
        "makeEmptyFormula",
        "makeFormula",
        "makeMetadataFormula",
        "makeObjectSchema",
        "makeParameter",
        "makePropertyOptionsFormula",
        "makeReferenceSchemaFromObjectSchema",
        "makeSchema",
        "makeSimpleAutocompleteMetadataFormula",
        "makeSyncTable",
        "makeTranslateObjectFormula",
        "newPack",
        "simpleAutocomplete",
        "withIdentity",
        "withQueryParams",
      ]
    `);
  });

  it("brings no package and no Node module into a Pack, and few bytes", async () => {
    const { metafile, outputFiles } = await build({
      stdin: {
        contents: `import { makeParameter, newPack, ParameterType, ValueType } from "./index.ts";
export const pack = newPack();
pack.addFormula({
  name: "Hello", description: "Greets someone.",
  parameters: [makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." })],
  resultType: ValueType.String,
  execute: async ([name]) => "Hello " + name + "!",
});`,
        resolveDir: new URL("../src/", import.meta.url).pathname,
        loader: "ts",
      },
      bundle: true,
      minify: true,
      keepNames: true,
      format: "cjs",
      platform: "neutral",
      target: "es2020",
      metafile: true,
      write: false,
    });
    expect(Object.keys(metafile.inputs).filter((path) => path.includes("node_modules") || path.startsWith("node:"))).toEqual([]);
    expect(outputFiles[0]?.contents.byteLength).toBeLessThan(12_000);
  });
});
