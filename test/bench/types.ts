import type { BenchContext, Measurement } from "./section.ts";
import { measureTypeCheck } from "./type-check.ts";
import { measureManyFormulas } from "./validate-many.ts";

/** What the rules and the types of many formulas cost. */
export async function measureTypes({ work, skip }: BenchContext): Promise<Measurement[]> {
  const measured: Measurement[] = [
    {
      name: "1,000 formulas validated, more than one",
      value: measureManyFormulas(1_000),
      unit: "ms",
      target: { of: "value", atMost: 60 },
    },
  ];
  const checks = measureTypeCheck(work);
  if (checks === undefined)
    skip("the types of @codahq/packs-sdk; the package registry cannot be reached.");
  for (const { compiler, ours, theirs } of checks ?? []) {
    const peer = { name: "@codahq/packs-sdk", value: theirs };
    measured.push({
      name: `200 formulas type-checked, ${compiler}`,
      value: ours,
      unit: "ms",
      peer,
      target: { of: "ratio", atMost: 0.5 },
    });
  }
  return measured;
}
