import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import { OAuthError } from "../answer.ts";
import type { GrantType, ProviderClient } from "../options.ts";
import type { ProviderState } from "../state/provider-state.ts";
import { parseScope } from "./parameters.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Makes a client known whose ID is the URL of a document about it (OAuth Client ID Metadata
 * Document). The document comes from the
 * provider's options, or from this machine: a local provider sends no requests to other hosts.
 * @throws {OAuthError} invalid_client when the document is not there, or not of this client
 */
export async function learnClient(state: ProviderState, clientId: string): Promise<void> {
  if (!isDocumentUrl(clientId) || state.configured.has(clientId)) return;
  const { clientDocuments } = state.policy;
  const document = Object.hasOwn(clientDocuments, clientId)
    ? clientDocuments[clientId]
    : await download(clientId);
  state.clients.set(clientId, readDocument(document, clientId));
}

/** An https URL with a path, or an http one on this machine. */
function isDocumentUrl(text: string): boolean {
  if (!canParseUrl(text) || text.includes("#")) return false;
  const { protocol, hostname, pathname, username, password } = new URL(text);
  const isSecure = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  return isSecure && pathname !== "/" && username === "" && password === "";
}

async function download(url: string): Promise<unknown> {
  if (!LOOPBACK.has(new URL(url).hostname))
    throw createRefusal("This server reads client metadata documents only from this machine.");
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: "application/json" },
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw createRefusal("The client metadata document is too large.");
      chunks.push(chunk);
    }
    if (response.status !== 200)
      throw createRefusal(
        `The request for the client metadata document returned status ${response.status}.`,
      );
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw error instanceof OAuthError
      ? error
      : createRefusal("The client metadata document cannot be read.");
  }
}

function readDocument(document: unknown, clientId: string): ProviderClient {
  if (!isRecord(document))
    throw createRefusal("The client metadata document is not a JSON object.");
  const {
    client_id,
    client_name,
    redirect_uris,
    grant_types,
    scope,
    token_endpoint_auth_method: method = "none",
    client_secret,
  } = document;
  if (client_id !== clientId)
    throw createRefusal("client_id in the client document is not the URL of the document.");
  if (client_secret !== undefined || method !== "none")
    throw createRefusal("A client with a client metadata document cannot have a secret.");
  if (!isTexts(redirect_uris) || redirect_uris.length === 0)
    throw createRefusal("redirect_uris is missing in the client document.");
  return {
    clientId,
    ...(typeof client_name === "string" ? { name: client_name.slice(0, 200) } : {}),
    redirectUris: redirect_uris,
    grantTypes: (isTexts(grant_types) ? grant_types : ["authorization_code"]) as GrantType[],
    authenticationMethods: ["none"],
    ...(typeof scope === "string" && scope !== "" ? { scopes: parseScope(scope) } : {}),
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function createRefusal(description: string): OAuthError {
  return new OAuthError("invalid_client", description, 400);
}
