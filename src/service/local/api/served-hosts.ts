import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { parseUrl } from "../../../shared/urls.ts";

/** Whether the service answers for the host of a request. */
export type HostCheck = (request: IncomingMessage) => boolean;

/**
 * A name on the internet can point at this machine, and a web page of it could then talk to the
 * service (DNS rebinding). So only addresses of the service, the public host, and the hosts of its
 * certificate are answered.
 * @param certificate PEM
 */
export function createHostCheck({
  publicUrl,
  certificate,
}: {
  publicUrl: string | undefined;
  certificate: string | undefined;
}): HostCheck {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const shown = certificate === undefined ? undefined : new X509Certificate(certificate);
  return ({ headers: { host = "" }, socket }) => {
    // A request without a socket comes from this process.
    if (socket.localPort === undefined) return true;
    const own = ["127.0.0.1", "localhost", "[::1]", formatAddress(socket.localAddress)];
    return (
      host === publicHost ||
      own.some((name) => host === `${name}:${socket.localPort}`) ||
      (shown !== undefined && isNamed(shown, host))
    );
  };
}

/** What a Host header may be: a name or an address, perhaps with a port. */
export const HOST_HEADER = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** An address as URLs have it. */
function formatAddress(address = ""): string {
  const plain = address.replace(/^::ffff:/, "");
  return isIP(plain) === 6 ? `[${plain}]` : plain;
}

function isNamed(certificate: X509Certificate, host: string): boolean {
  const url = HOST_HEADER.test(host) ? parseUrl(`https://${host}`) : undefined;
  if (url === undefined) return false;
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}
