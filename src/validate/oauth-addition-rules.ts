import { isLegalValue } from "../define/connection-values.ts";
import {
  fillTemplate,
  findPlaceholders,
  findUrlPlace,
  type Placeholder,
} from "../define/template.ts";
import { isRecord, type Members, toList, toMembers } from "../shared/values.ts";
import { checkAbsoluteUrl, type UrlMember } from "./authentication-urls.ts";
import { checkCallbackParams, checkVariables, type KnownVariable } from "./connection-variables.ts";
import { isPublicSuffix } from "./network-rules.ts";
import type { Path, Report } from "./report.ts";
import { shortenValue } from "./shape.ts";

const URL_MEMBERS = [
  "authorizationUrl",
  "tokenUrl",
  "refreshUrl",
  "endpointUrl",
] as const satisfies readonly UrlMember[];
const PARAM_MEMBERS = ["additionalParams", "tokenParams", "refreshParams", "tokenHeaders"] as const;
const TEXT_MEMBERS = ["assertionAudience", "assertionIssuer"] as const;
/** Where the user is sent before a redirect exists. */
const BEFORE_CALLBACK: readonly string[] = ["authorizationUrl", "additionalParams", "scopes"];
const SECRET_MEMBERS: readonly string[] = [
  "tokenParams",
  "refreshParams",
  "tokenExchange",
  "tokenRenewal",
];
/** Values that exist only when a request is made, by the member that can have them. */
const LATE_VALUES: Readonly<Record<string, string>> = {
  tokenParams: "state",
  tokenExchange: "token",
  tokenRenewal: "token",
};

/** Connection variables, callback parameters and everything that uses them. */
export function checkOAuthAdditions(authentication: Members, path: Path, report: Report): void {
  const variables = checkVariables(authentication, path, report);
  const callbacks = checkCallbackParams(authentication, path, report);
  const used = new Set<string>();
  const scope: TemplateScope = { authentication, variables, callbacks, used, report };
  for (const member of URL_MEMBERS) {
    const template = authentication[member];
    if (typeof template === "string") checkUrlTemplate(member, template, [...path, member], scope);
  }
  for (const member of PARAM_MEMBERS) {
    const params = authentication[member];
    for (const [name, template] of Object.entries(toMembers(params))) {
      if (typeof template === "string")
        checkParamTemplate(member, template, [...path, member, name], scope);
    }
  }
  for (const member of TEXT_MEMBERS) {
    const template = authentication[member];
    if (typeof template === "string")
      checkParamTemplate(member, template, [...path, member], scope);
  }
  checkTokenExchange(authentication["tokenExchange"], [...path, "tokenExchange"], scope);
  checkTokenRenewal(authentication["tokenRenewal"], [...path, "tokenRenewal"], scope);
  toList(authentication["scopes"]).forEach((template, index) => {
    if (typeof template === "string")
      checkParamTemplate("scopes", template, [...path, "scopes", index], scope);
  });
  for (const { name, path: at } of variables.values()) {
    if (used.has(name)) continue;
    report(
      "AUTH_VARIABLE_UNUSED",
      at,
      `Nothing uses the variable ${shortenValue(name)}.`,
      `Write {${name}} where you need it, or remove the variable.`,
    );
  }
}

function checkTokenExchange(exchange: unknown, path: Path, scope: TemplateScope): void {
  if (!isRecord(exchange)) return;
  const { url, params, clientId, clientSecret } = exchange;
  if (typeof url === "string") checkUrlTemplate("tokenExchange.url", url, [...path, "url"], scope);
  for (const [name, template] of Object.entries({ ...toMembers(params), clientId, clientSecret })) {
    const at =
      isRecord(params) && Object.hasOwn(params, name) ? [...path, "params", name] : [...path, name];
    if (typeof template === "string") checkParamTemplate("tokenExchange", template, at, scope);
  }
  if (typeof clientSecret === "string" && findPlaceholders(clientSecret).length === 0) {
    const hint =
      'Replace the secret with a connection variable: { name: "otherSecret", label: "Secret", kind: "text", secret: true }.';
    scope.report(
      "AUTH_SECRET_LITERAL",
      [...path, "clientSecret"],
      "The definition contains a client secret.",
      hint,
    );
  }
}

function checkTokenRenewal(renewal: unknown, path: Path, scope: TemplateScope): void {
  if (!isRecord(renewal)) return;
  const { url, params } = renewal;
  if (typeof url === "string") checkUrlTemplate("tokenRenewal.url", url, [...path, "url"], scope);
  for (const [name, template] of Object.entries(toMembers(params))) {
    if (typeof template === "string")
      checkParamTemplate("tokenRenewal", template, [...path, "params", name], scope);
  }
}

