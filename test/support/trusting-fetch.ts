import { request } from "node:https";
import { connect } from "node:tls";

/**
 * `fetch` for https servers on this machine whose certificate is this one; everything else is the
 * global `fetch`.
 */
export function trustingFetch(certificate: string): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input));
    if (url.protocol !== "https:") return await fetch(input, init);
    return await new Promise<Response>((resolve, reject) => {
      const sent = request(
        url,
        {
          method: init.method ?? "GET",
          headers: Object.fromEntries(new Headers(init.headers)),
          ca: certificate,
          agent: false,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () => {
            const headers = new Headers();
            for (const [name, values] of Object.entries(answer.headersDistinct))
              for (const value of values ?? []) headers.append(name, value);
            resolve(
              new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers }),
            );
          });
        },
      );
      sent.on("error", reject);
      sent.end(init.body === undefined || init.body === null ? undefined : String(init.body));
    });
  };
}

/** The certificate that a server shows, whoever signed it: PEM and fingerprint. */
export function shownCertificate(
  port: number,
  host = "127.0.0.1",
): Promise<{ certificate: string; fingerprint: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      const { raw, fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      const certificate = `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`;
      resolve({ certificate, fingerprint: fingerprint256 });
    });
    socket.on("error", reject);
  });
}
