import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const ROUNDS = 5;

/**
 * What so many formulas cost beyond one, each time in a process that has not run a rule before; the
 * median, in milliseconds.
 */
export function measureManyFormulas(count: number): number {
  const run = (formulas: number): number =>
    Number(
      execFileSync(process.execPath, [process.argv[1] ?? "", "validate-many", String(formulas)], {
        encoding: "utf8",
      }),
    );
  const times = Array.from({ length: ROUNDS }, () => run(count) - run(1)).sort((a, b) => a - b);
  return times[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/**
 * How long the rules take for ten times as many formulas as one Pack may have, in a process that
 * has not run them before.
 */
export async function measureValidation(count: number): Promise<number> {
  const { validateDefinition } = (await import(
    pathToFileURL("dist/validate/validate-definition.js").href
  )) as {
    validateDefinition: (definition: unknown, options: { plain: boolean }) => { code: string }[];
  };
  const formulas = Array.from({ length: count }, (_, index) => ({
    name: `Formula${index}`,
    description: "Finds a task.",
    parameters: [
      { type: "string", name: "name", description: "The name." },
      { type: "number", name: "limit", description: "How many.", optional: true },
    ],
    examples: [{ params: ["a", 1], result: { id: "1" } }],
    resultType: "object",
    schema: {
      type: "object",
      properties: {
        id: { type: "string", required: true },
        due: { type: "string", codaType: "date" },
      },
      idProperty: "id",
      displayProperty: "id",
    },
    execute: () => undefined,
  }));
  const started = performance.now();
  // A command has the definition as plain data, too: the sandbox gave it out.
  const issues = validateDefinition(
    { networkDomains: ["tasks.example"], formulas },
    { plain: true },
  );
  const duration = performance.now() - started;
  if (issues.some(({ code }) => code !== "FORMULA_COUNT"))
    throw new Error(`The bench's Pack is not valid: ${JSON.stringify(issues[1])}`);
  return duration;
}
