import type { AccountSlot } from "../../accounts/account-summary.ts";
import { authenticationPath, findSlotAuthentication } from "../../accounts/pack-account.ts";
import { findItem, readProperties } from "../../define/compile/members.ts";
import { OptionsType } from "../../define/enumerations.ts";
import type { AnyParameter } from "../../define/formula.ts";
import { simpleAutocomplete } from "../../define/metadata.ts";
import type { BaseAuthentication } from "../../define/oauth.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { normalizePropertyName } from "../../define/property-name.ts";
import { PackError } from "../../errors.ts";
import type { IsolateCall } from "../../sandbox/protocol.ts";
import { isRecord, type Members } from "../../shared/values.ts";
import { createTrace, type ExecutionResult, joinTraces } from "../execution-result.ts";
import { runnableNamed, tableNamed } from "../find-block.ts";
import { type RunOptions, run, withoutAbsent } from "../run.ts";
import { type MetadataTarget, readMetadataResult } from "./metadata-formulas.ts";

export interface ExecuteMetadataOptions extends RunOptions {
  target: MetadataTarget;
  /** Which table, when it is dynamic. */
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table, for the options of its properties. */
  schema?: unknown;
  session?: object | undefined;
}

/**
 * Runs a metadata formula of a Pack, which returns choices, labels or schemas. A list of choices in
 * the definition is searched
 * without running code.
 * @returns the checked result; choices are `{ display, value, hasChildren? }`
 * @throws {ExecutionFailure} METADATA_MISSING the Pack does not have the metadata formula,
 *   FORMULA_UNKNOWN, TABLE_UNKNOWN,
 * FORMULA_FAILED, FORMULA_USER_ERROR, RESULT_INVALID, RUN_*, FETCH_*, ACCOUNT_*, OAUTH_*
 */
export async function executeMetadata(options: ExecuteMetadataOptions): Promise<ExecutionResult> {
  const { target, isolate, dynamicUrl, schema } = options;
  if (
    target.kind === "propertyOptions" &&
    schema === undefined &&
    needsSchema(isolate.definition, target)
  ) {
    return await withSchema(options, target.table);
  }
  const choices =
    target.kind === "autocomplete" ? fixedChoices(isolate.definition, target) : undefined;
  if (choices !== undefined && target.kind === "autocomplete") {
    return { result: await simpleAutocomplete(target.search, choices), ...createTrace() };
  }
  const sync = "table" in target ? { sync: withoutAbsent({ dynamicUrl, schema }) } : {};
  return await run(
    options,
    () => ({
      call: createCall(isolate.definition, target, schema),
      session: options.session,
      context: sync,
    }),
    (value, { used }) => readMetadataResult(target, value, used),
  );
}

/** The properties of a dynamic table are not in the definition. */
function needsSchema(
  definition: PackVersionDefinition,
  { table: name, property }: MetadataTarget & { kind: "propertyOptions" },
): boolean {
  const table = definition.syncTables.find((candidate) => candidate.name === name);
  return (
    table?.getSchema !== undefined &&
    typeof optionsHolder(readProperties(findItem(table.schema))[property])?.["options"] !==
      "function"
  );
}

async function withSchema(
  options: ExecuteMetadataOptions,
  table: string,
): Promise<ExecutionResult> {
  const schemaRun = await executeMetadata({ ...options, target: { kind: "getSchema", table } });
  const answer = await executeMetadata({ ...options, schema: schemaRun.result });
  return { result: answer.result, ...joinTraces(schemaRun, answer) };
}

/**
 * Gets the label of an account from the Pack.
 * @returns `undefined` when the Pack has no `getConnectionName`, or when that returns no text
 * @throws {ExecutionFailure}
 */
export async function getConnectionName(
  options: RunOptions & { slot?: AccountSlot | undefined },
): Promise<string | undefined> {
  const { slot = "user" } = options;
  const { getConnectionName } = findAuthentication(options.isolate.definition, slot);
  if (getConnectionName === undefined) return undefined;
  const { result } = await executeMetadata({
    ...options,
    target: { kind: "getConnectionName", slot },
  });
  return typeof result === "string" && result.trim() !== "" ? result : undefined;
}

/**
 * Gets the endpoints that a user can choose from in a setup step.
 * @throws {ExecutionFailure}
 */
export async function getPostSetupOptions(
  options: RunOptions & { slot: AccountSlot; step: string },
): Promise<unknown> {
  const { result } = await executeMetadata({
    ...options,
    target: { kind: "postSetup", slot: options.slot, step: options.step },
  });
  return result;
}

// ---- where the metadata formula is
// -----------------------------------------------------------------------------------------

type At = readonly (string | number)[];

function createCall(
  definition: PackVersionDefinition,
  target: MetadataTarget,
  schema: unknown,
): IsolateCall {
  if (target.kind === "propertyOptions") {
    const { kind, table, property, search = "", values = {} } = target;
    return {
      kind,
      name: kind,
      propertyName: property,
      propertyValues: values,
      search,
      ...requireOptions(definition, table, property, schema),
    };
  }
  return {
    kind: "metadata",
    name: target.kind,
    at: findFormula(definition, target),
    search: ("search" in target ? target.search : undefined) ?? "",
    values: ("values" in target ? target.values : undefined) ?? {},
  };
}

