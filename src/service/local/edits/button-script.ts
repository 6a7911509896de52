import * as z from "zod";
import type { CellEdit } from "../../contract/models/responses.ts";

/** A value, or the cell of another column in the row of the button. */
export type ButtonValue = CellEdit | { column: string };

/** What a button of a seed does. */
export interface ButtonScript {
  /** Cells of its row that it writes, by column name. */
  set?: Record<string, ButtonValue> | undefined;
  /** Rows that it adds, also to other tables. */
  insert?: { table: string; row: Record<string, ButtonValue> }[] | undefined;
  /** Deletes its row. @default false */
  deleteRow?: boolean | undefined;
  /** The action of a Pack, which the `actions` of the service run. */
  action?:
    | { pack?: string | undefined; formula: string; args?: ButtonValue[] | undefined }
    | undefined;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value: z.ZodType<ButtonValue> = z.union([
  scalar,
  z.array(z.union([scalar, z.array(scalar)])),
  z.strictObject({ column: z.string() }),
]) as z.ZodType<ButtonValue>;
const row = z.record(z.string(), value);

export const buttonScriptSchema: z.ZodType<ButtonScript> = z.strictObject({
  set: row.optional(),
  insert: z.array(z.strictObject({ table: z.string(), row })).optional(),
  deleteRow: z.boolean().optional(),
  action: z
    .strictObject({
      pack: z.string().optional(),
      formula: z.string().min(1),
      args: z.array(value).optional(),
    })
    .optional(),
});

export function isCellReference(value: ButtonValue): value is { column: string } {
  return typeof value === "object" && !Array.isArray(value);
}
