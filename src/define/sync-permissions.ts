import type { PermissionType, PrincipalType } from "./sync-enumerations.ts";
import type { Untyped } from "./untyped.ts";

/** Accepted from older Packs. */
export type Principal =
  | { readonly type: PrincipalType.User; readonly userId: string | number }
  | { readonly type: PrincipalType.Group; readonly groupId: string | number }
  | { readonly type: PrincipalType.Domain; readonly domain: string }
  | { readonly type: PrincipalType.Anyone | PrincipalType.AllUsers };

/** Accepted from older Packs. */
export interface ItemReference {
  readonly id: string;
  readonly syncTableName: string;
  readonly identityName: string;
  readonly dynamicUrl?: string | undefined;
}

/** Accepted from older Packs. */
export type Permission =
  | { readonly permissionType?: PermissionType.Direct | undefined; readonly principal: Principal }
  | { readonly permissionType: PermissionType.Delegated; readonly item: ItemReference };

/** Accepted from older Packs. */
export interface RowAccessDefinition {
  readonly rowId: string | number;
  readonly permissions: readonly Permission[];
}

/** Accepted from older Packs. */
export interface PermissionsRequest<Row = { [member: string]: Untyped }> {
  readonly rows: readonly { readonly row: Row }[];
  readonly permissionsContext?: readonly Untyped[] | undefined;
}

/** Accepted from older Packs. */
export interface PermissionsResult {
  readonly rowAccessDefinitions: readonly RowAccessDefinition[];
  readonly continuation?: Untyped;
}
