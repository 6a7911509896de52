import type { RequestListener } from "node:http";
import { usageError } from "../../errors.ts";
import {
  type LoopbackServer,
  type LoopbackTls,
  listenOnAddress,
  listenOnLoopback,
} from "../../shared/loopback-server.ts";
import { parseUrl } from "../../shared/urls.ts";

/** Where the service listens, and what encrypts the requests of other machines. */
interface Reach {
  /** An address or a name of this machine; `0.0.0.0` and `::` are all of them. */
  host: string;
  port: number;
  tls: LoopbackTls | undefined;
  /** The origin of a load balancer in front, if there is one. */
  publicUrl: string | undefined;
}

/** @throws {PackError} USAGE_INVALID when other machines could reach the service without TLS */
export function requireEncryption({ host, tls, publicUrl }: Omit<Reach, "port">): void {
  if (isThisMachineOnly(host) || tls !== undefined || isHttps(publicUrl)) return;
  throw usageError(
    `Other machines can reach ${host}, and the responses would not be encrypted.`,
    "Pass the https address of the load balancer with --public-url, or a certificate with --certificate and --key.",
  );
}

/**
 * Listens on 127.0.0.1, where the control plane is, and on `host`.
 * @throws {PackError} PORT_IN_USE; USAGE_INVALID when this machine has no such address
 */
export async function listenForService(
  app: RequestListener,
  { host, port, tls }: Omit<Reach, "publicUrl">,
): Promise<Pick<LoopbackServer, "port" | "close">> {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (address === "0.0.0.0" || address === "::")
    return await listenOnAddress(app, { port, host: address, tls });
  const own = await listenOnLoopback(app, port, "127.0.0.1", tls);
  if (address === "127.0.0.1" || address === "localhost") return own;
  try {
    const other = await listenOnAddress(app, { port: own.port, host: address, tls });
    return {
      port: own.port,
      close: async () => void (await Promise.all([own.close(), other.close()])),
    };
  } catch (error) {
    await own.close();
    throw error;
  }
}

/** Whether only programs on this machine can reach a host. */
export function isThisMachineOnly(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Whether a load balancer in front speaks https. */
function isHttps(publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && parseUrl(publicUrl)?.protocol === "https:";
}
