import type { Express } from "express";
import { createSelfSignedCertificate } from "../shared/certificate/self-signed-certificate.ts";
import { listenOnLoopback } from "../shared/loopback-server.ts";
import type { Fault } from "./faults.ts";
import type { IssuerSummary, MutualTlsEndpoints } from "./issuer-summary.ts";
import type { IssuerOptions, ProviderOptions } from "./options.ts";
import { isIssuerPath, Path } from "./paths.ts";
import { createProviderApp } from "./provider-app.ts";
import { createProviderState, type ProviderState } from "./state/provider-state.ts";
import type { RecordedRequest } from "./state/recorder.ts";
import type { VirtualClock } from "./state/virtual-clock.ts";

/** An issuer of a running local authorization server. */
export interface LocalIssuer extends Readonly<IssuerSummary> {
  readonly clock: VirtualClock;
  /**
   * Every request so far, without secrets; requests to `controlUrl` are left out. Paths are below
   * the issuer.
   */
  readonly requests: readonly RecordedRequest[];
  /** The requests with a secret in their URL. */
  findSecretInUrls(): readonly RecordedRequest[];
  /** Adds faults to the next responses. */
  addFaults(...faults: Fault[]): void;
  /**
   * Removes sessions, tokens, faults, requests and registered clients, and resets the clock.
   * Clients of the options stay.
   */
  reset(): void;
}

/** A running local authorization server. */
export interface LocalProvider extends LocalIssuer, AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The issuers of the options, by path. */
  readonly issuers: Readonly<Record<string, LocalIssuer>>;
  close(): Promise<void>;
}

/**
 * Starts a strict authorization server on 127.0.0.1 (RFC 6749, 6750, 7009, 7591, 7636, 7662, 8252,
 * 8414, 8628, 8705, 8707, 9068, 9126, 9207, 9728).
 * @throws {PackError} PORT_IN_USE when a fixed port is taken
 */
export async function startProvider(options: ProviderOptions = {}): Promise<LocalProvider> {
  const below = Object.entries(options.issuers ?? {}).map(([path, own]) =>
    createBelow(options, path, own),
  );
  const state = createProviderState(options);
  const app = createProviderApp(state, new Map(below.map(({ path, app }) => [path, app])));
  const all = [{ path: "", state, app }, ...below];
  const server = await listenOnLoopback(app, options.port ?? 0);
  const origin = `http://127.0.0.1:${server.port}`;
  for (const issuer of all) issuer.app.locals["origin"] = origin;
  const secure = await listenForCertificates(app, options.mutualTlsPort).catch(
    async (error: unknown) => {
      await server.close();
      throw error;
    },
  );
  for (const issuer of all)
    issuer.state.mutualTlsBase = secure === undefined ? undefined : secure.origin + issuer.path;
  const close = async () => void (await Promise.all([server.close(), secure?.close()]));
  return {
    ...describeIssuer(state, origin, secure?.certificate),
    origin,
    issuers: Object.fromEntries(
      below.map(({ path, state }) => [
        path,
        describeIssuer(state, origin + path, secure?.certificate),
      ]),
    ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws {TypeError} for a path that cannot be one */
function createBelow({ issuer, issuers }: ProviderOptions, path: string, options: IssuerOptions) {
  if (!isIssuerPath(path, Object.keys(issuers ?? {})))
    throw new TypeError(`"${path}" cannot be the path of an issuer.`);
  const named = issuer === undefined ? {} : { issuer: new URL(issuer).origin + path };
  const state = createProviderState({ ...options, ...named }, path);
  return { path, state, app: createProviderApp(state) };
}

/** @param base the URL that its endpoints begin with */
function describeIssuer(
  state: ProviderState,
  base: string,
  certificate: string | undefined,
): LocalIssuer {
  const { defaultClient, resourceServer, mutualTlsBase } = state;
  return {
    issuer: state.policy.issuer ?? base,
    authorizationUrl: base + Path.Authorize,
    tokenUrl: base + Path.Token,
    introspectionUrl: base + Path.Introspect,
    revocationUrl: base + Path.Revoke,
    registrationUrl: base + Path.Register,
    pushedRequestUrl: base + Path.PushedRequest,
    deviceAuthorizationUrl: base + Path.DeviceAuthorization,
    deviceUrl: base + Path.Device,
    meUrl: base + Path.Me,
    mcpUrl: base + Path.Mcp,
    mutualTls:
      mutualTlsBase === undefined || certificate === undefined
        ? undefined
        : describeMutualTls(mutualTlsBase, certificate),
    controlUrl: `${base}/__provider/${state.controlKey}`,
    clientId: defaultClient.clientId,
    clientSecret: defaultClient.clientSecret,
    resourceServer: {
      clientId: resourceServer.clientId,
      clientSecret: resourceServer.clientSecret,
    },
    clock: state.clock,
    requests: state.recorder.requests,
    findSecretInUrls: state.recorder.findSecretInUrls,
    addFaults: (...faults) => state.faults.add(faults),
    reset: state.reset,
  };
}

function describeMutualTls(base: string, certificate: string): MutualTlsEndpoints {
  const urls = {
    tokenUrl: base + Path.Token,
    revocationUrl: base + Path.Revoke,
    meUrl: base + Path.Me,
  };
  return { origin: new URL(base).origin, ...urls, certificate };
}

async function listenForCertificates(
  app: Express,
  wantedPort: number | undefined,
): Promise<{ origin: string; certificate: string; close(): Promise<void> } | undefined> {
  if (wantedPort === undefined) return undefined;
  const { certificate, privateKey: key } = createSelfSignedCertificate();
  const tls = { key, cert: certificate, asksForCertificate: true };
  const { port, close } = await listenOnLoopback(app, wantedPort, "127.0.0.1", tls);
  return { origin: `https://127.0.0.1:${port}`, certificate, close };
}
