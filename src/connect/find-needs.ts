import { isPackError, type PackError } from "../errors.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { FlowEvent } from "./flow-event.ts";

/** Stands for a value that only the author's client has. */
export const CLIENT_ID_VALUE = "<your client ID>";
/** Stands for a value that only the provider's documentation names. */
export const DOCUMENTED_VALUE = "<the value in the provider's documentation>";

type Needs = Readonly<Record<string, unknown>>;

/** What the provider said, and when. */
interface Refusal {
  request: "authorization" | "token";
  /** Undefined for a page of the provider. */
  error: string | undefined;
  text: string;
  definition: OAuthDefinition;
  /** Names of the parameters of the redirect. */
  callback: readonly string[];
}

/**
 * Finds the members that a definition needs for its provider, as far as the failure of a connection
 * shows them. Another issuer in the redirect is never one of them: it may be an attack.
 * @param events what happened before
 */
export function findNeeds(
  error: PackError,
  definition: OAuthDefinition,
  events: readonly FlowEvent[],
): Needs | undefined {
  const callback = readCallbackNames(events);
  const facts = { definition, callback };
  if (isPackError(error, "OAUTH_CALLBACK_INVALID"))
    return error.details.reason.includes("neither a code") ? findCodeName(callback) : undefined;
  if (isPackError(error, "OAUTH_TOKEN_RESPONSE_INVALID"))
    return findTokenMember(error.details.tokenPath, definition);
  if (isPackError(error, "OAUTH_DENIED")) {
    const { error: code, description: text = "" } = error.details;
    return findInText({ ...facts, request: "authorization", error: code, text });
  }
  if (isPackError(error, "OAUTH_TOKEN_REJECTED")) {
    const { error: code, description: text = "" } = error.details;
    // An earlier attempt used up the code, and the hint begins with the right place.
    const location = /^Set credentialsLocation: "(\w+)"/.exec(error.hint ?? "")?.[1];
    if (location !== undefined) return { credentialsLocation: location };
    return findInText({ ...facts, request: "token", error: code, text });
  }
  return undefined;
}

function readCallbackNames(events: readonly FlowEvent[]): string[] {
  const facts = events.findLast(({ step }) => step === "callback")?.facts ?? {};
  return facts["< parameters"]?.split(", ") ?? [];
}

function findCodeName(callback: readonly string[]): Needs | undefined {
  const name = callback.find((each) => /(?:^|_)code$/i.test(each) && each !== "code");
  return name === undefined ? undefined : { codeParamName: name };
}

function findTokenMember(path: string | undefined, definition: OAuthDefinition): Needs | undefined {
  if (path === undefined) return undefined;
  const names = path.split(".");
  const name = names.pop();
  const container = names.join(".");
  return {
    ...(container === (definition.nestedResponseKey ?? "")
      ? {}
      : { nestedResponseKey: container === "" ? undefined : container }),
    // Both are read without a word of the definition.
    ...(name === "access_token" || name === "accessToken"
      ? {}
      : { tokenResponse: { accessToken: name } }),
  };
}

function findInText(refusal: Refusal): Needs | undefined {
  for (const find of RULES) {
    const needs = find(refusal);
    if (needs !== undefined) return needs;
  }
  return undefined;
}

/** The first rule that applies decides. */
const RULES: readonly ((refusal: Refusal) => Needs | undefined)[] = [
  findProofKey,
  findScopeDelimiter,
  findRequestFormat,
  findSecretPlace,
  findHeader,
  findParameter,
  ({ error, definition }) =>
    error === "unsupported_grant_type" && definition.type === "OAuth2ClientCredentials"
      ? { grantType: DOCUMENTED_VALUE }
      : undefined,
];

