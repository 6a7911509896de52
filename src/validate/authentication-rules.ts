import { AuthenticationType, TokenExchangeCredentialsLocation } from "../define/enumerations.ts";
import { authenticationShapes } from "./authentication-shapes.ts";
import { checkOAuthUrls, parseUrl } from "./authentication-urls.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, isMembers, kindOf, listOf, type Members, reportUnknownValue, short } from "./shape.ts";

/** Parameters of the authorization request that belong to the protocol (rule A6). */
const RESERVED_PARAMS = new Set(["client_id", "client_secret", "redirect_uri", "state", "code_challenge", "code_challenge_method"]);
/** An HTTP token (RFC 9110 §5.6.2). */
const HTTP_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PERSONAL_TYPES: readonly string[] = ["None", "CodaApiHeaderBearerToken", "OAuth2", "GoogleDomainWideDelegation", "Various"];
const ADMIN_TYPES = Object.values(AuthenticationType).filter((type) => type !== "None" && type !== "Various");
const SYSTEM_TYPES = Object.values(AuthenticationType).filter((type) => !PERSONAL_TYPES.includes(type));

/** Checks one authentication on its own: rules 1 to 26 and A1 to A9. */
export function checkAuthentication(value: unknown, path: Path, slot: "user" | "system" | "admin", report: Report): void {
  if (!isMembers(value)) {
    report("MEMBER_TYPE", path, `${String(path.at(-1))} must be an object, not ${kindOf(value)}.`, "Write { type: AuthenticationType.… }.");
    return;
  }
  const type = value["type"];
  const typePath = [...path, "type"];
  if (typeof type !== "string" || !Object.hasOwn(authenticationShapes, type)) {
    const types = slot === "system" ? SYSTEM_TYPES : slot === "admin" ? ADMIN_TYPES : Object.values(AuthenticationType);
    if (type === undefined) report("MEMBER_MISSING", typePath, "type is missing.", "Add type: AuthenticationType.….");
    else reportUnknownValue("AUTH_TYPE_UNKNOWN", type, types, typePath, report);
    return;
  }
  if (slot === "system" && PERSONAL_TYPES.includes(type)) {
    const hint = type === "OAuth2" ? "Use OAuth2ClientCredentials, or setUserAuthentication." : "Use setUserAuthentication.";
    report("AUTH_SYSTEM_TYPE", typePath, `${type} cannot be the Pack's own authentication.`, hint);
  }
  if (slot === "admin" && (type === "None" || type === "Various")) {
    const message = `${type} has no account that an administrator could set up.`;
    report("AUTH_ADMIN_TYPE", typePath, message, "Remove it, or choose another type.");
  }
  checkShape(authenticationShapes[type as AuthenticationType], value, path, { unknownKey: "AUTH_KEY_UNKNOWN" }, report);
  checkBase(value, path, report);
  checkCredentials(value, path, report);
  if (type === "OAuth2" || type === "OAuth2ClientCredentials") checkOAuth(value, path, report);
  if (type === "GoogleDomainWideDelegation" || type === "GoogleServiceAccount") checkGoogleScopes(value, path, report);
}

function checkBase(authentication: Members, path: Path, report: Report): void {
  const { instructionsUrl, networkDomain, postSetup } = authentication;
  if (typeof instructionsUrl === "string" && parseUrl(instructionsUrl)?.protocol !== "https:") {
    report("AUTH_INSTRUCTIONS_URL", [...path, "instructionsUrl"], "instructionsUrl is not an https URL.", "Write it as https://host/path.");
  }
  const domainPath = [...path, "networkDomain"];
  const checkDomain = (domain: unknown, at: Path): void => {
    if (typeof domain !== "string" || (domain !== "" && !/\s/.test(domain))) return;
    const problem = domain === "" ? "is empty" : "has a space";
    report("AUTH_NETWORK_DOMAIN_EMPTY", at, `networkDomain ${problem}.`, "Name one of the Pack's network domains.");
  };
  checkDomain(networkDomain, domainPath);
  listOf(networkDomain).forEach((domain, index) => {
    checkDomain(domain, [...domainPath, index]);
  });
  if (Array.isArray(networkDomain) && networkDomain.length === 0) {
    report("AUTH_NETWORK_DOMAIN_EMPTY", domainPath, "networkDomain is an empty list.", "Name at least one of the Pack's network domains.");
  }
  listOf(postSetup).forEach((step, index) => {
    if (!isMembers(step) || step["type"] !== "SetEndPoint") return;
    if (step["getOptions"] !== undefined || step["getOptionsFormula"] !== undefined) return;
    const hint = "Add getOptions: a function that lists the endpoints.";
    report("AUTH_POST_SETUP_OPTIONS", [...path, "postSetup", index], "The step has no options to choose from.", hint);
  });
}

