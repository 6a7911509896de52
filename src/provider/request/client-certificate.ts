import { X509Certificate } from "node:crypto";
import { TLSSocket } from "node:tls";
import type { Request } from "express";
import { sha256 } from "../../shared/crypto.ts";

/**
 * The TLS certificate of a client. The handshake has proved that the client holds its private key.
 */
export interface PresentedCertificate {
  /** SHA-256 of the DER as base64url (`x5t#S256`, RFC 8705 §3.1). */
  thumbprint: string;
  validFromMs: number;
  validToMs: number;
}

/**
 * The certificate that the client showed in the TLS handshake of a request; undefined without one,
 * and over http.
 */
export function findCertificate({ socket }: Request): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { raw } = socket.getPeerCertificate();
  if (raw === undefined) return undefined;
  const { validFrom, validTo } = new X509Certificate(raw);
  return {
    thumbprint: thumbprintOfDer(raw),
    validFromMs: Date.parse(validFrom),
    validToMs: Date.parse(validTo),
  };
}

/**
 * The thumbprint of a certificate in PEM, as clients are registered with it.
 * @throws {Error} if the text is not a certificate
 */
export function computeThumbprint(pem: string): string {
  return thumbprintOfDer(new X509Certificate(pem).raw);
}

function thumbprintOfDer(der: Uint8Array): string {
  return sha256(der, "base64url");
}
