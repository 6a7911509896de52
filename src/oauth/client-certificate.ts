import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { SecureContext } from "node:tls";
import { PackError } from "../errors.ts";
import type { ClientCredentials } from "./token-set.ts";

/** What a client shows in a TLS handshake (RFC 8705 §2). */
export interface ClientCertificate {
  /** The certificate, then those of its issuers. PEM. */
  certificate: string;
  /** PEM. */
  privateKey: string;
}

/** Where certificate and key come from, for messages. */
export interface CertificateSource {
  certificate: string;
  key: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
const UNNAMED: CertificateSource = { certificate: "the certificate", key: "the private key" };

/**
 * Reads a certificate and its private key from one PEM text, in any order. More certificates are
 * those of its issuers.
 * @param text line breaks may be written as `\n`
 * @param nowMs if given, the certificate must be valid then
 * @param source the names of the files, if they were read from files
 * @throws {PackError} OAUTH_CERTIFICATE_INVALID; the message quotes nothing of the certificate and
 *   the key
 */
export function readClientCertificate(
  text: string,
  nowMs?: number | undefined,
  source: CertificateSource = UNNAMED,
): ClientCertificate {
  const blocks = [...text.replaceAll("\\n", "\n").replaceAll("\r\n", "\n").matchAll(BLOCK)].map(
    ([pem, label = ""]) => ({ pem, label }),
  );
  const certificates = blocks.filter(({ label }) => label === "CERTIFICATE");
  const keys = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  const [first] = certificates;
  const [own] = keys;
  if (first === undefined) {
    throw invalid(
      `${source.certificate} contains no certificate in PEM`,
      "Pass a file that contains -----BEGIN CERTIFICATE-----. To convert a DER file, run openssl x509.",
    );
  }
  if (own === undefined) {
    throw invalid(
      `${source.key} contains no private key in PEM`,
      "Also pass the file that contains -----BEGIN PRIVATE KEY-----.",
    );
  }
  if (keys.length > 1)
    throw invalid(
      `${source.key} contains ${keys.length} private keys`,
      "Remove all private keys from the file except the key that belongs to the certificate.",
    );
  if (own.label === "ENCRYPTED PRIVATE KEY" || /^Proc-Type:.*ENCRYPTED/m.test(own.pem)) {
    throw invalid(
      `${source.key} is protected by a passphrase`,
      "Decrypt the key with openssl pkcs8 -topk8 -nocrypt, and enter the decrypted key.",
    );
  }
  const [certificate] = certificates.map(({ pem }) =>
    parseOrFail(() => new X509Certificate(pem), source.certificate),
  );
  const key: KeyObject = parseOrFail(() => createPrivateKey(own.pem), source.key);
  if (certificate?.checkPrivateKey(key) !== true) {
    const hint =
      "Use the key that belongs to the certificate. If the file contains several certificates, the client's certificate must be first.";
    throw invalid(`${source.key} does not belong to ${source.certificate}`, hint);
  }
  if (nowMs !== undefined) checkValidity(certificate, nowMs, source);
  return {
    certificate: `${certificates.map(({ pem }) => pem).join("\n")}\n`,
    privateKey: `${own.pem}\n`,
  };
}

/**
 * Prepares TLS connections on which a client shows its certificate. The result can show it, and
 * gives the private key to no one.
 * @throws {PackError} OAUTH_CLIENT_MISSING without a certificate; OAUTH_CERTIFICATE_INVALID, also
 *   when it is not valid at this time
 */
export async function createClientContext(
  client: ClientCredentials,
  nowMs: number,
): Promise<SecureContext> {
  const { certificate: cert, privateKey: key } = readClientCertificate(
    requireClientCertificate(client),
    nowMs,
  );
  // Loaded only when a certificate is shown.
  const { createSecureContext } = await import("node:tls");
  try {
    return createSecureContext({ cert, key });
  } catch {
    throw invalid(
      "it is too weak for TLS, or TLS does not support its type",
      "Ask the provider for a certificate with a different key.",
    );
  }
}

/**
 * @returns the text of the certificate and its key
 * @throws {PackError} OAUTH_CLIENT_MISSING
 */
export function requireClientCertificate({ clientSecret }: ClientCredentials): string {
  if (clientSecret !== undefined && clientSecret !== "") return clientSecret;
  throw new PackError(
    "OAUTH_CLIENT_MISSING",
    "The account has no client certificate (tls_client_auth).",
    {
      details: undefined,
      hint: "Run packsmith auth connect with --certificate-file and --client-key-file. Register the certificate with the provider.",
    },
  );
}

/**
 * The error for a connection that the server ended with a TLS alert about the client's certificate
 * (RFC 8446 §6.2).
 * @param isShown whether the client showed a certificate
 * @returns undefined if something else ended it
 */
export function certificateRefusal(
  error: unknown,
  host: string,
  isShown: boolean,
): PackError<"OAUTH_CERTIFICATE_INVALID"> | undefined {
  const alert = findAlert(error);
  if (alert === undefined) return undefined;
  if (isShown && /CERT|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE/.test(alert)) {
    const hint =
      "Check that the provider has registered this certificate, and that the file also contains the issuer certificates.";
    return invalid(`${host} refused it (${alert.toLowerCase().replaceAll("_", " ")})`, hint);
  }
  if (!isShown && /CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(alert)) {
    const hint =
      'Set clientAuthentication: "tls_client_auth" in the authentication definition. Then connect the account with a certificate.';
    return invalid(`${host} requires a certificate, but the account has no certificate`, hint);
  }
  return undefined;
}

function findAlert(error: unknown): string | undefined {
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth++
  ) {
    const alert =
      "code" in cause ? /^ERR_SSL_\w*ALERT_(\w+)$/.exec(String(cause.code))?.[1] : undefined;
    if (alert !== undefined) return alert;
  }
  return undefined;
}

function checkValidity(
  { validFrom, validTo }: X509Certificate,
  nowMs: number,
  source: CertificateSource,
): void {
  const [fromMs, toMs] = [Date.parse(validFrom), Date.parse(validTo)];
  const hint = "Get a new certificate from the provider, then connect the account again.";
  if (nowMs > toMs) throw invalid(`${source.certificate} expired on ${formatDay(toMs)}`, hint);
  if (nowMs < fromMs)
    throw invalid(
      `${source.certificate} is valid only from ${formatDay(fromMs)}`,
      "Check this machine's clock.",
    );
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function parseOrFail<Result>(parse: () => Result, name: string): Result {
  try {
    return parse();
  } catch {
    throw invalid(
      `${name} cannot be read: its PEM data is damaged`,
      "Copy the complete file again.",
    );
  }
}

function invalid(reason: string, hint: string): PackError<"OAUTH_CERTIFICATE_INVALID"> {
  return new PackError(
    "OAUTH_CERTIFICATE_INVALID",
    `The client's certificate cannot be used: ${reason}.`,
    { details: { reason }, hint },
  );
}
