import { readFileSync } from "node:fs";

/** The source of a Pack with one of everything that the page shows. */
export const EVERY_PART = readFileSync(new URL("../browser/fixtures/every-part.ts", import.meta.url), "utf8");

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