/** @throws {PackError} TARGET_INVALID */
function findFormula(
  definition: PackVersionDefinition,
  target: Exclude<MetadataTarget, { kind: "propertyOptions" }>,
): At {
  switch (target.kind) {
    case "autocomplete": {
      const { at, parameter } = requireParameter(definition, target.of, target.parameter);
      if (parameter["autocomplete"] === undefined)
        throw createMissingError(
          target.parameter,
          `The parameter ${target.parameter} has no autocomplete.`,
        );
      return [...at, "autocomplete"];
    }
    case "validateParameters": {
      const { runnable, at } = runnableNamed(definition, target.of);
      if (!("validateParameters" in runnable) || runnable.validateParameters === undefined)
        throw createMissingError(target.of, `${target.of} has no validateParameters.`);
      return [...at, "validateParameters"];
    }
    case "getConnectionName":
    case "getConnectionUserId":
    case "postSetup":
      return metadataPath(definition, target);
    default: {
      const { table, index } = tableNamed(definition, target.table);
      if (table[target.kind] === undefined)
        throw createMissingError(target.kind, `${target.table} has no ${target.kind}.`);
      return ["syncTables", index, target.kind];
    }
  }
}

function requireParameter(
  definition: PackVersionDefinition,
  of: string,
  name: string,
): { at: At; parameter: AnyParameter } {
  const { runnable, at } = runnableNamed(definition, of);
  for (const list of ["parameters", "varargParameters"] as const) {
    const parameters = runnable[list] ?? [];
    const index = parameters.findIndex((parameter) => parameter.name === name);
    const parameter = parameters[index];
    if (parameter !== undefined) return { at: [...at, list, index], parameter };
  }
  const known = [...runnable.parameters, ...(runnable.varargParameters ?? [])].map((parameter) =>
    String(parameter.name),
  );
  throw createMissingError(
    name,
    `${of} has no parameter ${name}.`,
    known.length === 0
      ? `${of} has no parameters.`
      : `Use one of these parameters: ${known.join(", ")}.`,
  );
}

function fixedChoices(
  definition: PackVersionDefinition,
  target: MetadataTarget & { kind: "autocomplete" },
): readonly (string | { display: string; value: string })[] | undefined {
  try {
    const choices = requireParameter(definition, target.of, target.parameter).parameter
      .autocomplete;
    return Array.isArray(choices) ? choices : undefined;
  } catch {
    // The run that follows reports the error.
    return undefined;
  }
}

function requireOptions(
  definition: PackVersionDefinition,
  name: string,
  property: string,
  schema: unknown,
): { at: At; propertySchema: unknown } | { at: At; schemaAt: At } {
  const { table, index } = tableNamed(definition, name);
  const properties = readProperties(findItem(schema ?? table.schema));
  const declared = properties[property];
  if (!isRecord(declared)) {
    const names = Object.keys(properties);
    throw createMissingError(
      property,
      `${name} has no property ${property}.`,
      names.length === 0
        ? `The schema of ${name} has no properties.`
        : `Use one of these properties: ${names.join(", ")}.`,
    );
  }
  const options = optionsHolder(declared)?.["options"];
  const hasOwn = schema === undefined && typeof options === "function";
  if (!hasOwn && table.propertyOptions === undefined) {
    throw createMissingError(
      property,
      `The property ${property} of ${name} has no options function.`,
    );
  }
  const key = hasOwn ? property : OptionsType.Dynamic;
  const at: At = ["syncTables", index, "namedPropertyOptions", key];
  if (schema !== undefined) return { at, propertySchema: declared };
  return {
    at,
    schemaAt: ["syncTables", index, "schema", "properties", normalizePropertyName(property)],
  };
}

/** A property with several values has its options on its items; on the property they do nothing. */
function optionsHolder(property: unknown): Members | undefined {
  if (!isRecord(property)) return undefined;
  return isRecord(property["items"]) ? property["items"] : property;
}

function metadataPath(
  definition: PackVersionDefinition,
  target: MetadataTarget & { kind: "getConnectionName" | "getConnectionUserId" | "postSetup" },
): At {
  // Without user authentication, the target is the Pack's own account.
  const slot =
    target.slot ?? (findSlotAuthentication(definition, "user") === undefined ? "system" : "user");
  const root = authenticationPath(definition, slot) ?? [];
  const authentication = findAuthentication(definition, slot);
  if (target.kind !== "postSetup") {
    if (authentication[target.kind] === undefined)
      throw createMissingError(target.kind, `The Pack's authentication has no ${target.kind}.`);
    return [...root, target.kind];
  }
  const steps = authentication.postSetup ?? [];
  const index = steps.findIndex((step) => step.name === target.step);
  const step = steps[index];
  if (step === undefined) {
    const known = steps.map((candidate) => String(candidate.name)).join(", ");
    throw createMissingError(
      target.step,
      `The account's set-up has no step ${target.step}.`,
      known === "" ? "The set-up has no steps." : `The set-up has: ${known}.`,
    );
  }
  return [
    ...root,
    "postSetup",
    index,
    step.getOptions === undefined ? "getOptionsFormula" : "getOptions",
  ];
}

/** The authentication of a slot. Without members if it has no account. */
function findAuthentication(
  definition: PackVersionDefinition,
  slot: AccountSlot,
): BaseAuthentication {
  const authentication = findSlotAuthentication(definition, slot);
  return authentication === undefined ||
    authentication.type === "None" ||
    authentication.type === "Various"
    ? {}
    : authentication;
}

function createMissingError(
  name: string,
  message: string,
  hint = "Add the metadata formula to the Pack's definition, or run another metadata formula.",
): PackError {
  return new PackError("METADATA_MISSING", message, { details: { name }, hint });
}
