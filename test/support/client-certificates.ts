import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";

/** A certificate of a client and its private key, as PEM. */
export interface CertificatePair {
  certificate: string;
  privateKey: string;
  /** Both in one text, as an account keeps them. */
  both: string;
  /** The lines between BEGIN and END of both. */
  lines: string[];
}

/** @param now when it is made; it is valid for 47 hours after that */
export function makeClientCertificate(now: () => number = Date.now): CertificatePair {
  const { certificate, privateKey } = createSelfSignedCertificate({ now });
  const both = `${certificate}${privateKey}`;
  return {
    certificate,
    privateKey,
    both,
    lines: both.split("\n").filter((line) => line.length >= 16 && !line.startsWith("-----")),
  };
}
