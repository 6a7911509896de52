import type { Express } from "express";
import { createSelfSignedCertificate } from "../shared/certificate/self-signed-certificate.ts";
import { listenOnLoopback } from "../shared/loopback-server.ts";
import type { Fault } from "./faults.ts";
import type { ProviderOptions } from "./options.ts";
import { Path } from "./paths.ts";
import { createProviderApp } from "./provider-app.ts";
import { createProviderState, type VirtualClock } from "./state/provider-state.ts";
import type { RecordedRequest } from "./state/recorder.ts";

/** The endpoints of a provider that ask for a TLS certificate of the client (RFC 8705). */
export interface MutualTlsEndpoints {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string;
  readonly tokenUrl: string;
  readonly revocationUrl: string;
  readonly meUrl: string;
  /** The certificate of the server as PEM, which clients have to trust. */
  readonly certificate: string;
}

/** A running local authorization server. */
export interface LocalProvider extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Its origin, unless the options name another issuer. */
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly introspectionUrl: string;
  readonly revocationUrl: string;
  readonly registrationUrl: string;
  readonly pushedRequestUrl: string;
  readonly deviceAuthorizationUrl: string;
  /** The page on which the user enters the code of a device. */
  readonly deviceUrl: string;
  /** The protected resource, which returns the user of a token. */
  readonly meUrl: string;
  /** A protected MCP server with the tools `whoami` and `echo`. */
  readonly mcpUrl: string;
  /** Where clients authenticate with TLS certificates; undefined without `mutualTlsPort`. */
  readonly mutualTls: MutualTlsEndpoints | undefined;
  /** Clock, request log, reset and faults over HTTP. */
  readonly controlUrl: string;
  /** The default client: confidential, with code, refresh and client credentials grants. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** A client that may introspect all tokens. */
  readonly resourceServer: { readonly clientId: string; readonly clientSecret: string };
  readonly clock: VirtualClock;
  /** Every request so far, without secrets; requests to `controlUrl` are left out. */
  readonly requests: readonly RecordedRequest[];
  /** The requests with a secret in their URL. */
  findSecretInUrls(): readonly RecordedRequest[];
  /** Adds faults to the next responses. */
  addFaults(...faults: Fault[]): void;
  /** Removes sessions, tokens, faults, requests and registered clients, and resets the clock. Clients of the options stay. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts a strict authorization server on 127.0.0.1 (RFC 6749, 6750, 7009, 7591, 7636, 7662, 8252, 8414, 8628, 8705, 8707, 9068, 9126, 9207, 9728).
 * @throws {PackError} PORT_IN_USE when a fixed port is taken
 */
export async function startProvider(options: ProviderOptions = {}): Promise<LocalProvider> {
  const state = createProviderState(options);
  const app = createProviderApp(state);
  const server = await listenOnLoopback(app, options.port ?? 0);
  const origin = `http://127.0.0.1:${server.port}`;
  app.locals["origin"] = origin;
  const secure = await listenForCertificates(app, options.mutualTlsPort).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  state.mutualTlsOrigin = secure?.endpoints.origin;
  const close = async () => void (await Promise.all([server.close(), secure?.close()]));
  return {
    origin,
    issuer: options.issuer ?? origin,
    authorizationUrl: origin + Path.Authorize,
    tokenUrl: origin + Path.Token,
    introspectionUrl: origin + Path.Introspect,
    revocationUrl: origin + Path.Revoke,
    registrationUrl: origin + Path.Register,
    pushedRequestUrl: origin + Path.PushedRequest,
    deviceAuthorizationUrl: origin + Path.DeviceAuthorization,
    deviceUrl: origin + Path.Device,
    meUrl: origin + Path.Me,
    mcpUrl: origin + Path.Mcp,
    mutualTls: secure?.endpoints,
    controlUrl: `${origin}/__provider`,
    clientId: state.defaultClient.clientId,
    clientSecret: state.defaultClient.clientSecret,
    resourceServer: { clientId: state.resourceServer.clientId, clientSecret: state.resourceServer.clientSecret },
    clock: state.clock,
    requests: state.recorder.requests,
    findSecretInUrls: state.recorder.findSecretInUrls,
    addFaults: (...faults) => state.faults.add(faults),
    reset: state.reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listenForCertificates(
  app: Express,
  wantedPort: number | undefined,
): Promise<{ endpoints: MutualTlsEndpoints; close(): Promise<void> } | undefined> {
  if (wantedPort === undefined) return undefined;
  const { certificate, privateKey: key } = createSelfSignedCertificate();
  const tls = { key, cert: certificate, asksForCertificate: true };
  const { port, close } = await listenOnLoopback(app, wantedPort, "127.0.0.1", tls);
  const origin = `https://127.0.0.1:${port}`;
  const urls = { tokenUrl: origin + Path.Token, revocationUrl: origin + Path.Revoke, meUrl: origin + Path.Me };
  return { endpoints: { origin, ...urls, certificate }, close };
}
