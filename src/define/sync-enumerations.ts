/** Whether the rows of a table are indexed for search. */
export const DataIndexing = {
  Include: "include",
  Exclude: "exclude",
} as const;
export type DataIndexing = (typeof DataIndexing)[keyof typeof DataIndexing];
export declare namespace DataIndexing {
  type Include = "include";
  type Exclude = "exclude";
}

/** Whose permissions a sync uses: the user's, or those that are synced with the rows. */
export const PermissionSyncMode = {
  Personal: "Personal",
  PermissionAware: "PermissionAware",
} as const;
export type PermissionSyncMode = (typeof PermissionSyncMode)[keyof typeof PermissionSyncMode];
export declare namespace PermissionSyncMode {
  type Personal = "Personal";
  type PermissionAware = "PermissionAware";
}

/** Where a formula was called from. */
export const InvocationSource = {
  /** Accepted for compatibility with existing Packs. */
  Brain: "Brain",
  Doc: "Doc",
  Go: "Go",
  /** Accepted for compatibility with existing Packs. */
  NativeIntegration: "NativeIntegration",
} as const;
export type InvocationSource = (typeof InvocationSource)[keyof typeof InvocationSource];
export declare namespace InvocationSource {
  type Brain = "Brain";
  type Doc = "Doc";
  type Go = "Go";
  type NativeIntegration = "NativeIntegration";
}

/** Accepted for compatibility with existing Packs. */
export const UpdateOutcome = {
  Success: "success",
  Error: "error",
} as const;
export type UpdateOutcome = (typeof UpdateOutcome)[keyof typeof UpdateOutcome];
export declare namespace UpdateOutcome {
  type Success = "success";
  type Error = "error";
}

/** Accepted for compatibility with existing Packs. */
export const PrincipalType = {
  User: "user",
  Group: "group",
  Anyone: "anyone",
  AllUsers: "allUsers",
  Domain: "domain",
} as const;
export type PrincipalType = (typeof PrincipalType)[keyof typeof PrincipalType];
export declare namespace PrincipalType {
  type User = "user";
  type Group = "group";
  type Anyone = "anyone";
  type AllUsers = "allUsers";
  type Domain = "domain";
}

/** Accepted for compatibility with existing Packs. */
export const PermissionType = {
  Delegated: "delegated",
  Direct: "direct",
} as const;
export type PermissionType = (typeof PermissionType)[keyof typeof PermissionType];
export declare namespace PermissionType {
  type Delegated = "delegated";
  type Direct = "direct";
}

/** Accepted for compatibility with existing Packs. */
export const TableRole = {
  Users: "users",
  GroupMembers: "groupMembers",
} as const;
export type TableRole = (typeof TableRole)[keyof typeof TableRole];
export declare namespace TableRole {
  type Users = "users";
  type GroupMembers = "groupMembers";
}
