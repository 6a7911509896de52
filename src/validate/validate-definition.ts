import { isLoopbackHost } from "../define/hosts.ts";
import type { Issue, SourceFile } from "./issue.ts";

export interface ValidateOptions {
  sources?: SourceFile[] | undefined;
  compatibility?: boolean | undefined;
}

type Report = (code: string, path: string, message: string, hint: string, severity?: Issue["severity"]) => void;
type Members = Record<string, unknown>;

const RESERVED_PARAMS = new Set(["client_id", "client_secret", "redirect_uri", "state", "code_challenge", "code_challenge_method"]);

/** Checks a definition against the rules. Never throws; the first version gives no positions. */
export function validateDefinition(definition: unknown, _options: ValidateOptions = {}): Issue[] {
  const issues: Issue[] = [];
  const report: Report = (code, path, message, hint, severity = "error") => issues.push({ code, severity, message, path, hint });
  try {
    checkDefinition(membersOf(definition), report);
  } catch {
    report("DEFINITION_UNREADABLE", "", "A member of the definition cannot be read.", "Use plain values instead of getters and proxies.");
  }
  return issues;
}

function checkDefinition(pack: Members, report: Report): void {
  const domains = listOf(pack["networkDomains"]);
  domains.forEach((domain, index) => {
    checkDomain(domain, `networkDomains[${index}]`, report);
  });
  const authentication = membersOf(pack["defaultAuthentication"]);
  checkAuthentication(authentication, "defaultAuthentication", report);
  const type = authentication["type"];
  const endpointOnly = authentication["requiresEndpointUrl"] === true && authentication["endpointDomain"] === undefined;
  if (type !== undefined && type !== "None" && domains.length === 0 && !endpointOnly) {
    report(
      "NETWORK_DOMAIN_MISSING",
      "networkDomains",
      "The Pack has authentication but no network domain.",
      'Call addNetworkDomain("host").',
    );
  }
  checkFormulas(listOf(pack["formulas"]), report);
}

/** Rules A2, 184 and 185. */
function checkDomain(domain: unknown, path: string, report: Report): void {
  if (typeof domain === "string" && isLoopbackHost(domain)) {
    report("NETWORK_DOMAIN_LOOPBACK", path, "A loopback domain works in development only.", "Declare the public host name.", "warning");
    return;
  }
  if (typeof domain === "string" && domain.length <= 253 && /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/i.test(domain)) return;
  report(
    "NETWORK_DOMAIN_INVALID",
    path,
    "The network domain is not a host name.",
    "Write it as api.host.example, without https://, port or path.",
  );
}

/** Rules 8, 9, 14 to 17, 19, A1 and A6. */
function checkAuthentication(authentication: Members, path: string, report: Report): void {
  const code = authentication["type"] === "OAuth2";
  if (!code && authentication["type"] !== "OAuth2ClientCredentials") return;
  for (const [key, stem] of [
    ["authorizationUrl", "AUTH_AUTHORIZATION_URL"],
    ["tokenUrl", "AUTH_TOKEN_URL"],
  ] as const) {
    if (key === "tokenUrl" || code) checkUrl(authentication[key], `${path}.${key}`, stem, authentication, report);
  }
  for (const name of Object.keys(membersOf(authentication["additionalParams"]))) {
    if (!RESERVED_PARAMS.has(name)) continue;
    report("AUTH_PARAM_RESERVED", `${path}.additionalParams.${name}`, `additionalParams may not set ${name}.`, "Remove it.");
  }
  if (code && authentication["useProofKeyForCodeExchange"] === undefined) {
    const hint = "Set it to true, or to false for a provider that refuses it.";
    report("AUTH_PKCE_MISSING", path, "The definition does not say useProofKeyForCodeExchange.", hint, "warning");
  }
}

function checkUrl(value: unknown, path: string, stem: string, authentication: Members, report: Report): void {
  if (typeof value !== "string") {
    report(`${stem}_MISSING`, path, "The URL is missing.", "Add it as an https URL.");
    return;
  }
  const relative = authentication["requiresEndpointUrl"] === true && authentication["endpointKey"] === undefined;
  if (/^\/(?![/\\])/.test(value) && relative) return;
  if (!URL.canParse(value)) {
    report(`${stem}_INVALID`, path, "The URL does not parse.", "Write an absolute https URL.");
    return;
  }
  const url = new URL(value);
  if (url.protocol === "https:") return;
  const loopback = url.protocol === "http:" && isLoopbackHost(url.host);
  report(`${stem}_INSECURE`, path, "The URL is not https.", "Change it to https.", loopback ? "warning" : "error");
}

/** Rules 41, 47, 53, 55 and 56. */
function checkFormulas(formulas: unknown[], report: Report): void {
  if (formulas.length > 100) report("FORMULA_COUNT", "formulas", "The Pack has more than 100 formulas.", "Remove some.");
  const names = new Set<string>();
  formulas.forEach((item, index) => {
    const { name, parameters, varargParameters } = membersOf(item);
    const path = `formulas[${index}]`;
    if (typeof name !== "string" || name.length > 50 || !/^\w+$/.test(name)) {
      report("FORMULA_NAME_INVALID", `${path}.name`, "The name is not 1 to 50 letters, digits or underscores.", "Rename the formula.");
    } else if (names.has(name.toLowerCase())) {
      report("FORMULA_NAME_DUPLICATE", `${path}.name`, "Another formula has this name.", "Rename one of them.");
    } else names.add(name.toLowerCase());
    checkParameters(listOf(parameters), listOf(varargParameters), path, report);
  });
}

function checkParameters(parameters: unknown[], varargs: unknown[], path: string, report: Report): void {
  const names = new Set<unknown>();
  let optional = false;
  [...parameters, ...varargs].forEach((item, index) => {
    const parameter = membersOf(item);
    const vararg = index >= parameters.length;
    const own = vararg ? `${path}.varargParameters[${index - parameters.length}]` : `${path}.parameters[${index}]`;
    if (names.has(parameter["name"]))
      report("PARAMETER_NAME_DUPLICATE", `${own}.name`, "Another parameter has this name.", "Rename one of them.");
    names.add(parameter["name"]);
    if (vararg) return;
    if (optional && parameter["optional"] !== true)
      report("PARAMETER_ORDER", own, "A required parameter follows an optional one.", "Move it forward.");
    optional ||= parameter["optional"] === true;
  });
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