/** Rules 5, 6, 7, A7 and A8. */
function checkCredentials(authentication: Members, path: Path, report: Report): void {
  const { type, headerName, paramName } = authentication;
  if (type === "CustomHeaderToken" && typeof headerName === "string") checkHeaderName(headerName, [...path, "headerName"], report);
  if (type === "QueryParamToken") checkParamName(paramName, [...path, "paramName"], report);
  const member = type === "MultiHeaderToken" ? "headers" : type === "MultiQueryParamToken" || type === "Custom" ? "params" : undefined;
  if (member === undefined || !Array.isArray(authentication[member])) return;
  const entries = listOf(authentication[member]);
  if (entries.length === 0) {
    report("AUTH_ENTRIES_MISSING", [...path, member], `${member} is empty.`, "Add an entry { name, description }.");
  }
  const seen = new Set<string>();
  entries.forEach((entry, index) => {
    const name = isMembers(entry) ? entry["name"] : undefined;
    if (typeof name !== "string") return;
    const namePath = [...path, member, index, "name"];
    if (member === "headers") checkHeaderName(name, namePath, report);
    else checkParamName(name, namePath, report);
    const key = member === "headers" ? name.toLowerCase() : name;
    if (seen.has(key)) report("AUTH_NAME_DUPLICATE", namePath, `${short(name)} is there twice.`, "Rename or remove this one.");
    seen.add(key);
  });
}

/** Rules 21 and 22. */
function checkGoogleScopes({ scopes }: Members, path: Path, report: Report): void {
  if (!Array.isArray(scopes) || scopes.length > 0) return;
  report("AUTH_SCOPES_MISSING", [...path, "scopes"], "scopes is empty.", "Add the scopes that the Pack's requests need.");
}

function checkHeaderName(name: string, path: Path, report: Report): void {
  if (HTTP_TOKEN.test(name)) return;
  report("AUTH_HEADER_NAME", path, `${short(name)} is not a header name.`, "Use letters, digits and hyphens only, such as X-Api-Key.");
}

function checkParamName(name: unknown, path: Path, report: Report): void {
  if (name === "") report("AUTH_PARAM_NAME", path, "The parameter name is empty.", "Write the name that the API expects.");
}

/** Rules 8 to 20, A1, A3 to A6, and PKCE. */
function checkOAuth(authentication: Members, path: Path, report: Report): void {
  const { credentialsLocation, tokenPrefix, tokenQueryParam } = authentication;
  checkOAuthUrls(authentication, path, report);
  checkScopes(authentication, path, report);
  const locations: readonly string[] = Object.values(TokenExchangeCredentialsLocation);
  if (typeof credentialsLocation === "string" && !locations.includes(credentialsLocation)) {
    reportUnknownValue("AUTH_CREDENTIALS_LOCATION", credentialsLocation, locations, [...path, "credentialsLocation"], report);
  }
  if (tokenPrefix !== undefined && tokenQueryParam !== undefined) {
    const message = "tokenPrefix has no effect on a token that tokenQueryParam puts in the URL.";
    report("AUTH_TOKEN_PLACE", [...path, "tokenPrefix"], message, "Remove tokenQueryParam; headers do not leak into logs.");
  }
  if (authentication["type"] === "OAuth2") checkCodeFlow(authentication, path, report);
}

function checkScopes({ scopes, scopeDelimiter = " " }: Members, path: Path, report: Report): void {
  if (typeof scopeDelimiter !== "string") return;
  const isLegal = [" ", ",", ";"].includes(scopeDelimiter);
  if (!isLegal) {
    const message = `scopeDelimiter is ${short(scopeDelimiter)}; it can be a space, a comma or a semicolon.`;
    report("AUTH_SCOPE_DELIMITER", [...path, "scopeDelimiter"], message, 'Write " ", "," or ";".');
  }
  listOf(scopes).forEach((scope, index) => {
    if (typeof scope !== "string") return;
    const at = [...path, "scopes", index];
    if (scope.trim() === "") report("AUTH_SCOPE_INVALID", at, "The scope is empty.", "Remove it.");
    else if (isLegal && scope.includes(scopeDelimiter)) {
      const hint = "Make each scope an entry of its own, or set scopeDelimiter.";
      report("AUTH_SCOPE_INVALID", at, `The scope ${short(scope)} contains the delimiter.`, hint);
    }
  });
}

function checkCodeFlow(authentication: Members, path: Path, report: Report): void {
  const { additionalParams, useProofKeyForCodeExchange, pkceChallengeMethod } = authentication;
  for (const name of Object.keys(isMembers(additionalParams) ? additionalParams : {})) {
    if (!RESERVED_PARAMS.has(name.toLowerCase())) continue;
    const message = `additionalParams may not set ${name}, which belongs to the protocol.`;
    report("AUTH_PARAM_RESERVED", [...path, "additionalParams", name], message, "Remove it.");
  }
  const methodPath = [...path, "pkceChallengeMethod"];
  if (typeof pkceChallengeMethod === "string") {
    const code: IssueCode = "AUTH_PKCE_METHOD";
    if (pkceChallengeMethod !== "S256" && pkceChallengeMethod !== "plain") {
      reportUnknownValue(code, pkceChallengeMethod, ["S256", "plain"], methodPath, report);
    }
    if (useProofKeyForCodeExchange !== true) {
      const message = "pkceChallengeMethod has no effect: PKCE is off.";
      report("AUTH_PKCE_METHOD_UNUSED", methodPath, message, "Add useProofKeyForCodeExchange: true.");
    }
  } else if (useProofKeyForCodeExchange === undefined) {
    const hint = "Add useProofKeyForCodeExchange: true, or false for a provider that refuses it.";
    report("AUTH_PKCE_MISSING", path, "The definition does not say whether it uses PKCE.", hint);
  }
}
