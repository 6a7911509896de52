import * as z from "zod";
import { ConnectionRequirement } from "../define/enumerations.ts";
import { DataIndexing, TableRole } from "../define/sync-enumerations.ts";
import type { IndexingOptions, SyncFormula, SyncTable } from "../define/sync-table.ts";
import { commonFormulaShape } from "./formula-rules.ts";
import { anything, optionalFlag, optionalFunction, optionalNumber, optionalText, optionalTexts, type ShapeOf, text } from "./shape.ts";

/** A sync table as the definition holds it: the author's `formula` is its `getter`, and `dynamicOptions` lie beside it. */
export const syncTableShape = z.strictObject({
  name: text,
  displayName: optionalText,
  description: optionalText,
  instructions: optionalText,
  identityName: text,
  connectionRequirement: z.enum(ConnectionRequirement).optional(),
  indexing: z.strictObject({ default: z.enum(DataIndexing).optional() } satisfies ShapeOf<IndexingOptions>).optional(),
  role: z.enum(TableRole).optional(),
  // Checked one by one.
  schema: anything,
  getter: anything,
  isDynamic: optionalFlag,
  getName: optionalFunction,
  getSchema: optionalFunction,
  getDisplayUrl: optionalFunction,
  listDynamicUrls: optionalFunction,
  searchDynamicUrls: optionalFunction,
  entityName: optionalText,
  defaultAddDynamicColumns: optionalFlag,
  propertyOptions: optionalFunction,
} satisfies ShapeOf<SyncTable>);

const requiredFunction = z.custom((value) => typeof value === "function", "a function");

export const syncFormulaShape = z.strictObject({
  ...commonFormulaShape,
  isSyncFormula: anything,
  execute: requiredFunction,
  executeUpdate: requiredFunction.optional(),
  maxUpdateBatchSize: optionalNumber,
  updateOptions: anything,
  validateParameters: optionalFunction,
  executeGetPermissions: requiredFunction.optional(),
  maxPermissionBatchSize: optionalNumber,
} satisfies ShapeOf<SyncFormula>);

/** Rule 132. */
export const updateOptionsShape = z.strictObject({
  extraOAuthScopes: optionalTexts,
} satisfies ShapeOf<NonNullable<SyncFormula["updateOptions"]>>);
