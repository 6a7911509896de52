import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { ServiceState } from "../state.ts";
import { HttpError } from "./http-error.ts";
import { HOST_HEADER } from "./served-hosts.ts";

/** Where the versioned API begins. */
export const API_PATH = "/apis/v1";
/** The scopes of an authorization server's tokens that the API knows. */
export const READ_SCOPE = "docs:read";
export const WRITE_SCOPE = "docs:write";

/**
 * What the API publishes about itself (RFC 9728 §2), if it accepts the tokens of an authorization
 * server.
 */
export function resourceMetadata(state: ServiceState, request: IncomingMessage): object {
  if (state.introspection === undefined) throw new HttpError(404);
  const { url, issuer = new URL(url).origin } = state.introspection;
  return {
    resource: getOrigin(state, request) + API_PATH,
    authorization_servers: [issuer],
    scopes_supported: [READ_SCOPE, WRITE_SCOPE],
    bearer_methods_supported: ["header"],
  };
}

/** Where the metadata of the API is: its path comes after the well-known one (RFC 9728 §3.1). */
export const METADATA_PATH = `/.well-known/oauth-protected-resource${API_PATH}`;

/**
 * Tells a client of an authorization server where to get a token, or which scope it needs (RFC 6750
 * §3, RFC 9728 §5.1).
 */
export function challenge(
  state: ServiceState,
  request: IncomingMessage,
  response: ServerResponse,
  missingScope?: string,
): void {
  if (state.introspection === undefined) return;
  const error =
    missingScope !== undefined
      ? `error="insufficient_scope", scope="${missingScope}", `
      : request.headers.authorization === undefined
        ? ""
        : 'error="invalid_token", ';
  response.setHeader(
    "WWW-Authenticate",
    `Bearer ${error}resource_metadata="${getOrigin(state, request)}${METADATA_PATH}"`,
  );
}

/** Links have the host that the caller used, if it is a valid one. */
export function getOrigin(
  { settings: { publicUrl } }: ServiceState,
  { headers: { host }, socket }: IncomingMessage,
): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const isValid = host !== undefined && HOST_HEADER.test(host);
  return `${socket instanceof TLSSocket ? "https" : "http"}://${isValid ? host : `127.0.0.1:${socket.localPort}`}`;
}
