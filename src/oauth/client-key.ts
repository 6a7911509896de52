import { createPrivateKey, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "../define/oauth.ts";
import { PackError } from "../errors.ts";

/** A client's private key, ready to sign. */
export interface ClientKey {
  key: KeyObject;
  algorithm: SigningAlgorithm;
  /** The `kid` of a JWK: it names the key to a server that knows several keys of this client. */
  keyId: string | undefined;
}

const RSA: readonly SigningAlgorithm[] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const RSA_PSS: readonly SigningAlgorithm[] = ["PS256", "PS384", "PS512"];
const CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};
/** RFC 7518 §3.3: at least 2048 bits. */
const MIN_RSA_BITS = 2_048;
/** The lines after BEGIN, also of a text whose END is missing. */
const PEM_BODY = /-----BEGIN [^\n]*\n([\s\S]*?)(?=-----|$)/g;
/** Shorter lines could be any word. */
const MIN_HIDDEN = 16;
/** The members of a JWK that make it private (RFC 7518 §6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "k"] as const;

/**
 * Reads a client's private key: PEM (PKCS #8, PKCS #1 or SEC 1) or a JWK (RFC 7517).
 * @param text as entered; in an environment variable, the line breaks of a PEM may be written as
 *   `\n`
 * @param wanted the algorithm that the definition asks for. @default the JWK's `alg`, or the usual
 *   one for this kind of key
 * @throws {PackError} OAUTH_KEY_INVALID; the message quotes nothing of the key
 */
export function readClientKey(text: string, wanted?: SigningAlgorithm | undefined): ClientKey {
  const jwk = parseJwk(text);
  const key = jwk === undefined ? readPem(text) : readJwk(jwk);
  const possible = listAlgorithms(key);
  const [usual] = possible;
  if (usual === undefined)
    throw invalid("keys of this type cannot sign", "Use an RSA, EC or Ed25519 key.");
  const { modulusLength } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    throw invalid(
      `an RSA key needs at least ${MIN_RSA_BITS} bits`,
      "Create a longer key, and register its public key with the provider.",
    );
  }
  const named = possible.find((algorithm) => algorithm === jwk?.["alg"]);
  const algorithm = wanted ?? named ?? usual;
  if (!possible.includes(algorithm)) {
    throw invalid(
      `it cannot sign with ${algorithm}`,
      `Set signingAlgorithm to ${possible.join(" or ")}, or enter a key for ${algorithm}.`,
    );
  }
  return { key, algorithm, keyId: typeof jwk?.["kid"] === "string" ? jwk["kid"] : undefined };
}

/**
 * The texts of a client secret, private key or certificate that must never be shown: the secret,
 * and also the lines of a PEM or
 * the private members of a JWK.
 */
export function listClientSecrets(secret: string | undefined): string[] {
  if (secret === undefined || secret === "") return [];
  const jwk = parseJwk(secret);
  if (jwk !== undefined)
    return [
      secret,
      ...PRIVATE_MEMBERS.map((name) => jwk[name]).filter((value) => typeof value === "string"),
    ];
  // A text can hold a certificate and its key, with other lines around them.
  const blocks = [...pemText(secret).matchAll(PEM_BODY)].map(([, body = ""]) =>
    body
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= MIN_HIDDEN),
  );
  return [
    secret,
    ...blocks.map((lines) => lines.join("")).filter((body) => body !== ""),
    ...blocks.flat(),
  ];
}

function readPem(text: string): KeyObject {
  const pem = pemText(text);
  if (/^-----BEGIN ENCRYPTED|^Proc-Type:.*ENCRYPTED/m.test(pem)) {
    throw invalid(
      "it is protected by a passphrase",
      "Decrypt the key with openssl pkcs8 -topk8 -nocrypt, and enter the decrypted key.",
    );
  }
  if (/^-----BEGIN (?:PUBLIC KEY|CERTIFICATE)/m.test(pem)) {
    throw invalid(
      "it is a public key",
      "Enter the private key. Register the public key with the provider.",
    );
  }
  try {
    return createPrivateKey(pem);
  } catch {
    throw invalid(
      "it is neither a PEM nor a JWK",
      "Paste the complete contents of the file, from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----.",
    );
  }
}

function readJwk(jwk: Record<string, unknown>): KeyObject {
  if (typeof jwk["d"] !== "string")
    throw invalid(
      "the JWK has no private key",
      "Enter the private JWK. A private JWK contains the field d.",
    );
  try {
    return createPrivateKey({ key: jwk, format: "jwk" });
  } catch {
    throw invalid("the JWK is damaged", "Copy the key again, as one JSON object.");
  }
}

function parseJwk(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "kty" in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function pemText(text: string): string {
  return text.replaceAll("\\n", "\n").replaceAll("\r\n", "\n").trim();
}

/** The algorithms that a key can sign with, the usual one first. */
function listAlgorithms({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): readonly SigningAlgorithm[] {
  switch (asymmetricKeyType) {
    case "rsa":
      return RSA;
    case "rsa-pss":
      return RSA_PSS;
    case "ed25519":
      return ["EdDSA"];
    case "ec":
      return [CURVES[asymmetricKeyDetails?.namedCurve ?? ""]].filter(
        (algorithm) => algorithm !== undefined,
      );
    default:
      return [];
  }
}

function invalid(reason: string, hint: string): PackError<"OAUTH_KEY_INVALID"> {
  return new PackError("OAUTH_KEY_INVALID", `The client's private key cannot be used: ${reason}.`, {
    details: { reason },
    hint,
  });
}
