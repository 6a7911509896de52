import * as z from "zod/mini";
import { TokenExchangeCredentialsLocation } from "../define/enumerations.ts";
import { isLoopbackHost } from "../define/hosts.ts";
import type { RenewalSignal, SigningAlgorithm } from "../define/oauth.ts";
import { parseUrl } from "../shared/urls.ts";
import { isRecord, type Members, toList, toMembers } from "../shared/values.ts";
import { checkOAuthUrls } from "./authentication-urls.ts";
import type { IssueCode } from "./codes.ts";
import { checkOAuthAdditions } from "./oauth-addition-rules.ts";
import type { Path, Report } from "./report.ts";
import {
  checkShape,
  optionalText,
  reportUnknownValue,
  type ShapeOf,
  shortenValue,
} from "./shape.ts";

const TOKEN_PARAMS = new Set(
  "grant_type code redirect_uri code_verifier refresh_token client_id client_secret client_assertion client_assertion_type scope".split(
    " ",
  ),
);
/** Parameters that belong to the protocol, by the member that may not set them. */
const RESERVED_BY_MEMBER: Readonly<Record<string, ReadonlySet<string>>> = {
  additionalParams: new Set([
    "client_id",
    "client_secret",
    "redirect_uri",
    "state",
    "code_challenge",
    "code_challenge_method",
  ]),
  tokenParams: TOKEN_PARAMS,
  // One provider needs the scopes again.
  refreshParams: new Set([...TOKEN_PARAMS].filter((name) => name !== "scope")),
};
/** An HTTP token (RFC 9110 §5.6.2). */
const HTTP_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function checkOAuth(authentication: Members, path: Path, report: Report): void {
  const { credentialsLocation, tokenPrefix, tokenQueryParam } = authentication;
  checkOAuthUrls(authentication, path, report);
  checkScopes(authentication, path, report);
  const locations: readonly string[] = Object.values(TokenExchangeCredentialsLocation);
  if (typeof credentialsLocation === "string" && !locations.includes(credentialsLocation)) {
    reportUnknownValue(
      "AUTH_CREDENTIALS_LOCATION",
      credentialsLocation,
      locations,
      [...path, "credentialsLocation"],
      report,
    );
  }
  checkClientAuthentication(authentication, path, report);
  checkRenewalSignals(authentication, path, report);
  if (tokenPrefix !== undefined && tokenQueryParam !== undefined) {
    const message = "tokenPrefix has no effect: tokenQueryParam puts the token in the URL.";
    report(
      "AUTH_TOKEN_PLACE",
      [...path, "tokenPrefix"],
      message,
      "Remove tokenQueryParam: servers log URLs, but do not log headers.",
    );
  }
  checkTokenHeader(authentication, path, report);
  checkTokenHeaders(authentication["tokenHeaders"], [...path, "tokenHeaders"], report);
  checkIssuer(authentication["issuer"], [...path, "issuer"], report);
  checkRequest(authentication, path, report);
  checkOAuthAdditions(authentication, path, report);
  if (authentication["type"] === "OAuth2") checkCodeFlow(authentication, path, report);
}

function checkTokenHeader(
  { tokenHeaderName, tokenQueryParam }: Members,
  path: Path,
  report: Report,
): void {
  if (typeof tokenHeaderName !== "string") return;
  const at = [...path, "tokenHeaderName"];
  checkHeaderName(tokenHeaderName, at, report);
  if (
    /^(?:host|cookie|content-(?:length|type)|transfer-encoding|connection)$/i.test(tokenHeaderName)
  ) {
    report(
      "AUTH_HEADER_NAME",
      at,
      `${shortenValue(tokenHeaderName)} is a header that HTTP reserves.`,
      "Write the name of the header that the API reads.",
    );
  }
  if (tokenQueryParam !== undefined) {
    const message =
      "tokenHeaderName and tokenQueryParam specify two different locations for the token.";
    report(
      "AUTH_TOKEN_PLACE",
      at,
      message,
      "Remove tokenQueryParam: servers log URLs, but do not log headers.",
    );
  }
}

const CONNECTION_HEADER =
  /^(?:authorization|host|cookie|dpop|accept|content-(?:length|type)|transfer-encoding|connection)$/i;

