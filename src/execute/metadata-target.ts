import type { AuthenticationSlot } from "../sandbox/protocol.ts";
export type Values = Readonly<Record<string, unknown>>;

/** A question about a Pack. `values` are the values of the other parameters, by name. */
export type MetadataTarget =
  /** The choices of a parameter of a formula or table, repeating ones included. */
  | { kind: "autocomplete"; of: string; parameter: string; search?: string | undefined; values?: Values | undefined }
  /** Whether the arguments of a formula or table can be used. */
  | { kind: "validateParameters"; of: string; values?: Values | undefined }
  /** What a property of a table may hold; `values` are those of its row. */
  | { kind: "propertyOptions"; table: string; property: string; search?: string | undefined; values?: Values | undefined }
  /** `search` is the URL that was opened, or what the user typed. */
  | {
      kind: "listDynamicUrls" | "searchDynamicUrls" | "getName" | "getDisplayUrl" | "getSchema";
      table: string;
      search?: string | undefined;
      values?: Values | undefined;
    }
  | { kind: "getConnectionName" | "getConnectionUserId"; slot?: AuthenticationSlot | undefined }
  /** The endpoints that a step of the set-up offers. */
  | { kind: "postSetup"; step: string; slot?: AuthenticationSlot | undefined };
