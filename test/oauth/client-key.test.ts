import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listClientSecrets, readClientKey } from "../../src/oauth/client-key.ts";
import { makeSigningKeys } from "../support/signing-keys.ts";

const ec = makeSigningKeys("ec");
const rsa = makeSigningKeys("rsa");

describe("readClientKey", () => {
  it("reads PEM and JWK, and signs with what the key is made for", () => {
    expect(readClientKey(ec.privateKey)).toMatchObject({ algorithm: "ES256", keyId: undefined });
    expect(readClientKey(ec.privateJwk)).toMatchObject({ algorithm: "ES256", keyId: "key-1" });
    expect(readClientKey(rsa.privateKey).algorithm).toBe("RS256");
    expect(readClientKey(makeSigningKeys("ed25519").privateKey).algorithm).toBe("EdDSA");
    expect(
      readClientKey(JSON.stringify({ ...JSON.parse(rsa.privateJwk), alg: "PS384" })).algorithm,
    ).toBe("PS384");
    expect(readClientKey(rsa.privateKey, "PS256").algorithm).toBe("PS256");
  });

  it("reads a PEM whose line breaks an environment variable has escaped, and the older forms of RSA and EC keys", () => {
    expect(readClientKey(ec.privateKey.replaceAll("\n", "\\n")).algorithm).toBe("ES256");
    expect(readClientKey(ec.privateKey.replaceAll("\n", "\r\n")).algorithm).toBe("ES256");
    const pkcs1 = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({
      type: "pkcs1",
      format: "pem",
    });
    const sec1 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({
      type: "sec1",
      format: "pem",
    });
    expect(readClientKey(String(pkcs1)).algorithm).toBe("RS256");
    expect(readClientKey(String(sec1)).algorithm).toBe("ES384");
  });

  it.each([
    ["nothing of a key", "s3cret", "neither a PEM nor a JWK"],
    ["a public key", ec.publicKey, "a public key"],
    ["a public JWK", JSON.stringify(ec.publicJwk), "no private key"],
    ["a damaged JWK", JSON.stringify({ kty: "EC", d: "x" }), "damaged"],
    ["a cut PEM", ec.privateKey.slice(0, 80), "neither a PEM nor a JWK"],
    ["a key with a passphrase", encryptedKey(), "protected by a passphrase"],
    [
      "a short RSA key",
      pem(generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey),
      "at least 2048 bits",
    ],
    ["a key that cannot sign", pem(generateKeyPairSync("x25519").privateKey), "cannot sign"],
    [
      "a curve that no algorithm has",
      pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey),
      "cannot sign",
    ],
  ])("refuses %s, without quoting it", (_, text, reason) => {
    const error = catchError(() => readClientKey(text));
    expect(error).toMatchObject({
      code: "OAUTH_KEY_INVALID",
      message: expect.stringContaining(reason),
      hint: expect.stringMatching(/\S/),
    });
    for (const part of text.split(/\s+/).filter((line) => line.length > 20))
      expect(error.message + error.hint).not.toContain(part);
  });

  it("refuses an algorithm that the key does not have", () => {
    expect(catchError(() => readClientKey(ec.privateKey, "RS256"))).toMatchObject({
      code: "OAUTH_KEY_INVALID",
      hint: "Set signingAlgorithm to ES256, or enter a key for RS256.",
    });
  });
});

describe("clientSecretsOf", () => {
  it("is the secret; of a PEM its lines too, of a JWK its private members", () => {
    expect(listClientSecrets(undefined)).toEqual([]);
    expect(listClientSecrets("s3cret")).toEqual(["s3cret"]);
    const lines = ec.privateKey
      .split("\n")
      .filter((line) => !line.startsWith("-----") && line.length >= 16);
    expect(listClientSecrets(ec.privateKey)).toEqual(
      expect.arrayContaining([ec.privateKey, ...lines]),
    );
    expect(listClientSecrets(ec.privateJwk)).toContain(
      (JSON.parse(ec.privateJwk) as { d: string }).d,
    );
  });
});

function pem(key: { export(options: { type: "pkcs8"; format: "pem" }): string | Buffer }): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

function encryptedKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return String(
    privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "planted",
    }),
  );
}

function catchError(run: () => unknown): Error & { hint: string } {
  try {
    run();
  } catch (error) {
    return error as Error & { hint: string };
  }
  throw new Error("nothing was thrown");
}
