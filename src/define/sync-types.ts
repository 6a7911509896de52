import type { Continuation } from "./invocation.ts";
import type { ParamDefs } from "./parameter.ts";
import type { ObjectSchemaDefinition } from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import type { UpdateOutcome } from "./sync-enumerations.ts";
import type {
  SyncFormula,
  SyncFormulaDefinition,
  SyncFormulaResult,
  SyncTable,
  SyncUpdate,
  SyncUpdateResult,
  SyncUpdateSingleResult,
} from "./sync-table.ts";
import type { Untyped } from "./untyped.ts";

/** The formula of a sync table as its author writes it, for rows of this schema. */
export type SyncFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Definition extends ObjectSchemaDefinition = ObjectSchemaDefinition,
  NextPage = Continuation,
> = SyncFormulaDefinition<Params, SchemaType<Definition>, NextPage>;
/** A sync table of a definition. */
export type SyncTableDef = SyncTable;
/** A dynamic sync table of a definition. */
export type DynamicSyncTableDef = SyncTable & { readonly isDynamic: true };

/** Any sync table. */
export type GenericSyncTable = SyncTable;
/** Any dynamic sync table. */
export type GenericDynamicSyncTable = DynamicSyncTableDef;
/** The formula of any sync table. */
export type GenericSyncFormula = SyncFormula;
/** A page of any rows. */
export type GenericSyncFormulaResult = SyncFormulaResult<Untyped>;
/** An edited row of any table. */
export type GenericSyncUpdate = SyncUpdate<{ [member: string]: Untyped }>;
/** The outcome of an update of any row. */
export type GenericSyncUpdateSingleResult = SyncUpdateSingleResult<Untyped>;
/** The outcomes of updates of any rows. */
export type GenericSyncUpdateResult = SyncUpdateResult<Untyped>;

/** Accepted from older Packs. */
export type SyncPassthroughData = Record<string, Untyped>;
/** Accepted from older Packs. */
export interface SyncUpdateSingleResultMarshaledSuccess<Row = Untyped> {
  readonly outcome: UpdateOutcome.Success;
  readonly finalValue: Row;
}
/** Accepted from older Packs. */
export interface SyncUpdateSingleResultMarshaledError {
  readonly outcome: UpdateOutcome.Error;
  readonly error: Error;
}
/** Accepted from older Packs. */
export type SyncUpdateSingleResultMarshaled<Row = Untyped> =
  | SyncUpdateSingleResultMarshaledSuccess<Row>
  | SyncUpdateSingleResultMarshaledError;
/** Accepted from older Packs. */
export interface SyncUpdateResultMarshaled<Row = Untyped> {
  readonly result: readonly SyncUpdateSingleResultMarshaled<Row>[];
}
/** Accepted from older Packs. */
export type GenericSyncUpdateSingleResultMarshaled = SyncUpdateSingleResultMarshaled;
/** Accepted from older Packs. */
export type GenericSyncUpdateResultMarshaled = SyncUpdateResultMarshaled;
