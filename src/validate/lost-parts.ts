import type { LostPart, LostReason } from "../define/snapshot.ts";
import type { Report } from "./report.ts";

const reasons: Readonly<Record<Exclude<LostReason, "size">, readonly [problem: string, hint: string]>> = {
  depth: ["lies deeper than 100 levels", "Write it flatter."],
  cycle: ["contains itself", "Refer to it with makeReferenceSchemaFromObjectSchema, or leave it out."],
  getter: ["throws when it is read", "Write a plain value."],
  object: ["throws when it is read", "Write a plain object."],
  symbol: ["is a symbol, which a definition cannot carry", "Write a text."],
  bigint: ["is a bigint, which a definition cannot carry", "Write a number."],
};

/** Reports the parts of a definition that could not be read. @returns whether the rest is whole enough for the rules */
export function checkLostParts(lost: readonly LostPart[], report: Report): boolean {
  if (lost.some(({ reason }) => reason === "size")) {
    const hint = "Share less: a schema counts wherever it is used, so refer to large ones with makeReferenceSchemaFromObjectSchema.";
    report("DEFINITION_UNREADABLE", [], "The definition is larger than 20 MB.", hint);
    return false;
  }
  for (const { path, reason } of lost) {
    const [problem, hint] = reasons[reason as keyof typeof reasons] ?? reasons.object;
    const last = path.at(-1) ?? "The definition";
    const name = typeof last === "number" ? `Entry ${last}` : last.slice(0, 100);
    report("DEFINITION_UNREADABLE", path, `${name} ${problem}.`, hint);
  }
  return true;
}
