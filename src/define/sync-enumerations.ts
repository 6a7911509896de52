/** Whether the rows of a table are indexed for search. */
export const DataIndexing = {
  /** Search finds the rows, unless users exclude the table. */
  Include: "include",
  /** Search does not find the rows, unless users include the table. */
  Exclude: "exclude",
} as const;
export type DataIndexing = (typeof DataIndexing)[keyof typeof DataIndexing];
export declare namespace DataIndexing {
  type Include = "include";
  type Exclude = "exclude";
}

/** Whose permissions a sync uses: the user's, or those that are synced with the rows. */
export const PermissionSyncMode = {
  /** The sync belongs to one account. Syncs of documents are always personal. */
  Personal: "Personal",
  /** The rows keep the permissions that they have in the source. */
  PermissionAware: "PermissionAware",
} as const;
export type PermissionSyncMode = (typeof PermissionSyncMode)[keyof typeof PermissionSyncMode];
export declare namespace PermissionSyncMode {
  type Personal = "Personal";
  type PermissionAware = "PermissionAware";
}

/** Where a formula was called from. */
export const InvocationSource = {
  /** @deprecated Accepted for compatibility with existing Packs. */
  Brain: "Brain",
  /** A document. */
  Doc: "Doc",
  /** An assistant. */
  Go: "Go",
  /** @deprecated Accepted for compatibility with existing Packs. */
  NativeIntegration: "NativeIntegration",
} as const;
export type InvocationSource = (typeof InvocationSource)[keyof typeof InvocationSource];
export declare namespace InvocationSource {
  type Brain = "Brain";
  type Doc = "Doc";
  type Go = "Go";
  type NativeIntegration = "NativeIntegration";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const UpdateOutcome = {
  Success: "success",
  Error: "error",
} as const;
export type UpdateOutcome = (typeof UpdateOutcome)[keyof typeof UpdateOutcome];
export declare namespace UpdateOutcome {
  type Success = "success";
  type Error = "error";
}

/** @deprecated Accepted for compatibility with existing Packs. */
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

/** @deprecated Accepted for compatibility with existing Packs. */
export const PermissionType = {
  Delegated: "delegated",
  Direct: "direct",
} as const;
export type PermissionType = (typeof PermissionType)[keyof typeof PermissionType];
export declare namespace PermissionType {
  type Delegated = "delegated";
  type Direct = "direct";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const TableRole = {
  Users: "users",
  GroupMembers: "groupMembers",
} as const;
export type TableRole = (typeof TableRole)[keyof typeof TableRole];
export declare namespace TableRole {
  type Users = "users";
  type GroupMembers = "groupMembers";
}
