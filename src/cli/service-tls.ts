import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { usageError } from "../errors.ts";
import { notWritable, systemReason } from "../shared/failures.ts";
import { readRegularFile } from "../shared/files.ts";

interface ServiceTlsFlags {
  https?: true;
  certificate?: string;
  key?: string;
}

export interface ServiceTls {
  /** PEM. */
  tls: { key: string; cert: string };
  /** Where the certificate is. */
  path: string;
  /** Made for this run, for this machine's own names. */
  isNew: boolean;
}

/**
 * The certificate of the files that `--certificate` and `--key` name, or a new one for `--https`.
 * @throws {PackError} USAGE_INVALID, OUTPUT_NOT_WRITABLE
 */
export async function readServiceTls(
  { https, certificate, key }: ServiceTlsFlags,
  cwd: string,
): Promise<ServiceTls | undefined> {
  if (key !== undefined) {
    if (certificate === undefined)
      throw usageError("--key is set, but --certificate is missing.", "Also pass --certificate.");
    return readFiles(resolve(cwd, certificate), resolve(cwd, key));
  }
  if (https === true) return await createCertificate(certificate, cwd);
  if (certificate === undefined) return undefined;
  throw usageError(
    "--certificate is set, but --key is missing.",
    "Set --key to the path of the private key. Or pass --https to create a certificate and a key, and to write the certificate to this file.",
  );
}

function readFiles(path: string, keyPath: string): ServiceTls {
  const cert = readPem(path, "certificate", "--certificate");
  const key = readPem(keyPath, "private key", "--key");
  const shown = parsePem(() => new X509Certificate(cert), path, "certificate", "--certificate");
  const secret = parsePem(
    () => createPrivateKey(key),
    keyPath,
    "private key without a passphrase",
    "--key",
  );
  if (!shown.checkPrivateKey(secret))
    throw usageError(
      `The private key ${keyPath} does not belong to the certificate ${path}.`,
      "Pass the key that belongs to the certificate. If the file contains several certificates, the service's certificate must be first.",
    );
  if (Date.parse(shown.validTo) < Date.now())
    throw usageError(
      `The certificate ${path} has expired (${shown.validTo}).`,
      "Renew the certificate, and start the service again.",
    );
  return { tls: { key, cert }, path, isNew: false };
}

function readPem(path: string, kind: string, option: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    const reason = systemReason(error);
    throw usageError(
      `The ${kind} ${path} cannot be read${reason === undefined ? "" : `: ${reason}`}.`,
      `Set ${option} to the path of a PEM file.`,
    );
  }
}

function parsePem<T>(parse: () => T, path: string, kind: string, option: string): T {
  try {
    return parse();
  } catch {
    throw usageError(
      `${path} contains no ${kind} in PEM format.`,
      `Set ${option} to the path of a PEM file.`,
    );
  }
}

/** The certificate is public, and clients have to be told to trust it; the key stays in memory. */
async function createCertificate(wanted: string | undefined, cwd: string): Promise<ServiceTls> {
  const { createSelfSignedCertificate } = await import(
    "../shared/certificate/self-signed-certificate.ts"
  );
  const { certificate: cert, privateKey: key } = createSelfSignedCertificate();
  const path =
    wanted === undefined
      ? join(mkdtempSync(join(tmpdir(), "packsmith-")), "certificate.pem")
      : resolve(cwd, wanted);
  try {
    writeFileSync(path, cert, { flag: "wx" });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST")
      throw usageError(
        `The file ${path} already exists, so packsmith did not write a new certificate.`,
        "To use this certificate, pass its private key with --key. To create a certificate, pass the path of a new file.",
      );
    throw notWritable("The certificate", path, "Pass another file with --certificate.", cause);
  }
  return { tls: { key, cert }, path, isNew: true };
}
