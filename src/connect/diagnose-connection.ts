import { isPackError, PackError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import { createLocator } from "../validate/positions.ts";
import { editDefinition } from "./definition-edit.ts";
import { findNeeds } from "./find-needs.ts";
import type { FlowEvent } from "./flow-event.ts";

/** Adds to an error the section of the standard and the line of the definition that it is about. */
export type ConnectionDiagnosis = (error: PackError) => PackError;

export interface FailedConnection {
  /** Where the Pack's definition holds the authentication, such as `["defaultAuthentication"]`. */
  path: readonly (string | number)[];
  definition: OAuthDefinition;
  /** What has happened until now. */
  events: readonly FlowEvent[];
}

export function createConnectionDiagnosis(
  { definition: packDefinition, bundle }: Pack,
  { path, definition, events }: FailedConnection,
): ConnectionDiagnosis {
  return (error) => {
    const diagnosis = error.place === undefined ? diagnose(error) : undefined;
    if (diagnosis === undefined) return error;
    const { position } = createLocator(packDefinition, bundle.sources);
    const place = position(
      diagnosis.member === undefined ? [...path] : [...path, diagnosis.member],
    );
    const { code, message, details, hint, cause, stack } = error;
    const diagnosed = new PackError(code, message, {
      details,
      hint: hintForEdit(definition, findNeeds(error, definition, events)) ?? diagnosis.hint ?? hint,
      rule: diagnosis.rule,
      place,
      cause,
    });
    // --debug shows where the error was thrown first.
    if (stack !== undefined) diagnosed.stack = stack;
    return diagnosed;
  };
}

function hintForEdit(
  definition: OAuthDefinition,
  needed: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const edit = needed === undefined ? undefined : editDefinition(definition, needed);
  return edit === undefined
    ? undefined
    : `Edit the authentication in the Pack: ${edit.text}. Then connect again.`;
}

/** What an error of a connection is about. */
export interface Diagnosis {
  /** The section of the standard, such as "RFC 6749 §5.2". */
  rule?: string | undefined;
  /** The member of the definition to look at. */
  member?: string | undefined;
  /** A better hint, if the provider's text says more than its error code. */
  hint?: string | undefined;
}

/**
 * Finds the section of the standard and the member of the definition that an error is about.
 * @returns undefined if the error has nothing to do with the definition
 */
export function diagnose(error: PackError): Diagnosis | undefined {
  if (isPackError(error, "OAUTH_DENIED"))
    return ofProviderError(error.details, AUTHORIZATION_ERROR);
  if (isPackError(error, "OAUTH_TOKEN_REJECTED")) {
    // A used-up code comes from the same mistake.
    if (error.hint?.includes("credentialsLocation"))
      return { rule: TOKEN_ERROR, member: "credentialsLocation" };
    return ofProviderError(error.details, TOKEN_ERROR);
  }
  if (isPackError(error, "OAUTH_TOKEN_RESPONSE_INVALID")) {
    const { status, reason } = error.details;
    if (status >= 300 && status < 400) return { rule: "RFC 9700 §4.12", member: "tokenUrl" };
    if (reason.includes("ID Token"))
      return { rule: "OpenID Connect Core §3.1.3.7", member: "issuer" };
    if (reason.includes("DPoP")) return { rule: "RFC 9449 §5", member: "dpop" };
    return { rule: "RFC 6749 §5.1", member: "nestedResponseKey" };
  }
  if (isPackError(error, "OAUTH_TOKEN_UNAVAILABLE"))
    return { rule: ofStatus(error.details.status), member: "tokenUrl" };
  if (isPackError(error, "OAUTH_CALLBACK_INVALID")) {
    const { reason } = error.details;
    if (reason.includes("appears twice"))
      return { rule: "RFC 6749 §3.1", member: "authorizationUrl" };
    // The reason begins with a name only for parameters that the definition declares.
    return {
      rule: "RFC 6749 §4.1.2",
      member: reason.startsWith('"') ? "callbackParams" : "authorizationUrl",
    };
  }
  if (isPackError(error, "OAUTH_URL_MISSING")) return { member: error.details.member };
  if (isPackError(error, "ENDPOINT_MISSING")) {
    return { member: error.details.key === undefined ? "requiresEndpointUrl" : "endpointKey" };
  }
  return BY_CODE[error.code];
}

const AUTHORIZATION_ERROR = "RFC 6749 §4.1.2.1";
const TOKEN_ERROR = "RFC 6749 §5.2";

const BY_CODE: Readonly<Record<string, Diagnosis>> = {
  OAUTH_CLIENT_MISSING: { rule: "RFC 6749 §2.2" },
  OAUTH_CONNECT_TIMEOUT: { rule: "RFC 6749 §3.1.2", member: "authorizationUrl" },
  OAUTH_DISCOVERY_FAILED: { rule: "RFC 8414 §3.3", member: "issuer" },
  OAUTH_ISSUER_MISMATCH: { rule: "RFC 9207 §2.4", member: "issuer" },
  OAUTH_PARAMETER_RESERVED: { rule: "RFC 6749 §4.1.1", member: "additionalParams" },
  OAUTH_REGISTRATION_FAILED: { rule: "RFC 7591 §3.2.2", member: "useDynamicClientRegistration" },
  OAUTH_STATE_MISMATCH: { rule: "RFC 6749 §10.12", member: "authorizationUrl" },
  OAUTH_TOKEN_TIMEOUT: { member: "tokenUrl" },
  URL_NOT_ALLOWED: { rule: "RFC 9700 §2.6", member: "tokenUrl" },
  ENDPOINT_INVALID: { member: "requiresEndpointUrl" },
  ENDPOINT_OUTSIDE_DOMAIN: { member: "endpointDomain" },
  CONNECTION_VARIABLE_MISSING: { member: "connectionVariables" },
  CONNECTION_VARIABLE_INVALID: { member: "connectionVariables" },
  POST_SETUP_CHOICE: { member: "postSetup" },
};

interface ProviderError {
  error: string;
  description: string | undefined;
}

function ofProviderError({ error, description }: ProviderError, rule: string): Diagnosis {
  if (/code_challenge|code_verifier|pkce|proof key/i.test(description ?? "")) {
    return {
      rule: rule === TOKEN_ERROR ? "RFC 7636 §4.6" : "RFC 7636 §4.4.1",
      member: "useProofKeyForCodeExchange",
      hint: PROOF_KEY_HINT,
    };
  }
  if (/\bPAR\b|pushed authorization/i.test(description ?? ""))
    return { rule: "RFC 9126 §5", member: "pushedAuthorizationUrl", hint: PUSHED_HINT };
  switch (error) {
    case "invalid_dpop_proof":
    case "use_dpop_nonce":
      return { rule: "RFC 9449 §5", member: "dpop" };
    case "invalid_scope":
      return { rule: "RFC 6749 §3.3", member: "scopes" };
    case "invalid_target":
      return { rule: "RFC 8707 §2", member: "resource" };
    case "unsupported_response_type":
      return { rule, member: "additionalParams" };
    default:
      return { rule };
  }
}

const PROOF_KEY_HINT =
  "If the provider requires a code challenge, set useProofKeyForCodeExchange to true. If the provider rejects code challenges, set the option to false. To change the method, set pkceChallengeMethod.";

const PUSHED_HINT =
  "If the provider requires pushed authorization requests, add pushedAuthorizationUrl to the authentication definition. Or replace the URLs in the definition with issuer.";

function ofStatus(status: number | undefined): string | undefined {
  if (status === undefined) return undefined;
  return status === 429 ? "RFC 6585 §4" : "RFC 9110 §15.6";
}
