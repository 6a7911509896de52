import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceState } from "../state.ts";
import { HttpError } from "./http-error.ts";

/** The scopes of an authorization server's tokens that the API knows. */
export const READ_SCOPE = "docs:read";
export const WRITE_SCOPE = "docs:write";
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** What the API publishes about itself (RFC 9728 §2), if it accepts the tokens of an authorization server. */
export function resourceMetadata(state: ServiceState, request: IncomingMessage, apiPath: string): object {
  if (state.introspection === undefined) throw new HttpError(404);
  const { url, issuer = new URL(url).origin } = state.introspection;
  return {
    resource: originOf(state, request) + apiPath,
    authorization_servers: [issuer],
    scopes_supported: [READ_SCOPE, WRITE_SCOPE],
    bearer_methods_supported: ["header"],
  };
}

/** Where the metadata of the API is: its path comes after the well-known one (RFC 9728 §3.1). */
export function metadataPath(apiPath: string): string {
  return WELL_KNOWN + apiPath;
}

/** Tells a client of an authorization server where to get a token, or which scope it needs (RFC 6750 §3, RFC 9728 §5.1). */
export function challenge(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
  { apiPath, missingScope }: { apiPath: string; missingScope?: string },
): void {
  if (state.introspection === undefined) return;
  const error =
    missingScope !== undefined
      ? `error="insufficient_scope", scope="${missingScope}", `
      : request.headers.authorization === undefined
        ? ""
        : 'error="invalid_token", ';
  response.setHeader("WWW-Authenticate", `Bearer ${error}resource_metadata="${originOf(state, request)}${metadataPath(apiPath)}"`);
}

function originOf({ settings: { publicUrl } }: ServiceState, { headers }: IncomingMessage): string {
  return publicUrl === undefined ? `http://${headers.host}` : new URL(publicUrl).origin;
}
