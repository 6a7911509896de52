import * as z from "zod";
import { PACK_FORMULA_TYPES, type PackFormulaType } from "../../contract/analytics-metrics.ts";

/**
 * The counts of one day. A count that you leave out is 0. `revenueUsd` is a decimal number as text.
 */
export interface SeedMetrics {
  /** `YYYY-MM-DD` */
  date: string;
  [metric: string]: number | string;
}

/** What the analytics operations answer with. */
export interface SeedAnalytics {
  docs?:
    | {
        /** Title of a document. */ doc: string;
        publishedAt?: string | undefined;
        metrics: SeedMetrics[];
      }[]
    | undefined;
  pages?:
    | {
        /** Title of a document. */ doc: string /** Name of one of its pages. */;
        page: string;
        metrics: SeedMetrics[];
      }[]
    | undefined;
  packs?: SeedPack[] | undefined;
}

export interface SeedPack {
  id: number;
  name: string;
  isPublished?: boolean | undefined;
  logoUrl?: string | undefined;
  createdAt?: string | undefined;
  metrics: SeedMetrics[];
  formulas?: { name: string; type: PackFormulaType; metrics: SeedMetrics[] }[] | undefined;
}

const instant = z.iso.datetime({ offset: true }).optional();
const metrics = z.array(
  z
    .object({ date: z.iso.date() })
    .catchall(z.union([z.number(), z.string()]))
    .transform((day): SeedMetrics => day),
);

export const analyticsSchema: z.ZodType<SeedAnalytics> = z.strictObject({
  docs: z.array(z.strictObject({ doc: z.string(), publishedAt: instant, metrics })).optional(),
  pages: z.array(z.strictObject({ doc: z.string(), page: z.string(), metrics })).optional(),
  packs: z
    .array(
      z.strictObject({
        id: z.int().min(1),
        name: z.string().min(1),
        isPublished: z.boolean().optional(),
        logoUrl: z.string().optional(),
        createdAt: instant,
        metrics,
        formulas: z
          .array(
            z.strictObject({ name: z.string().min(1), type: z.enum(PACK_FORMULA_TYPES), metrics }),
          )
          .optional(),
      }),
    )
    .optional(),
});
