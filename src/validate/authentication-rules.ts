import { AuthenticationType, TokenExchangeCredentialsLocation } from "../define/enumerations.ts";
import { isLoopbackHost } from "../define/hosts.ts";
import { isRecord } from "../shared/is-record.ts";
import { authenticationShapes } from "./authentication-shapes.ts";
import { checkOAuthUrls, parseUrl } from "./authentication-urls.ts";
import { checkClientAuthentication } from "./client-authentication-rules.ts";
import type { IssueCode } from "./codes.ts";
import { checkOAuthAdditions } from "./oauth-addition-rules.ts";
import { checkRenewalSignals } from "./renewal-signal-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, kindOf, listOf, type Members, reportUnknownValue, short } from "./shape.ts";

const TOKEN_PARAMS = new Set(
  "grant_type code redirect_uri code_verifier refresh_token client_id client_secret client_assertion client_assertion_type scope".split(
    " ",
  ),
);
/** Parameters that belong to the protocol, by the member that may not set them (rule A6). */
const RESERVED_BY_MEMBER: Readonly<Record<string, ReadonlySet<string>>> = {
  additionalParams: new Set(["client_id", "client_secret", "redirect_uri", "state", "code_challenge", "code_challenge_method"]),
  tokenParams: TOKEN_PARAMS,
  // One provider needs the scopes again.
  refreshParams: new Set([...TOKEN_PARAMS].filter((name) => name !== "scope")),
};
/** An HTTP token (RFC 9110 §5.6.2). */
const HTTP_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PERSONAL_TYPES: readonly string[] = ["None", "CodaApiHeaderBearerToken", "OAuth2", "GoogleDomainWideDelegation", "Various"];
const ADMIN_TYPES = Object.values(AuthenticationType).filter((type) => type !== "None" && type !== "Various");
const SYSTEM_TYPES = Object.values(AuthenticationType).filter((type) => !PERSONAL_TYPES.includes(type));

/** Checks one authentication on its own: rules 1 to 26 and A1 to A9. */
export function checkAuthentication(value: unknown, path: Path, slot: "user" | "system" | "admin", report: Report): void {
  if (!isRecord(value)) {
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
    if (!isRecord(step) || step["type"] !== "SetEndPoint") return;
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
    const name = isRecord(entry) ? entry["name"] : undefined;
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
  checkClientAuthentication(authentication, path, report);
  checkRenewalSignals(authentication, path, report);
  if (tokenPrefix !== undefined && tokenQueryParam !== undefined) {
    const message = "tokenPrefix has no effect on a token that tokenQueryParam puts in the URL.";
    report("AUTH_TOKEN_PLACE", [...path, "tokenPrefix"], message, "Remove tokenQueryParam; headers do not leak into logs.");
  }
  checkTokenHeader(authentication, path, report);
  checkIssuer(authentication["issuer"], [...path, "issuer"], report);
  checkRequest(authentication, path, report);
  checkOAuthAdditions(authentication, path, report);
  if (authentication["type"] === "OAuth2") checkCodeFlow(authentication, path, report);
}

function checkTokenHeader({ tokenHeaderName, tokenQueryParam }: Members, path: Path, report: Report): void {
  if (typeof tokenHeaderName !== "string") return;
  const at = [...path, "tokenHeaderName"];
  checkHeaderName(tokenHeaderName, at, report);
  if (/^(?:host|cookie|content-(?:length|type)|transfer-encoding|connection)$/i.test(tokenHeaderName)) {
    report(
      "AUTH_HEADER_NAME",
      at,
      `${short(tokenHeaderName)} is a header of the connection itself.`,
      "Name the header that the API reads.",
    );
  }
  if (tokenQueryParam !== undefined) {
    const message = "tokenHeaderName and tokenQueryParam are two places for one token.";
    report("AUTH_TOKEN_PLACE", at, message, "Remove tokenQueryParam; headers do not leak into logs.");
  }
}

/** RFC 8414 §2: an https URL without query and fragment. */
function checkIssuer(issuer: unknown, path: Path, report: Report): void {
  if (typeof issuer !== "string") return;
  const url = parseUrl(issuer);
  if (url?.protocol === "http:" && isLoopbackHost(url.host)) {
    report("AUTH_URL_LOOPBACK", path, "issuer is http on this machine, which works in development only.", "Write the public https URL.");
  } else if (url?.protocol !== "https:" || /[?#]/.test(issuer) || url.username !== "") {
    const hint = "Write it as the server's metadata names it, such as https://login.host.example.";
    report("AUTH_ISSUER_INVALID", path, "issuer is not an https URL without query and fragment.", hint);
  }
}

/** How the token request is written, and what the Pack adds to it. */
function checkRequest(authentication: Members, path: Path, report: Report): void {
  const { type, tokenRequestFormat, credentialsLocation, grantType, endpointUrl, requiresEndpointUrl } = authentication;
  // In the code flow "query" is no legal value, wherever the credentials go.
  if (type === "OAuth2ClientCredentials" && tokenRequestFormat === "query" && credentialsLocation !== "AuthorizationHeader") {
    const message = "A request in the URL would carry the client secret there.";
    report("AUTH_REQUEST_FORMAT", [...path, "tokenRequestFormat"], message, 'Add credentialsLocation: "AuthorizationHeader".');
  }
  for (const [member, reserved] of Object.entries(RESERVED_BY_MEMBER)) {
    const params = authentication[member];
    const isTokenRequest = authentication["type"] === "OAuth2ClientCredentials";
    for (const name of Object.keys(isRecord(params) ? params : {})) {
      if (!(isTokenRequest ? TOKEN_PARAMS : reserved).has(name.toLowerCase())) continue;
      const message = `${member} may not set ${name}, which belongs to the protocol.`;
      const at = [...path, member, name];
      if (name === "scope") report("AUTH_PARAM_RESERVED", at, message, "Use scopes.");
      else report("AUTH_PARAM_RESERVED", at, message, "Remove it.", { kind: "remove" });
    }
  }
  if (typeof grantType === "string") checkGrantType(grantType, [...path, "grantType"], report);
  const { tokenParams } = authentication;
  if (isRecord(tokenParams) && typeof tokenParams["password"] === "string" && !tokenParams["password"].includes("{")) {
    const hint = 'Ask for it: { name: "password", label: "Password", kind: "text", secret: true }, and write "{password}" here.';
    report("AUTH_SECRET_LITERAL", [...path, "tokenParams", "password"], "The definition holds a password.", hint);
  }
  if (endpointUrl !== undefined && requiresEndpointUrl === true) {
    const message = "endpointUrl and requiresEndpointUrl are two endpoints for one account.";
    report("AUTH_ENDPOINT_CONFLICT", [...path, "endpointUrl"], message, "Remove one of them.");
  }
}

function checkGrantType(grantType: string, path: Path, report: Report): void {
  if (!/^[A-Za-z0-9_.:-]{1,128}$/.test(grantType) || grantType === "authorization_code" || grantType === "refresh_token") {
    const hint = "Write the name that the provider documents, or remove it for client_credentials.";
    report("AUTH_GRANT_TYPE_INVALID", path, `${short(grantType)} is no grant type of this flow.`, hint);
  } else if (grantType === "password") {
    const hint = "Ask the provider for another grant; RFC 9700 §2.4 forbids this one.";
    report("AUTH_GRANT_TYPE_PASSWORD", path, "The password grant gives the user's password to the Pack.", hint);
  }
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
  const { useProofKeyForCodeExchange, pkceChallengeMethod } = authentication;
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
