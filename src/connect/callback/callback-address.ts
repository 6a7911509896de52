import type { Express } from "express";
import type { RedirectChoice } from "../../accounts/account-summary.ts";
import { isPackError } from "../../errors.ts";
import { createSelfSignedCertificate } from "../../shared/certificate/self-signed-certificate.ts";
import { type LoopbackServer, listenOnLoopback } from "../../shared/loopback-server.ts";
import { parseRedirectUri } from "../redirect-path.ts";

/** Where the callback server is reached: by the browser, and by the provider's redirect. */
export interface CallbackAddress {
  /** The origin of the redirect URI, also when a tunnel or proxy leads to this server. */
  readonly origin: string;
  /**
   * The URI to register with the provider. It comes from configuration, never from a request's
   * `Host`.
   */
  readonly redirectUri: string;
  readonly redirectPath: string;
  /** The exact `Host` headers that are served. */
  readonly hosts: ReadonlySet<string>;
  /** The certificate's SHA-256 fingerprint, if the server has one. */
  readonly fingerprint: string | undefined;
  close(): Promise<void>;
}

export interface CallbackAddressOptions extends RedirectChoice {
  /** Path of the redirect URI. @default "/oauth/callback" */
  redirectPath?: string | undefined;
}

/** @throws {PackError} PORT_IN_USE */
export async function openCallbackAddress(
  app: Express,
  { redirectHost = "127.0.0.1", ...options }: CallbackAddressOptions,
): Promise<CallbackAddress> {
  const outside =
    options.redirectUri === undefined ? undefined : parseRedirectUri(options.redirectUri);
  const redirectPath = outside?.pathname ?? options.redirectPath ?? "/oauth/callback";
  const certificate = options.https === true ? createSelfSignedCertificate() : undefined;
  const tls =
    certificate === undefined
      ? undefined
      : { key: certificate.privateKey, cert: certificate.certificate };
  const servers = await listenOnFirst(
    (port) => listen(app, redirectHost, port, tls),
    options.ports ?? [options.port ?? 0],
  );
  const { port } = servers[0];
  const names = redirectHost === "localhost" ? ["localhost", "127.0.0.1", "[::1]"] : ["127.0.0.1"];
  const hosts = new Set(names.map((name) => `${name}:${port}`));
  if (outside !== undefined) hosts.add(outside.host);
  const scheme = tls === undefined ? "http" : "https";
  const origin = outside?.origin ?? `${scheme}://${redirectHost}:${port}`;
  return {
    origin,
    redirectUri: options.redirectUri ?? `${origin}${redirectPath}`,
    redirectPath,
    hosts,
    fingerprint: certificate?.fingerprint,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

/** Goes on to the next port only if the caller named several. */
async function listenOnFirst(
  listenOn: (port: number) => Promise<Servers>,
  [port = 0, ...others]: readonly number[],
): Promise<Servers> {
  try {
    return await listenOn(port);
  } catch (error) {
    if (others.length === 0 || !isPackError(error, "PORT_IN_USE")) throw error;
    return await listenOnFirst(listenOn, others);
  }
}

type Servers = [LoopbackServer, ...LoopbackServer[]];

async function listen(
  app: Express,
  host: "127.0.0.1" | "localhost",
  port: number,
  tls: { key: string; cert: string } | undefined,
): Promise<Servers> {
  const first = await listenOnLoopback(app, port, "127.0.0.1", tls);
  if (host === "127.0.0.1") return [first];
  try {
    return [first, await listenOnLoopback(app, first.port, "::1", tls)];
  } catch (error) {
    // The machine has no IPv6.
    if (!isPackError(error)) return [first];
    await first.close();
    throw error;
  }
}