function checkTokenHeaders(headers: unknown, path: Path, report: Report): void {
  for (const name of Object.keys(toMembers(headers))) {
    checkHeaderName(name, [...path, name], report);
    if (CONNECTION_HEADER.test(name))
      report(
        "AUTH_HEADER_NAME",
        [...path, name],
        `${shortenValue(name)} is a header that packsmith sets.`,
        "Remove this entry.",
      );
  }
}

/** RFC 8414 §2: an https URL without query and fragment. */
function checkIssuer(issuer: unknown, path: Path, report: Report): void {
  if (typeof issuer !== "string") return;
  const url = parseUrl(issuer);
  if (url?.protocol === "http:" && isLoopbackHost(url.host)) {
    report(
      "AUTH_URL_LOOPBACK",
      path,
      "issuer is an http URL on this machine, so the Pack works only on this machine.",
      "Write the public https URL.",
    );
  } else if (url?.protocol !== "https:" || /[?#]/.test(issuer) || url.username !== "") {
    const hint = "Copy the issuer from the server's metadata, such as https://login.host.example.";
    report(
      "AUTH_ISSUER_INVALID",
      path,
      "issuer is not an https URL, or has a query or a fragment.",
      hint,
    );
  }
}

/** The format of the token request, and what the Pack adds to it. */
function checkRequest(authentication: Members, path: Path, report: Report): void {
  const {
    type,
    tokenRequestFormat,
    credentialsLocation,
    grantType,
    endpointUrl,
    requiresEndpointUrl,
  } = authentication;
  // A provider of the code flow may read nothing but the URL; the author must say so.
  const isMeant = type === "OAuth2" && credentialsLocation === "Body";
  if (tokenRequestFormat === "query" && credentialsLocation !== "AuthorizationHeader" && !isMeant) {
    const message = 'With tokenRequestFormat: "query", the URL would contain the client secret.';
    const hint = 'Add credentialsLocation: "AuthorizationHeader".';
    report(
      "AUTH_REQUEST_FORMAT",
      [...path, "tokenRequestFormat"],
      message,
      type === "OAuth2"
        ? `${hint} If the provider reads the secret only in the URL, add credentialsLocation: "Body".`
        : hint,
    );
  }
  for (const [member, reserved] of Object.entries(RESERVED_BY_MEMBER)) {
    const params = authentication[member];
    const isTokenRequest = authentication["type"] === "OAuth2ClientCredentials";
    for (const name of Object.keys(toMembers(params))) {
      if (!(isTokenRequest ? TOKEN_PARAMS : reserved).has(name.toLowerCase())) continue;
      const message = `${member} cannot set ${name}: packsmith sets this parameter.`;
      const at = [...path, member, name];
      if (name === "scope") report("AUTH_PARAM_RESERVED", at, message, "Use scopes.");
      else report("AUTH_PARAM_RESERVED", at, message, "Remove this entry.", { kind: "remove" });
    }
  }
  if (typeof grantType === "string") checkGrantType(grantType, [...path, "grantType"], report);
  const { tokenParams } = authentication;
  if (
    isRecord(tokenParams) &&
    typeof tokenParams["password"] === "string" &&
    !tokenParams["password"].includes("{")
  ) {
    const hint =
      'Replace the password with a connection variable: { name: "password", label: "Password", kind: "text", secret: true }, and write "{password}" here.';
    report(
      "AUTH_SECRET_LITERAL",
      [...path, "tokenParams", "password"],
      "The definition contains a password.",
      hint,
    );
  }
  if (endpointUrl !== undefined && requiresEndpointUrl === true) {
    const message = "endpointUrl and requiresEndpointUrl both set the account's endpoint.";
    report(
      "AUTH_ENDPOINT_CONFLICT",
      [...path, "endpointUrl"],
      message,
      "Remove one of the two options.",
    );
  }
}

function checkGrantType(grantType: string, path: Path, report: Report): void {
  if (
    !/^[A-Za-z0-9_.:-]{1,128}$/.test(grantType) ||
    grantType === "authorization_code" ||
    grantType === "refresh_token"
  ) {
    const hint =
      "Write the grant type from the provider's documentation, or remove it to use client_credentials.";
    report(
      "AUTH_GRANT_TYPE_INVALID",
      path,
      `${shortenValue(grantType)} is not a valid grant type for this authentication type.`,
      hint,
    );
  } else if (grantType === "password") {
    const hint =
      "Ask the provider for another grant type. RFC 9700 §2.4 forbids the password grant.";
    report(
      "AUTH_GRANT_TYPE_PASSWORD",
      path,
      "The password grant gives the user's password to the Pack.",
      hint,
    );
  }
}

function checkScopes({ scopes, scopeDelimiter = " " }: Members, path: Path, report: Report): void {
  if (typeof scopeDelimiter !== "string") return;
  const isLegal = [" ", ",", ";"].includes(scopeDelimiter);
  if (!isLegal) {
    const message = `scopeDelimiter is ${shortenValue(scopeDelimiter)}; it can be a space, a comma or a semicolon.`;
    report("AUTH_SCOPE_DELIMITER", [...path, "scopeDelimiter"], message, 'Write " ", "," or ";".');
  }
  toList(scopes).forEach((scope, index) => {
    if (typeof scope !== "string") return;
    const at = [...path, "scopes", index];
    if (scope.trim() === "")
      report("AUTH_SCOPE_INVALID", at, "The scope is empty.", "Remove this entry.");
    else if (isLegal && scope.includes(scopeDelimiter)) {
      const hint = "Write each scope as a separate entry, or set scopeDelimiter.";
      report(
        "AUTH_SCOPE_INVALID",
        at,
        `The scope ${shortenValue(scope)} contains the delimiter.`,
        hint,
      );
    }
  });
}

function checkCodeFlow(authentication: Members, path: Path, report: Report): void {
  const { useProofKeyForCodeExchange, pkceChallengeMethod, issuer } = authentication;
  const methodPath = [...path, "pkceChallengeMethod"];
  if (typeof pkceChallengeMethod === "string") {
    const code: IssueCode = "AUTH_PKCE_METHOD";
    if (pkceChallengeMethod !== "S256" && pkceChallengeMethod !== "plain") {
      reportUnknownValue(code, pkceChallengeMethod, ["S256", "plain"], methodPath, report);
    }
    if (useProofKeyForCodeExchange !== true) {
      const message = "pkceChallengeMethod has no effect: PKCE is off.";
      report(
        "AUTH_PKCE_METHOD_UNUSED",
        methodPath,
        message,
        "Add useProofKeyForCodeExchange: true.",
      );
    }
  } else if (
    useProofKeyForCodeExchange === undefined &&
    typeof issuer !== "string" &&
    !report.isLegacy
  ) {
    // The metadata of an issuer says whether it supports PKCE.
    // An existing Pack works without it, and its provider may refuse it: docs/migrating.md suggests
    // it once.
    const hint =
      "Add useProofKeyForCodeExchange: true. If the provider rejects PKCE, write false instead.";
    report(
      "AUTH_PKCE_MISSING",
      path,
      "The definition does not set useProofKeyForCodeExchange.",
      hint,
    );
  }
}

export function checkHeaderName(name: string, path: Path, report: Report): void {
  if (HTTP_TOKEN.test(name)) return;
  report(
    "AUTH_HEADER_NAME",
    path,
    `${shortenValue(name)} is not a valid header name.`,
    "Use only letters, digits and hyphens, as in X-Api-Key.",
  );
}

const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
  ...(["ES256", "ES384", "ES512", "EdDSA"] as const),
];

