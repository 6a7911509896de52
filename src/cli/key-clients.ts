import { createPublicKey, type JsonWebKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../errors.ts";
import { DEFAULT_REDIRECT_URIS, GrantType, type ProviderClient } from "../provider/options.ts";
import { systemReason } from "../shared/failures.ts";
import { parsePort } from "./parse-flags.ts";

export interface KeyFlags {
  redirectUri?: string[];
  publicKey?: string;
  clientCertificate?: string;
  boundTokens?: boolean;
  mutualTlsPort?: string;
}

/**
 * The clients that have a key or a certificate instead of a secret, and the port that asks for
 * certificates. @throws {PackError} USAGE_INVALID
 */
export async function readKeyClients(flags: KeyFlags, cwd: string) {
  const { publicKey, clientCertificate } = flags;
  const certificate =
    clientCertificate === undefined ? undefined : await readThumbprint(clientCertificate, cwd);
  const mutualTlsPort =
    flags.mutualTlsPort === undefined ? undefined : parsePort(flags.mutualTlsPort);
  const clients = [
    ...(publicKey === undefined
      ? []
      : [keyClient(readPublicKey(publicKey, cwd), flags.redirectUri ?? [])]),
    ...(certificate === undefined ? [] : [certificateClient(certificate, flags)]),
  ];
  return { clients, mutualTlsPort };
}

function keyClient(
  publicKey: string | JsonWebKey,
  redirectUris: readonly string[],
): ProviderClient {
  return { clientId: "packsmith-key-client", publicKey, ...registration(redirectUris) };
}

function certificateClient(
  certificateThumbprint: string,
  { boundTokens, redirectUri = [] }: KeyFlags,
): ProviderClient {
  return {
    clientId: "packsmith-certificate-client",
    certificateThumbprint,
    certificateBoundTokens: boundTokens === true,
    ...registration(redirectUri),
  };
}

function registration(redirectUris: readonly string[]): Omit<ProviderClient, "clientId"> {
  return {
    redirectUris: [...DEFAULT_REDIRECT_URIS, ...redirectUris],
    anyLocalhostPort: true,
    anyPathBelow: true,
    grantTypes: Object.values(GrantType),
  };
}

/** @throws {PackError} USAGE_INVALID */
function readPublicKey(path: string, cwd: string): string | JsonWebKey {
  const text = readPemFile(path, "--public-key", cwd).trim();
  try {
    const key = text.startsWith("{") ? (JSON.parse(text) as JsonWebKey) : text;
    createPublicKey(typeof key === "string" ? key : { key, format: "jwk" });
    return key;
  } catch {
    throw usageError(
      `${path} does not contain a public key.`,
      "Set --public-key to the path of a PEM or JWK file.",
    );
  }
}

/** @throws {PackError} USAGE_INVALID */
async function readThumbprint(path: string, cwd: string): Promise<string> {
  const { computeThumbprint } = await import("../provider/request/client-certificate.ts");
  const text = readPemFile(path, "--client-certificate", cwd);
  try {
    return computeThumbprint(text);
  } catch {
    throw usageError(
      `${path} does not contain a certificate.`,
      "Set --client-certificate to the path of a PEM file.",
    );
  }
}

function readPemFile(path: string, option: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), "utf8");
  } catch (error) {
    throw usageError(
      `${path} cannot be read: ${systemReason(error) ?? "the system refused it"}.`,
      `Set ${option} to the path of a PEM file.`,
    );
  }
}
