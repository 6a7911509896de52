import * as z from "zod/mini";
import { isLegalValue, matchesPattern } from "../define/connection-values.ts";
import type {
  CallbackParam,
  ChoiceVariable,
  HostVariable,
  LabelVariable,
  SecretVariable,
  SegmentVariable,
  TextVariable,
} from "../define/oauth-parameters.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { checkTrustedDomains } from "./network-rules.ts";
import type { Path, Report } from "./report.ts";
import {
  anything,
  checkShape,
  optionalFlag,
  optionalText,
  optionalTexts,
  reportUnknownValue,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";

const NAME_FORM = /^[a-z][A-Za-z0-9]{0,39}$/;

/** A variable that is declared correctly, with what is known about its values. */
export interface KnownVariable {
  name: string;
  kind: string;
  isOptional: boolean;
  isSecret: boolean;
  domains: readonly string[] | undefined;
  options: readonly Members[];
  path: Path;
  /** A sample value, to check templates with. */
  sample: string;
}

const base = {
  name: text,
  kind: anything,
  label: text,
  description: optionalText,
  optional: optionalFlag,
};
const pattern = z.optional(z.instanceof(RegExp));
const shapes = {
  host: z.strictObject({
    ...base,
    domains: optionalTexts,
    default: optionalText,
  } satisfies ShapeOf<HostVariable>),
  label: z.strictObject({
    ...base,
    pattern,
    default: optionalText,
  } satisfies ShapeOf<LabelVariable>),
  segment: z.strictObject({
    ...base,
    pattern,
    default: optionalText,
  } satisfies ShapeOf<SegmentVariable>),
  text: z.strictObject({
    ...base,
    pattern,
    default: optionalText,
    secret: optionalFlag,
  } satisfies ShapeOf<TextVariable>),
  choice: z.strictObject({
    ...base,
    options: z.array(
      z.strictObject({
        value: text,
        label: text,
        parts: z.optional(z.record(z.string(), z.string())),
      }),
    ),
    default: optionalText,
  } satisfies ShapeOf<ChoiceVariable>),
};
const secretShape = z.strictObject({
  ...base,
  secret: z.literal(true),
} satisfies ShapeOf<SecretVariable>);

/**
 * Checks the connection variables of an authentication. @returns those that templates can use, by
 * name
 */
export function checkVariables(
  authentication: Members,
  path: Path,
  report: Report,
): Map<string, KnownVariable> {
  const variables = new Map<string, KnownVariable>();
  toList(authentication["connectionVariables"]).forEach((variable, index) => {
    const at = [...path, "connectionVariables", index];
    const known = checkVariable(variable, at, report);
    if (known === undefined) return;
    if (variables.has(known.name)) {
      report(
        "AUTH_VARIABLE_DUPLICATE",
        [...at, "name"],
        `Another variable is named ${shortenValue(known.name)}.`,
        "Rename one of the variables.",
      );
    } else variables.set(known.name, known);
  });
  return variables;
}

function checkVariable(variable: unknown, path: Path, report: Report): KnownVariable | undefined {
  const kind = isRecord(variable) ? variable["kind"] : undefined;
  if (!isRecord(variable) || typeof kind !== "string" || !Object.hasOwn(shapes, kind)) {
    reportUnknownValue(
      "AUTH_VARIABLE_INVALID",
      kind,
      Object.keys(shapes),
      [...path, "kind"],
      report,
    );
    return undefined;
  }
  const isSecret = kind === "text" && variable["secret"] === true;
  const shape = isSecret ? secretShape : shapes[kind as keyof typeof shapes];
  if (!checkShape(shape, variable, path, { unknownKey: "AUTH_KEY_UNKNOWN" }, report))
    return undefined;
  const { name } = variable;
  if (typeof name !== "string") return undefined;
  if (!NAME_FORM.test(name) || name === "callback") {
    const message = `The variable name ${shortenValue(name)} is reserved, or is not a lowercase letter followed by letters and digits.`;
    report(
      "AUTH_VARIABLE_INVALID",
      [...path, "name"],
      message,
      "Use a name such as region or tenantId.",
    );
    return undefined;
  }
  checkPattern(variable["pattern"], [...path, "pattern"], report);
  checkOptions(variable, path, report);
  checkDefault(variable, path, report);
  checkTrustedDomains(variable["domains"], [...path, "domains"], "AUTH_VARIABLE_INVALID", report);
  const options = toList(variable["options"]).filter(isRecord);
  const domains = Array.isArray(variable["domains"])
    ? variable["domains"].filter((domain) => typeof domain === "string")
    : undefined;
  const fallback = typeof variable["default"] === "string" ? variable["default"] : undefined;
  const sample = fallback ?? domains?.[0] ?? (kind === "host" ? "host.example" : "sample");
  return {
    name,
    kind,
    isOptional: variable["optional"] === true,
    isSecret,
    domains,
    options,
    path,
    sample,
  };
}

/** A pattern must match the complete answer, so the flags g and y make no sense. */
function checkPattern(value: unknown, path: Path, report: Report): void {
  if (!(value instanceof RegExp) || !/[gy]/.test(value.flags)) return;
  report(
    "AUTH_VARIABLE_INVALID",
    path,
    `The pattern has the flags ${shortenValue(value.flags)}.`,
    "Remove the flags g and y.",
  );
}

function checkOptions(variable: Members, path: Path, report: Report): void {
  if (variable["kind"] !== "choice" || !Array.isArray(variable["options"])) return;
  const options = toList(variable["options"]).filter(isRecord);
  const at = [...path, "options"];
  if (options.length === 0)
    report(
      "AUTH_VARIABLE_INVALID",
      at,
      "There are no options to choose from.",
      "Add { value, label }.",
    );
  const values = options.map(({ value }) => value);
  const formatParts = ({ parts }: Members): string =>
    isRecord(parts) ? Object.keys(parts).sort().join() : "";
  options.forEach((option, index) => {
    if (values.indexOf(option["value"]) !== index) {
      const message = `The value ${shortenValue(option["value"])} is listed twice.`;
      report(
        "AUTH_VARIABLE_INVALID",
        [...at, index, "value"],
        message,
        "Remove one of the two options.",
      );
    }
    if (formatParts(option) !== formatParts(options[0] ?? option)) {
      report(
        "AUTH_VARIABLE_INVALID",
        [...at, index],
        "This option does not have the same parts as the first option.",
        "Give every option the same parts.",
      );
    }
  });
}

function checkDefault(variable: Members, path: Path, report: Report): void {
  const { kind, default: value, domains, pattern: form } = variable;
  if (typeof value !== "string") return;
  const problem =
    kind === "choice"
      ? toList(variable["options"]).some((option) => isRecord(option) && option["value"] === value)
        ? undefined
        : "is not one of the options"
      : isLegalValue(String(kind), value)
        ? kind === "host" &&
          Array.isArray(domains) &&
          !domains.some((domain) => value === domain || value.endsWith(`.${String(domain)}`))
          ? "does not belong to one of the domains"
          : form instanceof RegExp && !matchesPattern(form, value)
            ? "does not match the pattern"
            : undefined
        : `is not a valid ${String(kind)}`;
  if (problem === undefined) return;
  report(
    "AUTH_VARIABLE_INVALID",
    [...path, "default"],
    `The default ${shortenValue(value)} ${problem}.`,
    "Set the default to a value that a user could enter.",
  );
}

/** Parameters of the redirect that belong to the protocol. */
const RESERVED = /^(?:code|state|error.*|iss|scope|response|id_token|access_token)$/;
const PLACEHOLDER_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

const callbackParamShape = z.strictObject({
  name: text,
  as: optionalText,
  kind: z.enum(["origin", "host", "label", "segment", "text"]),
  domains: optionalTexts,
  required: optionalFlag,
  default: optionalText,
} satisfies ShapeOf<CallbackParam>);

/**
 * Checks the callback parameters of an authentication. @returns their kinds, by the names that
 * placeholders use
 */
export function checkCallbackParams(
  authentication: Members,
  path: Path,
  report: Report,
): Map<string, string> {
  const kinds = new Map<string, string>();
  toList(authentication["callbackParams"]).forEach((entry, index) => {
    const at = [...path, "callbackParams", index];
    const param = typeof entry === "string" ? { name: entry, kind: "text" } : entry;
    if (!checkShape(callbackParamShape, param, at, { unknownKey: "AUTH_KEY_UNKNOWN" }, report))
      return;
    const { name, as = name, kind, domains, default: value } = param;
    if (typeof name !== "string" || typeof as !== "string" || typeof kind !== "string") return;
    const refuse = (member: string, message: string, hint: string): void =>
      report(
        "AUTH_CALLBACK_PARAM_INVALID",
        typeof entry === "string" ? at : [...at, member],
        message,
        hint,
      );
    if (RESERVED.test(name))
      refuse(
        "name",
        `${shortenValue(name)} is a parameter of the OAuth protocol, so packsmith never saves its value.`,
        "Remove this parameter.",
      );
    if (!PLACEHOLDER_NAME.test(as))
      refuse(
        "as",
        `${shortenValue(as)} cannot be the name of a placeholder.`,
        "Set `as` to a name that contains only letters and digits.",
      );
    if (kinds.has(as))
      refuse(
        "as",
        `Another callback parameter has the name ${shortenValue(as)}.`,
        "Set `as` to another name for one of the two parameters.",
      );
    if (
      (kind === "origin" || kind === "host") &&
      (!Array.isArray(domains) || domains.length === 0)
    ) {
      refuse(
        "domains",
        `${shortenValue(name)} determines which host receives the client secret.`,
        "Add the domains member with the allowed hosts.",
      );
    }
    checkTrustedDomains(domains, [...at, "domains"], "AUTH_CALLBACK_PARAM_INVALID", report);
    if (typeof value === "string" && kind !== "origin" && !isLegalValue(kind, value)) {
      refuse(
        "default",
        `The default ${shortenValue(value)} is not a valid ${kind}.`,
        "Write a value that the provider could send.",
      );
    }
    kinds.set(as, kind);
  });
  return kinds;
}
