import type { StoredAccount } from "../accounts/account.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { isPackError, PackError } from "../errors.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import type { KnownServer } from "./authorization-server.ts";

export interface ClientChoice {
  definition: OAuth2Authentication;
  /** From the options of the command. */
  given: ClientCredentials | undefined;
  /** The account before the flow. */
  before: StoredAccount | undefined;
  known: KnownServer;
  redirectUri: string;
  nowMs: number;
}

/**
 * The client of a flow: the given one, the one whose document the definition names, or the one of
 * the account before. A client
 * never goes to another authorization server than its own.
 * @returns undefined when a client must be registered, or is missing
 */
export function chooseClient({
  definition,
  given,
  before,
  known,
  redirectUri,
  nowMs,
}: ClientChoice): ClientCredentials | undefined {
  if (given !== undefined) return given;
  const { clientMetadataUrl } = definition;
  if (clientMetadataUrl !== undefined && known.metadata?.readsClientMetadata !== false) {
    return { clientId: clientMetadataUrl, clientSecret: undefined };
  }
  const client = before?.client;
  if (client === undefined || client.clientId === "" || client.clientId === clientMetadataUrl)
    return undefined;
  const { registration } = client;
  const issuer = registration?.issuer ?? before?.server?.issuer;
  if (issuer !== undefined && known.issuer !== undefined && issuer !== known.issuer)
    return undefined;
  if (registration === undefined) return client;
  const hasExpired = registration.expiresAtMs !== undefined && registration.expiresAtMs <= nowMs;
  const wasForgotten = before?.reconnectReason?.startsWith("invalid_client") === true;
  return hasExpired || wasForgotten || !isRegistered(registration.redirectUri, redirectUri)
    ? undefined
    : client;
}

/**
 * Whether a redirect URI was registered. One that was registered without a port stands for every
 * port (RFC 8252 §7.3).
 */
function isRegistered(registered: string, redirectUri: string): boolean {
  if (registered === redirectUri) return true;
  const url = new URL(redirectUri);
  url.port = "";
  return new URL(registered).port === "" && url.href === new URL(registered).href;
}

/** Whether a server no longer knows a client that had registered there. */
export function isForgottenClient(error: unknown, client: ClientCredentials | undefined): boolean {
  return (
    client?.registration !== undefined &&
    isPackError(error, "OAUTH_TOKEN_REJECTED") &&
    error.details.error === "invalid_client"
  );
}

/**
 * The error for a flow without a client.
 * @param file the Pack
 */
export function clientMissing(file: string): PackError<"OAUTH_CLIENT_MISSING"> {
  return new PackError(
    "OAUTH_CLIENT_MISSING",
    "The client ID and secret that the provider issued are missing.",
    {
      details: undefined,
      hint: `Pass --client-id and set PACKSMITH_CLIENT_SECRET, or run the command in a terminal and enter both values. To try the Pack without a client, run packsmith provider --for ${file}, then packsmith auth connect ${file} --local.`,
    },
  );
}
