import type { Format } from "./format.ts";
import type { Formula } from "./formula.ts";
import type { PackVersionDefinition } from "./pack.ts";
import type { Skill } from "./skill.ts";
import type { SyncFormula, SyncTable } from "./sync-table.ts";

type FunctionMembers = "execute" | "executeUpdate" | "executeGetPermissions" | "validateParameters";

/** Accepted from older Packs. */
export type PackFormulaMetadata = Omit<Formula, FunctionMembers>;
/** Accepted from older Packs. */
export interface PackSyncTable extends Omit<SyncTable, "getter"> {
  readonly getter: Omit<SyncFormula, FunctionMembers> & {
    readonly supportsUpdates?: boolean | undefined;
    readonly supportsGetPermissions?: boolean | undefined;
  };
}
/** Accepted from older Packs. */
export type PackFormatMetadata = Omit<Format, "matchers"> & { readonly matchers: readonly string[] };
/** Accepted from older Packs. */
export type SkillMetadata = Skill;
/** Accepted from older Packs. */
export type PackVersionMetadata = Omit<PackVersionDefinition, "formulas" | "formats" | "syncTables"> & {
  readonly formulas: PackFormulaMetadata[];
  readonly formats: PackFormatMetadata[];
  readonly syncTables: PackSyncTable[];
};

/** Accepted from older Packs. */
export type PackId = number;
/** Accepted from older Packs. */
export interface PackDefinition extends PackVersionDefinition {
  readonly id: PackId;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly category?: string | undefined;
  readonly logoPath?: string | undefined;
  readonly exampleImages?: readonly string[] | undefined;
  readonly exampleVideoIds?: readonly string[] | undefined;
  readonly minimumFeatureSet?: string | undefined;
  readonly quotas?: Readonly<Record<string, unknown>> | undefined;
  readonly rateLimits?: unknown;
  readonly isSystem?: boolean | undefined;
}
/** Accepted from older Packs. */
export type PackMetadata = PackVersionMetadata & Pick<PackDefinition, "id" | "name" | "shortDescription" | "description">;
