import { readFileSync } from "node:fs";

/** The source of a Pack with one of everything that the page shows. */
export const EVERY_PART = readFileSync(
  new URL("../browser/fixtures/every-part.ts", import.meta.url),
  "utf8",
);

/** A Pack of one formula without parameters. */
export function oneFormula(body: string, { name = "Hello", before = "" } = {}): string {
  return `import * as sdk from "packsmith";
export const pack = sdk.newPack();
${before}
pack.addFormula({
  name: "${name}", description: "Says something.",
  parameters: [],
  resultType: "string",
  execute: async () => { ${body} },
});
`;
}

/**
 * A Pack of 60 formulas and 10 tables with long names. The formulas ask an API for their own name.
 */
export const LARGE_PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("api.example");
const SUBJECTS = ["CustomerSubscription", "WarehouseInventoryAdjustment", "Invoice", "ShippingLabelTemplate", "EmployeeOnboardingChecklist", "Task"];
const VERBS = ["Get", "ListRecentlyChanged", "CountArchived", "SummarizeQuarterly", "CompareWithPrevious", "Export", "Validate", "Merge", "Translate", "Delete"];
const customer = sdk.makeParameter({ type: sdk.ParameterType.String, name: "customerReference", description: "Reference of the customer." });
const limit = sdk.makeParameter({ type: sdk.ParameterType.Number, name: "maximumNumberOfResults", description: "At most this many.", optional: true });
const tag = sdk.makeParameter({ type: sdk.ParameterType.String, name: "tag", description: "A tag." });
for (const verb of VERBS) for (const subject of SUBJECTS) pack.addFormula({
  name: verb + subject, description: verb + " for one " + subject + ", with everything that belongs to it.",
  parameters: [customer, limit], varargParameters: [tag], isAction: verb === "Delete", resultType: sdk.ValueType.String,
  execute: async ([reference], context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://api.example/v1/organizations/" + verb + "/" + subject + "?customer=" + reference });
    return body.name;
  },
});
for (let at = 0; at < 10; at++) pack.addSyncTable({
  name: "AllOf" + VERBS[at] + "Records", description: "Records number " + at + ".", identityName: "Record" + at,
  schema: sdk.makeObjectSchema({ properties: { name: { type: sdk.ValueType.String } }, idProperty: "name", displayProperty: "name" }),
  formula: { name: "Sync" + at, description: "Reads the records.", parameters: [], execute: async () => ({ result: [{ name: "one" }] }) },
});
`;
