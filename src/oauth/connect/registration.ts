import { isPackError, PackError } from "../../errors.ts";
import { MAX_SECRET_LENGTH } from "../../shared/secret-matcher.ts";
import { isRecord } from "../../shared/values.ts";
import type { OAuthDefinition } from "../definition.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import { cleanProviderText } from "../token-failure.ts";
import type { ClientCredentials, RegisteredMethod } from "../token-set.ts";
import { checkUrl } from "../url-policy.ts";

export interface RegisterClientOptions extends TransportOptions {
  definition: OAuthDefinition;
  issuer: string;
  /** From the server's metadata; undefined if it has none. */
  registrationUrl: string | undefined;
  /** How clients may authenticate, from the server's metadata. @default the server does not say */
  methods?: readonly string[] | undefined;
  redirectUri: string;
  /** Shown to the person who consents. */
  clientName: string;
  scope?: string | undefined;
}

/**
 * Registers a client for one installation (RFC 7591). The server's answer decides how the client
 * authenticates and how long its
 * secret is valid. Without a secret it is a public client, which PKCE protects.
 * @throws {PackError} OAUTH_REGISTRATION_FAILED when the server has no registration endpoint or
 *   refuses
 * @throws {PackError} URL_NOT_ALLOWED
 */
export async function registerClient(options: RegisterClientOptions): Promise<ClientCredentials> {
  const { issuer, registrationUrl } = options;
  if (registrationUrl === undefined)
    throw createRefusal(issuer, "its metadata contains no registration endpoint");
  const url = checkUrl(registrationUrl).href;
  const wanted = wantedMethod(options);
  const send = createServerFetch({ ...options, purpose: "registration" });
  try {
    const response = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(clientMetadata({ ...options, method: wanted })),
    });
    const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
    if (!isRecord(answer) || typeof answer["client_id"] !== "string" || answer["client_id"] === "")
      throw createRefusal(issuer, `it returned status ${response.status} and no client ID`);
    return readClient({ ...answer, client_id: answer["client_id"] }, wanted, options);
  } catch (error) {
    if (isPackError(error, "URL_NOT_ALLOWED") || isPackError(error, "OAUTH_REGISTRATION_FAILED"))
      throw error;
    throw createRefusal(issuer, isPackError(error) ? error.message : "its response cannot be used");
  }
}

/** Reads the answer to a registration (RFC 7591 §3.2.1). */
function readClient(
  answer: Record<string, unknown> & { client_id: string },
  wanted: RegisteredMethod,
  { issuer, redirectUri, redactor }: RegisterClientOptions,
): ClientCredentials {
  const {
    client_id: clientId,
    client_secret: secret,
    token_endpoint_auth_method: answered,
    client_secret_expires_at: expiry,
  } = answer;
  const clientSecret = typeof secret === "string" && secret !== "" ? secret : undefined;
  redactor?.add(clientSecret);
  if (Math.max(clientId.length, clientSecret?.length ?? 0) > MAX_SECRET_LENGTH)
    throw createRefusal(issuer, "it returned a client ID or a client secret of more than 64 kB");
  const method = registeredMethod(answered, wanted, clientSecret);
  if (method === undefined)
    throw createRefusal(
      issuer,
      `it registered the client for ${cleanProviderText(answered)}, which needs a key`,
    );
  return {
    clientId,
    clientSecret: method === "none" ? undefined : clientSecret,
    // Seconds since the epoch; 0 means never.
    registration: {
      issuer,
      redirectUri,
      method,
      expiresAtMs:
        typeof expiry === "number" && expiry > 0 && expiry < MAX_SECONDS
          ? expiry * 1_000
          : undefined,
    },
  };
}

/** What a client says about itself: when it registers, or in its document (RFC 7591 §2). */
export function clientMetadata({
  clientName,
  redirectUri,
  scope,
  method,
}: Pick<RegisterClientOptions, "clientName" | "redirectUri" | "scope"> & {
  method: RegisteredMethod;
}): Record<string, unknown> {
  return {
    client_name: clientName,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    // OpenID Connect Registration §2: the default "web" forbids redirects to this machine.
    application_type: "native",
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Larger values are beyond the dates that JavaScript has. */
const MAX_SECONDS = 8.64e12;

/**
 * The method to ask for: the definition's; otherwise none, because every user of a Pack could read
 * a secret (RFC 8252 §8.5); if the
 * server does not list that, a secret.
 */
function wantedMethod({ definition, methods }: RegisterClientOptions): RegisteredMethod {
  if (definition.credentialsLocation === "Body") return "client_secret_post";
  if (definition.credentialsLocation === "AuthorizationHeader") return "client_secret_basic";
  // RFC 8414 §2: a server that lists nothing accepts the Authorization header.
  if (methods === undefined) return "client_secret_basic";
  return (
    (["none", "client_secret_post"] as const).find((method) => methods.includes(method)) ??
    "client_secret_basic"
  );
}

/**
 * The method of the answer, or the one that was asked for. A server that issues a secret to a
 * client that asked for none, and names no
 * method, wants it: RFC 7591 §2 makes Basic the default.
 * @returns undefined for a method that a client that registers itself cannot have
 */
function registeredMethod(
  answered: unknown,
  wanted: RegisteredMethod,
  secret: string | undefined,
): RegisteredMethod | undefined {
  if (isMethod(answered)) return answered;
  if (typeof answered === "string" && answered !== "") return undefined;
  return wanted === "none" && secret !== undefined ? "client_secret_basic" : wanted;
}

function isMethod(value: unknown): value is RegisteredMethod {
  return value === "client_secret_basic" || value === "client_secret_post" || value === "none";
}

function createRefusal(issuer: string, reason: string): PackError<"OAUTH_REGISTRATION_FAILED"> {
  return new PackError(
    "OAUTH_REGISTRATION_FAILED",
    `The server at ${issuer} did not register a client: ${reason.replace(/\.$/, "")}.`,
    {
      details: { reason },
      hint: "Check the issuer. If the provider does not register clients automatically, register a client on its website, and pass --client-id.",
    },
  );
}