const CLIENT_AUTHENTICATIONS = ["private_key_jwt", "tls_client_auth", "secret_as_user"];

/** How a client authenticates, and what only some ways need. */
function checkClientAuthentication(authentication: Members, path: Path, report: Report): void {
  checkAuthenticationMethod(authentication, path, report);
  checkDpopPlace(authentication, path, report);
  checkSigningMembers(authentication, path, report);
}

/** In one way (RFC 6749 §2.3), with credentials that the server can know. */
function checkAuthenticationMethod(
  { clientAuthentication: method, credentialsLocation, useDynamicClientRegistration }: Members,
  path: Path,
  report: Report,
): void {
  if (method === undefined) return;
  const at = [...path, "clientAuthentication"];
  if (typeof method === "string" && !CLIENT_AUTHENTICATIONS.includes(method))
    reportUnknownValue("AUTH_CLIENT_AUTHENTICATION", method, CLIENT_AUTHENTICATIONS, at, report);
  if (credentialsLocation !== undefined)
    report(
      "AUTH_CLIENT_AUTHENTICATION_CONFLICT",
      [...path, "credentialsLocation"],
      "credentialsLocation has no effect: clientAuthentication sets how the client authenticates.",
      "Remove credentialsLocation.",
      { kind: "remove" },
    );
  if (useDynamicClientRegistration !== true) return;
  if (method !== "private_key_jwt" && method !== "tls_client_auth") return;
  const credential = method === "private_key_jwt" ? "private key" : "certificate";
  report(
    "AUTH_CLIENT_AUTHENTICATION_CONFLICT",
    at,
    `With automatic registration, the server does not know the client's ${credential}.`,
    "Remove useDynamicClientRegistration, or clientAuthentication.",
  );
}

