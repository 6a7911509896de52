import type { ConnectionAnswers } from "../define/connection-values.ts";
import type { ParamValue } from "../define/oauth-parameters.ts";
import {
  fillTemplate,
  findPlaceholders,
  findUrlPlace,
  type Placeholder,
} from "../define/template.ts";
import { PackError } from "../errors.ts";
import { listVariables, partOfChoice } from "./connection-answers.ts";
import type { OAuthDefinition } from "./definition.ts";

export const NO_ANSWERS: ConnectionAnswers = { variables: {}, callbackParams: {} };

const URL_MEMBERS = ["authorizationUrl", "tokenUrl", "refreshUrl", "endpointUrl"] as const;
const PARAM_MEMBERS = ["additionalParams", "tokenParams", "refreshParams", "tokenHeaders"] as const;
const TEXT_MEMBERS = ["assertionAudience", "assertionIssuer"] as const;

/**
 * Fills the placeholders of a definition with the answers of one account, encoded for their place
 * in a URL. Leaves out
 * parameters that use an optional variable without an answer. `{callback.…}` stays until the
 * redirect has come.
 * @throws {PackError} CONNECTION_VARIABLE_INVALID when an answer would split a scope in two
 */
export function fillDefinition<Definition extends OAuthDefinition>(
  definition: Definition,
  answers: ConnectionAnswers,
): Definition {
  const callbackParams = definition.type === "OAuth2" ? definition.callbackParams : undefined;
  // Without placeholders, the definition stays as it is, byte for byte.
  if (listVariables(definition).length === 0 && (callbackParams ?? []).length === 0)
    return definition;
  const members: Record<string, unknown> = { ...definition };
  for (const member of URL_MEMBERS) {
    if (typeof members[member] === "string")
      members[member] = fillUrl(members[member], definition, answers);
  }
  for (const member of PARAM_MEMBERS) {
    const params = members[member] as Readonly<Record<string, ParamValue>> | undefined;
    if (params !== undefined) members[member] = fillParams(params, definition, answers);
  }
  for (const member of TEXT_MEMBERS) {
    const template = definition[member];
    if (template !== undefined) members[member] = fillText(template, definition, answers);
  }
  const { tokenExchange } = definition;
  if (tokenExchange !== undefined) {
    const { url, params, clientId, clientSecret } = tokenExchange;
    const text = (template: string | undefined) =>
      template === undefined ? undefined : fillText(template, definition, answers);
    const filled = {
      url: fillUrl(url, definition, answers),
      params: fillParams(params, definition, answers),
    };
    members["tokenExchange"] = {
      ...tokenExchange,
      ...filled,
      clientId: text(clientId),
      clientSecret: text(clientSecret),
    };
  }
  if (definition.type === "OAuth2" && definition.tokenRenewal !== undefined) {
    const { url, params } = definition.tokenRenewal;
    members["tokenRenewal"] = {
      ...definition.tokenRenewal,
      url: fillUrl(url, definition, answers),
      params: fillParams(params, definition, answers),
    };
  }
  if (definition.scopes !== undefined)
    members["scopes"] = definition.scopes.flatMap((scope) => fillScope(scope, definition, answers));
  return { ...definition, ...members };
}

function fillUrl(
  template: string,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): string {
  return fillTemplate(template, (placeholder) => {
    const value = answerTo(placeholder, definition, answers);
    if (value === undefined) return undefined;
    switch (findUrlPlace(template, placeholder)) {
      case "host":
        // An origin comes with its scheme, which the template already has.
        return value.replace(/^https:\/\//, "").toLowerCase();
      case "label":
        return value.toLowerCase();
      default:
        return encodeURIComponent(value);
    }
  });
}

function fillParams(
  params: Readonly<Record<string, ParamValue>>,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): Record<string, ParamValue> {
  const filled: Record<string, ParamValue> = {};
  for (const [name, template] of Object.entries(params)) {
    if (typeof template !== "string") filled[name] = template;
    else if (!leavesOut(template, definition, answers))
      filled[name] = fillText(template, definition, answers);
  }
  return filled;
}

function fillScope(
  template: string,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): string[] {
  if (leavesOut(template, definition, answers)) return [];
  const scope = fillText(template, definition, answers);
  if (scope === template || !/\s/.test(scope.replaceAll(definition.scopeDelimiter ?? " ", " ")))
    return [scope];
  const [name = "a variable"] = findPlaceholders(template).map((placeholder) => placeholder.name);
  throw new PackError(
    "CONNECTION_VARIABLE_INVALID",
    `The value of ${name} would split a scope into two scopes.`,
    {
      details: { name, reason: "it has a space or the scope delimiter" },
      hint: "Connect again with a value without spaces or scope delimiters.",
    },
  );
}

function fillText(
  template: string,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): string {
  return fillTemplate(template, (placeholder) => answerTo(placeholder, definition, answers));
}

/** Whether a template uses an optional variable that has no answer. */
function leavesOut(
  template: string,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): boolean {
  return findPlaceholders(template).some(({ name }) => {
    const variable = listVariables(definition).find((candidate) => candidate.name === name);
    return variable?.optional === true && answers.variables[name] === undefined;
  });
}

function answerTo(
  { name, part }: Placeholder,
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): string | undefined {
  if (name === "callback") return part === undefined ? undefined : answers.callbackParams[part];
  const variable = listVariables(definition).find((candidate) => candidate.name === name);
  const value = answers.variables[name];
  if (variable === undefined || value === undefined) return undefined;
  return variable.kind === "choice"
    ? partOfChoice(variable, value, part)
    : part === undefined
      ? value
      : undefined;
}

/** The answers that formulas may see: all but the secret ones. */
export function visibleAnswers(
  definition: OAuthDefinition,
  answers: ConnectionAnswers,
): ConnectionAnswers {
  const isVisible = ([name]: [string, string]): boolean =>
    listVariables(definition).some(
      (variable) =>
        variable.name === name && !(variable.kind === "text" && variable.secret === true),
    );
  return {
    variables: Object.fromEntries(Object.entries(answers.variables).filter(isVisible)),
    callbackParams: answers.callbackParams,
  };
}