interface TemplateScope {
  authentication: Members;
  variables: ReadonlyMap<string, KnownVariable>;
  callbacks: ReadonlyMap<string, string>;
  /** Collects the names of the variables that templates use. */
  used: Set<string>;
  report: Report;
}

function checkUrlTemplate(
  member: UrlMember,
  template: string,
  path: Path,
  scope: TemplateScope,
): void {
  const { report, variables, callbacks } = scope;
  const placeholders = findPlaceholders(template);
  const rest = fillTemplate(template, () => "x");
  if (/[{}]/.test(rest)) {
    const hint = "Write {name} or {name.part}, with the name of a connection variable.";
    report(
      "AUTH_PLACEHOLDER_UNKNOWN",
      path,
      "A brace in this text is not part of a placeholder.",
      hint,
    );
    return;
  }
  const isFine = placeholders.every((placeholder) =>
    checkUrlPlaceholder(member, template, placeholder, path, scope),
  );
  if (!isFine || placeholders.length === 0 || template.startsWith("/")) return;
  for (const url of writeSamples(template, placeholders, variables, callbacks))
    checkAbsoluteUrl(member, url, path, report);
}

/** @returns whether the placeholder is allowed there; if not, it was reported. */
function checkUrlPlaceholder(
  member: UrlMember,
  template: string,
  placeholder: Placeholder,
  path: Path,
  scope: TemplateScope,
): boolean {
  const { variables, callbacks, report } = scope;
  const kind = kindOfPlaceholder(member, placeholder, path, scope, "AUTH_PLACEHOLDER_UNKNOWN");
  if (kind === undefined) return false;
  const place = findUrlPlace(template, placeholder);
  const variable = variables.get(placeholder.name);
  const refuse = (message: string, hint: string): false => {
    report("AUTH_PLACEHOLDER_PLACE", path, message, hint);
    return false;
  };
  if (variable?.isOptional === true) {
    return refuse(
      `The value of ${placeholder.text} can be empty, but a URL needs a value.`,
      "Remove optional: true from the variable, or use the variable only in a URL parameter.",
    );
  }
  if (kind === "choice") {
    const values = (variable?.options ?? []).map((option) =>
      valueOfOption(option, placeholder.part),
    );
    const wrong = values.find((value) => value === undefined || !isLegalIn(place, value));
    if (wrong === undefined && !values.includes(undefined)) return true;
    const message = `The option ${shortenValue(wrong ?? "")} has a value that is not allowed for ${placeholder.text} in this part of the URL.`;
    return refuse(message, "Correct the option, or add a part with the host to the option.");
  }
  const legal: Readonly<Record<string, readonly string[]>> = {
    host: ["host"],
    label: ["label", "segment", "query"],
    segment: ["segment", "query"],
    origin: ["host"],
    text: ["query"],
  };
  if (legal[kind]?.includes(place) !== true) {
    const hint =
      kind === "text"
        ? "Use text only for parameters, scopes and query values. In other parts of URLs, use a label or a segment."
        : `A ${kind} is ${PLACE_WORDS[kind] ?? "a part of the host or the path"}.`;
    return refuse(
      `${placeholder.text} is ${kind === "text" ? "" : kind === "origin" ? "an " : "a "}${kind} and is not allowed in this part of ${member}.`,
      hint,
    );
  }
  if (
    kind === "host" &&
    callbacks.get(placeholder.name) === undefined &&
    variable?.domains === undefined
  ) {
    if (scope.authentication["requiresEndpointUrl"] !== true && placeholder.name !== "callback") {
      return refuse(
        `${placeholder.text} lets the user enter any host.`,
        "Add domains to the variable: the allowed hosts.",
      );
    }
  }
  if (kind === "label" && place === "label")
    return checkRightOfLabel(template, placeholder, refuse);
  return true;
}

const PLACE_WORDS: Readonly<Record<string, string>> = {
  host: "the complete host, as in https://{name}/path",
  origin: "the complete host, as in https://{callback.name}/path",
  label: "a part of the host or a complete segment of the path",
  segment: "a complete segment of the path, between two slashes",
};

