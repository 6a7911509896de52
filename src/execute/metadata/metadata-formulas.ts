import type { AccountSlot } from "../../accounts/account-summary.ts";
import { findItem } from "../../define/compile/members.ts";
import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";

export type Values = Readonly<Record<string, unknown>>;

/** A call of a metadata formula. `values` are the values of the other parameters, by name. */
export type MetadataTarget =
  /** The choices of a parameter of a formula or table; a repeating parameter too. */
  | {
      kind: "autocomplete";
      of: string;
      parameter: string;
      search?: string | undefined;
      values?: Values | undefined;
    }
  /** Whether the arguments of a formula or table are valid. */
  | { kind: "validateParameters"; of: string; values?: Values | undefined }
  /** The choices of a property of a table; `values` are the values of its row. */
  | {
      kind: "propertyOptions";
      table: string;
      property: string;
      search?: string | undefined;
      values?: Values | undefined;
    }
  /** `search` is the URL of the opened folder, or the text that the user typed. */
  | {
      kind: "listDynamicUrls" | "searchDynamicUrls" | "getName" | "getDisplayUrl" | "getSchema";
      table: string;
      search?: string | undefined;
      values?: Values | undefined;
    }
  | { kind: "getConnectionName" | "getConnectionUserId"; slot?: AccountSlot | undefined }
  /** The endpoints that a setup step offers. */
  | { kind: "postSetup"; step: string; slot?: AccountSlot | undefined };

/** Checks the result of a metadata formula, and gives all choices the same shape. */
export function readMetadataResult(
  target: MetadataTarget,
  value: unknown,
  used: readonly string[] = [],
): unknown {
  switch (target.kind) {
    case "autocomplete":
    case "listDynamicUrls":
    case "searchDynamicUrls":
      return choices(value, target.kind);
    case "propertyOptions": {
      const isWrapped = isRecord(value) && Array.isArray(value["result"]);
      const list = isWrapped ? value["result"] : value;
      return {
        result: choices(list ?? [], target.kind),
        ...(isWrapped ? { cacheTtlSecs: value["cacheTtlSecs"] } : {}),
        used,
      };
    }
    case "validateParameters":
      return validation(value);
    case "getSchema":
      return schema(value);
    default:
      return value;
  }
}

function choices(value: unknown, kind: string): unknown {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw invalid("result", `${kind} must return a list of choices`);
  return value.map((choice, index) => {
    if (typeof choice === "string" || typeof choice === "number")
      return { display: String(choice), value: choice };
    if (isRecord(choice) && choice["value"] !== undefined) return choice;
    throw invalid(
      `result[${index}]`,
      `result[${index}] must be a string, a number, or { display, value }`,
    );
  });
}

function validation(value: unknown): unknown {
  if (
    isRecord(value) &&
    (value["isValid"] === true ||
      (value["isValid"] === false && typeof value["message"] === "string"))
  )
    return value;
  throw invalid(
    "result",
    "validateParameters must return { isValid: true } or { isValid: false, message }",
  );
}

function schema(value: unknown): unknown {
  if (isRecord(findItem(value)?.["properties"])) return value;
  throw invalid(
    "result",
    "getSchema must return an object schema with properties, or an array schema with object items",
  );
}

function invalid(path: string, message: string): PackError {
  return new PackError("RESULT_INVALID", `${message}.`, {
    details: { path },
    hint: "Correct the result of the metadata formula.",
  });
}
