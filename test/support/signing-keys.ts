import { generateKeyPairSync, type JsonWebKey, type KeyObject } from "node:crypto";

/** A client's key pair, in the forms in which people have it. */
export interface SigningKeys {
  privateKey: string;
  publicKey: string;
  privateJwk: string;
  /** With the `kid` that the private JWK has. */
  publicJwk: JsonWebKey & { kid: string };
}

export function makeSigningKeys(kind: "ec" | "rsa" | "ed25519" = "ec"): SigningKeys {
  const { privateKey, publicKey } = generate(kind);
  const kid = "key-1";
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateJwk: JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid }),
    publicJwk: { ...publicKey.export({ format: "jwk" }), kid },
  };
}

function generate(kind: "ec" | "rsa" | "ed25519"): { privateKey: KeyObject; publicKey: KeyObject } {
  switch (kind) {
    case "ec":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "rsa":
      return generateKeyPairSync("rsa", { modulusLength: 2_048 });
    case "ed25519":
      return generateKeyPairSync("ed25519");
  }
}

/** Header and claims of an assertion, which nobody has verified. */
export function readAssertion(assertion: string): {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
} {
  const [header = "", claims = ""] = assertion
    .split(".")
    .map((part) => Buffer.from(part, "base64url").toString("utf8"));
  return {
    header: JSON.parse(header) as Record<string, unknown>,
    claims: JSON.parse(claims) as Record<string, unknown>,
  };
}