/** What follows a label must still be a domain that somebody has registered. */
function checkRightOfLabel(
  template: string,
  placeholder: Placeholder,
  refuse: (message: string, hint: string) => false,
): boolean {
  const right = template.slice(placeholder.start + placeholder.text.length).split(/[/?#]/)[0] ?? "";
  const domain = right.slice(right.indexOf(".") + 1);
  if (right.includes(".") && domain.includes(".") && !isPublicSuffix(domain)) return true;
  const message = `The domain after ${placeholder.text} has many owners, so the value determines who receives the client secret.`;
  return refuse(
    message,
    "Write a registered domain after the placeholder, as in https://{name}.host.example/path.",
  );
}

function checkParamTemplate(
  member: string,
  template: string,
  path: Path,
  scope: TemplateScope,
): void {
  for (const placeholder of findPlaceholders(template)) {
    if (placeholder.name === LATE_VALUES[member] && placeholder.part === undefined) continue;
    kindOfPlaceholder(member, placeholder, path, scope, "AUTH_PLACEHOLDER_UNDECLARED");
  }
}

/**
 * @returns the kind of what a placeholder names; nothing when it names nothing that can be used
 * here.
 */
function kindOfPlaceholder(
  member: string,
  placeholder: Placeholder,
  path: Path,
  { variables, callbacks, used, report, authentication }: TemplateScope,
  unknown: "AUTH_PLACEHOLDER_UNKNOWN" | "AUTH_PLACEHOLDER_UNDECLARED",
): string | undefined {
  const { name, part, text } = placeholder;
  if (name === "callback") {
    const kind = part === undefined ? undefined : callbacks.get(part);
    if (kind === undefined) {
      report(
        unknown,
        path,
        `${text} is not the name of a callback parameter.`,
        `Add ${shortenValue(part ?? "name")} to callbackParams.`,
      );
    } else if (BEFORE_CALLBACK.includes(member)) {
      const message = `packsmith needs ${member} before ${text} has a value.`;
      report("AUTH_PLACEHOLDER_PLACE", path, message, "Use a connection variable instead.");
      return undefined;
    }
    return kind;
  }
  const variable = variables.get(name);
  const hasPart =
    part === undefined ||
    variable?.options.some(({ parts }) => isRecord(parts) && Object.hasOwn(parts, part)) === true;
  if (variable === undefined || !hasPart) {
    const hint =
      variable === undefined
        ? `Add ${shortenValue(name)} to connectionVariables.`
        : `Add the part ${shortenValue(part)} to every option.`;
    report(
      unknown,
      path,
      `${text} is not the name of a connection variable${variable === undefined ? "" : "'s part"}.`,
      hint,
    );
    return undefined;
  }
  used.add(name);
  if (
    variable.isSecret &&
    (!SECRET_MEMBERS.includes(member) || authentication["tokenRequestFormat"] === "query")
  ) {
    const hint =
      "Use the secret in tokenParams, refreshParams or tokenExchange, in requests with a form or JSON body.";
    report(
      "AUTH_PLACEHOLDER_PLACE",
      path,
      `${text} is a secret, but would become part of a URL.`,
      hint,
    );
    return undefined;
  }
  return variable.kind;
}

function valueOfOption(option: Members | undefined, part: string | undefined): string | undefined {
  const value =
    part === undefined
      ? option?.["value"]
      : isRecord(option?.["parts"])
        ? option["parts"][part]
        : undefined;
  return typeof value === "string" ? value : undefined;
}

function isLegalIn(place: ReturnType<typeof findUrlPlace>, value: string): boolean {
  if (place === "host") return isLegalValue("host", value);
  // A top-level domain or several labels may fill a part of a host.
  if (place === "label") return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(value);
  return value !== "" && isLegalValue("text", value);
}

/** The URL with sample values, once for each option of each choice in it. */
function writeSamples(
  template: string,
  placeholders: readonly Placeholder[],
  variables: ReadonlyMap<string, KnownVariable>,
  callbacks: ReadonlyMap<string, string>,
): string[] {
  const choices = placeholders.flatMap(({ name }) => variables.get(name)?.options ?? []);
  const fill = (chosen: Members | undefined): string =>
    fillTemplate(template, ({ name, part }) => {
      const variable = variables.get(name);
      if (variable === undefined)
        return callbacks.get(part ?? "") === "segment" ? "sample" : "host.example";
      const option = variable.options.find((item) => item === chosen) ?? variable.options[0];
      return variable.kind === "choice" ? valueOfOption(option, part) : variable.sample;
    });
  return [...new Set(choices.length === 0 ? [fill(undefined)] : choices.map(fill))];
}
