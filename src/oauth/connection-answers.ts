import { isLegalValue, matchesPattern } from "../define/connection-values.ts";
import { hostMatchesDomain } from "../define/hosts.ts";
import type { ChoiceVariable, ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError } from "../errors.ts";
import { canParseUrl, parseUrl } from "../shared/urls.ts";
import type { OAuthDefinition } from "./definition.ts";

/** The variables that the user answers when connecting an account. */
export function listVariables(definition: OAuthDefinition): readonly ConnectionVariable[] {
  return definition.connectionVariables ?? [];
}

export function isSecretVariable(variable: ConnectionVariable): boolean {
  return variable.kind === "text" && variable.secret === true;
}

/** @returns the definition's value for a variable without an answer */
export function findDefault(variable: ConnectionVariable): string | undefined {
  return "default" in variable ? variable.default : undefined;
}

/**
 * Checks the answers to a definition's variables and fills in the defaults. Optional variables may
 * be missing.
 * @throws {PackError} CONNECTION_VARIABLE_INVALID for the first answer that is not allowed, or that
 *   has no variable
 * @throws {PackError} CONNECTION_VARIABLE_MISSING with all variables that need an answer
 */
export function checkAnswers(
  definition: OAuthDefinition,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const variables = listVariables(definition);
  const unknown = Object.keys(given).find(
    (name) => !variables.some((variable) => variable.name === name),
  );
  if (unknown !== undefined)
    throw createRefusal(unknown, "the authentication definition has no value with this name");
  const answers: Record<string, string> = {};
  const missing: string[] = [];
  for (const variable of variables) {
    const value = (given[variable.name] ?? "").trim() || findDefault(variable);
    if (value !== undefined && value !== "") answers[variable.name] = checkAnswer(variable, value);
    else if (variable.optional !== true) missing.push(variable.name);
  }
  if (missing.length === 0) return answers;
  throw new PackError(
    "CONNECTION_VARIABLE_MISSING",
    `The account needs a value for ${missing.join(", ")}.`,
    {
      details: { names: missing },
      hint: "Pass --var name=value, or run the command in a terminal and enter the values.",
    },
  );
}

function checkAnswer(variable: ConnectionVariable, value: string): string {
  const { name, kind } = variable;
  if (kind === "choice") {
    const isOption = variable.options.some((option) => option.value === value);
    if (!isOption)
      throw createRefusal(
        name,
        `it is not one of ${variable.options.map((option) => option.value).join(", ")}`,
      );
    return value;
  }
  const text = kind === "host" ? asciiHost(value) : value;
  if (!isLegalValue(isSecretVariable(variable) ? "secret" : kind, text))
    throw createRefusal(name, `it is not a ${KIND_WORDS[kind]}`);
  if (
    kind === "host" &&
    variable.domains?.some((domain) => hostMatchesDomain(text, domain)) === false
  ) {
    throw createRefusal(name, `it is outside ${variable.domains.join(", ")}`);
  }
  if (
    "pattern" in variable &&
    variable.pattern !== undefined &&
    !matchesPattern(variable.pattern, text)
  ) {
    throw createRefusal(name, "it does not match the pattern of the Pack");
  }
  return text;
}

const KIND_WORDS = {
  host: "host name",
  label: "label of a host name",
  segment: "segment of a path",
  text: "text of one line",
} as const;

/** Internationalized host names are sent in their ASCII form. */
function asciiHost(value: string): string {
  return parseUrl(`https://${value}/`)?.host ?? value;
}

/**
 * Reads the declared parameters of a redirect. Call it only after `validateCallback`. All other
 * parameters are ignored.
 * @returns the values by placeholder name
 * @throws {PackError} OAUTH_CALLBACK_INVALID
 */
export function readCallbackParams(
  definition: OAuthDefinition,
  query: URLSearchParams,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const entry of definition.type === "OAuth2" ? (definition.callbackParams ?? []) : []) {
    const param =
      typeof entry === "string" ? { name: entry, kind: "text" as const, required: false } : entry;
    const value = query.get(param.name) ?? ("default" in param ? param.default : undefined);
    if (value === undefined || value === "") {
      if (param.required === false) continue;
      throw invalidCallback(
        `"${param.name}" is missing`,
        `Ask the provider to send ${param.name}, or set required: false.`,
      );
    }
    const domains = "domains" in param ? (param.domains ?? []) : [];
    if (!isCallbackValue(param.kind, value, domains)) {
      throw invalidCallback(
        `"${param.name}" is not an allowed ${param.kind}`,
        "Compare the parameter's kind and domains with what the provider sends.",
      );
    }
    values[("as" in param ? param.as : undefined) ?? param.name] = value;
  }
  return values;
}

function isCallbackValue(kind: string, value: string, domains: readonly string[]): boolean {
  if (value.length > 2_048) return false;
  if (kind === "text") return !/\p{Cc}/u.test(value);
  if (kind === "origin") {
    if (!canParseUrl(value)) return false;
    const { protocol, host, origin } = new URL(value);
    return (
      protocol === "https:" &&
      value === origin &&
      domains.some((domain) => hostMatchesDomain(host, domain))
    );
  }
  return (
    isLegalValue(kind, value) &&
    (kind !== "host" || domains.some((domain) => hostMatchesDomain(value, domain)))
  );
}

/** @returns the value of one part of the chosen option */
export function partOfChoice(
  { options }: ChoiceVariable,
  value: string,
  part: string | undefined,
): string | undefined {
  const option = options.find((candidate) => candidate.value === value);
  return part === undefined ? option?.value : option?.parts?.[part];
}

function createRefusal(name: string, reason: string): PackError<"CONNECTION_VARIABLE_INVALID"> {
  return new PackError(
    "CONNECTION_VARIABLE_INVALID",
    `The value of ${name} is not allowed: ${reason}.`,
    {
      details: { name, reason },
      hint: "Connect again with another value.",
    },
  );
}

function invalidCallback(reason: string, hint: string): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", `The redirect cannot be used: ${reason}.`, {
    details: { reason },
    hint,
  });
}
