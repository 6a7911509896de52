import * as z from "zod";
import { PACK_FORMULA_TYPES, type PackFormulaType } from "../../contract/analytics-metrics.ts";

/** One run of a Pack's formula, as the analytics count it. */
export interface PackRun {
  /** Without an id, the Pack of this name: a new one gets the next free id. */
  pack: { id?: number | undefined; name: string };
  formula: string;
  /** @default "formula" */
  type?: PackFormulaType | undefined;
  /** @default now, on the clock of the service */
  atMs?: number | undefined;
  latencyMs: number;
  /** @default 0 */
  responseSizeBytes?: number | undefined;
  /** @default false */
  isError?: boolean | undefined;
}

export const packRunsSchema = z.array(
  z.strictObject({
    pack: z.strictObject({ id: z.int().min(1).optional(), name: z.string().min(1) }),
    formula: z.string().min(1),
    type: z.enum(PACK_FORMULA_TYPES).optional(),
    atMs: z.number().optional(),
    latencyMs: z.number().min(0),
    responseSizeBytes: z.number().min(0).optional(),
    isError: z.boolean().optional(),
  } satisfies { [Key in keyof Required<PackRun>]: z.ZodType }),
);