function findProofKey({ text, definition }: Refusal): Needs | undefined {
  if (definition.type !== "OAuth2") return undefined;
  const method = /code_challenge_method must be (S256|plain)\b/i.exec(text)?.[1];
  if (method !== undefined)
    return {
      useProofKeyForCodeExchange: true,
      pkceChallengeMethod: /plain/i.test(method) ? "plain" : undefined,
    };
  if (!/code_challenge|pkce|proof key/i.test(text)) return undefined;
  if (/\b(?:not (?:allowed|supported|accepted)|unsupported)\b/i.test(text))
    return { useProofKeyForCodeExchange: false, pkceChallengeMethod: undefined };
  return /\b(?:required?|requires|missing|must)\b/i.test(text)
    ? { useProofKeyForCodeExchange: true }
    : undefined;
}

function findScopeDelimiter({ text }: Refusal): Needs | undefined {
  if (!/\bscopes?\b/i.test(text)) return undefined;
  return /\b(?:separated?|delimited)(?: scopes)? (?:by|with) (?:a )?(?:,|commas?\b)|comma[- ](?:separated|delimited)/i.test(
    text,
  )
    ? { scopeDelimiter: "," }
    : undefined;
}

function findRequestFormat({ request, text }: Refusal): Needs | undefined {
  if (request !== "token") return undefined;
  if (/\bmust be (?:sent as )?(?:application\/)?json\b/i.test(text))
    return { tokenRequestFormat: "json" };
  return /\bparameters (?:belong|must be|are expected) in the (?:url|query)/i.test(text)
    ? { tokenRequestFormat: "query", credentialsLocation: "AuthorizationHeader" }
    : undefined;
}

function findSecretPlace({ request, text }: Refusal): Needs | undefined {
  return request === "token" &&
    /\bsecret\b.*\bas the user ?name|\bsecret must be the user ?name/i.test(text)
    ? { clientAuthentication: "secret_as_user", credentialsLocation: undefined }
    : undefined;
}

function findHeader({ request, text }: Refusal): Needs | undefined {
  const name =
    /\bheader:? ["'`]?([\w-]+)["'`]? (?:is|was) (?:missing|required)/i.exec(text)?.[1] ??
    /\b(?:missing|requires?|required) (?:the )?header:? ["'`]?([\w-]+)/i.exec(text)?.[1];
  if (request !== "token" || name === undefined) return undefined;
  return /^authorization$/i.test(name)
    ? { credentialsLocation: "AuthorizationHeader" }
    : { tokenHeaders: { [name]: DOCUMENTED_VALUE } };
}

function findParameter({ request, text, callback, error }: Refusal): Needs | undefined {
  const name = readMissingName(text);
  if (error !== "invalid_request" || name === undefined) return undefined;
  if (request === "authorization") {
    if (SENT_TO_AUTHORIZE.has(name)) return undefined;
    const isClient = /^(?:client|app)_?(?:id|key)$/i.test(name);
    return { additionalParams: { [name]: isClient ? CLIENT_ID_VALUE : DOCUMENTED_VALUE } };
  }
  if (SENT_FOR_TOKENS.has(name)) return undefined;
  if (name === "state") return { tokenParams: { state: "{state}" } };
  return callback.includes(name)
    ? { callbackParams: [name], tokenParams: { [name]: `{callback.${name}}` } }
    : { tokenParams: { [name]: DOCUMENTED_VALUE } };
}

const SENT_TO_AUTHORIZE: ReadonlySet<string> = new Set([
  ...["client_id", "redirect_uri", "response_type", "scope", "state"],
]);
const SENT_FOR_TOKENS: ReadonlySet<string> = new Set([
  ...["client_id", "client_secret", "code", "code_verifier"],
  ...["grant_type", "redirect_uri", "refresh_token"],
]);

/** The parameter that a provider misses, in the forms that servers write. */
function readMissingName(text: string): string | undefined {
  for (const form of MISSING_FORMS) {
    const name = form.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

const MISSING_FORMS = [
  /\b(?:parameter|field):? ["'`]?([\w.-]+)["'`]? (?:is|was) (?:missing|required)/i,
  /\bmissing (?:a |the )?(?:required |mandatory )?(?:parameter|field)s?: ["'`]?([\w.-]*\w)/i,
  /["'`]([\w.-]+)["'`] (?:parameter |field )?(?:is|was) (?:missing|required)/i,
  /^([\w-]+) (?:parameter )?(?:is|was) (?:missing|required)\b/i,
];