/** A bound token has one place (RFC 9449 §7.1). */
function checkDpopPlace(
  { dpop, tokenHeaderName, tokenQueryParam, tokenPrefix }: Members,
  path: Path,
  report: Report,
): void {
  const isElsewhere = tokenHeaderName !== undefined || tokenQueryParam !== undefined;
  const hasOtherScheme = typeof tokenPrefix === "string" && !/^(?:bearer|dpop)$/i.test(tokenPrefix);
  if (dpop !== true || !(isElsewhere || hasOtherScheme)) return;
  report(
    "AUTH_DPOP_TOKEN_PLACE",
    [...path, "dpop"],
    "With dpop, packsmith sends the token in the header Authorization: DPoP <token>, but the authentication definition specifies another location.",
    "Remove dpop, or remove tokenHeaderName, tokenQueryParam and tokenPrefix.",
  );
}

/** Members that say how something is signed, only where something is signed. */
function checkSigningMembers(authentication: Members, path: Path, report: Report): void {
  const { clientAuthentication, signingAlgorithm } = authentication;
  const isUnknown =
    typeof signingAlgorithm === "string" &&
    !SIGNING_ALGORITHMS.some((name) => name === signingAlgorithm);
  for (const member of ["assertionAudience", "assertionIssuer", "signingAlgorithm"]) {
    const at = [...path, member];
    if (member === "signingAlgorithm" && isUnknown)
      reportUnknownValue(
        "AUTH_SIGNING_ALGORITHM",
        signingAlgorithm,
        SIGNING_ALGORITHMS,
        at,
        report,
      );
    else if (authentication[member] !== undefined && clientAuthentication !== "private_key_jwt")
      report(
        "AUTH_SIGNING_ALGORITHM",
        at,
        `${member} has no effect: no option needs a signature.`,
        'Add clientAuthentication: "private_key_jwt", or remove this option.',
      );
  }
}

const renewalSignalShape = z.strictObject({
  status: z.number(),
  bodyPath: optionalText,
  equals: z.optional(
    z.custom(
      (value) => ["string", "number", "boolean"].includes(typeof value),
      "text, a number, true or false",
    ),
  ),
} satisfies ShapeOf<RenewalSignal>);

/** Checks `refreshOn`: each signal can occur, and none matches every response. */
function checkRenewalSignals(authentication: Members, path: Path, report: Report): void {
  toList(authentication["refreshOn"]).forEach((entry, index) => {
    const at = [...path, "refreshOn", index];
    if (!checkShape(renewalSignalShape, entry, at, { unknownKey: "AUTH_KEY_UNKNOWN" }, report))
      return;
    const { status, bodyPath, equals } = entry;
    const refuse = (member: string, message: string, hint: string): void =>
      report("AUTH_RENEWAL_SIGNAL_INVALID", [...at, member], message, hint);
    if (typeof status !== "number") return;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      refuse("status", `${status} is not a valid response status.`, "Write a status such as 403.");
    else if (status === 401)
      refuse(
        "status",
        "packsmith always refreshes the token after the status 401.",
        "Remove this entry.",
      );
    else if (status >= 300 && status < 400)
      refuse(
        "status",
        "packsmith follows redirects, so no response has this status.",
        "Write the status of the response after the redirects.",
      );
    else if (status < 300 && bodyPath === undefined) {
      refuse(
        "status",
        `Successful responses have the status ${status}, so packsmith would send each request twice.`,
        "Add bodyPath: the path of the field in the response body that reports the expired token.",
      );
    }
    if (bodyPath === "" || (typeof bodyPath === "string" && bodyPath.split(".").includes(""))) {
      refuse(
        "bodyPath",
        "bodyPath must be a path of names separated by dots.",
        'Write a path such as "error.code".',
      );
    }
    if (equals !== undefined && bodyPath === undefined)
      refuse("equals", "equals has no effect without bodyPath.", "Add bodyPath.");
  });
}
