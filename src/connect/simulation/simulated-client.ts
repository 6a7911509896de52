import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import type { SigningAlgorithm } from "../../define/oauth.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import type { ClientCredentials } from "../../oauth/token-set.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import { computeThumbprint } from "../../provider/request/client-certificate.ts";
import { createSelfSignedCertificate } from "../../shared/certificate/self-signed-certificate.ts";

/**
 * The client of a simulated account. Form-encoding changes its secret, so it is refused if client
 * and server encode Basic
 * credentials differently.
 */
export const SIMULATED_CLIENT: ClientCredentials = {
  clientId: "packsmith-auth-test",
  clientSecret: "secret+of/the=test%client",
};

export interface SimulatedClient {
  credentials: ClientCredentials;
  /** The same client with wrong credentials. */
  impostor: ClientCredentials;
  /** The client as the provider knows it. */
  registration: {
    clientId: string;
    clientSecret?: string | undefined;
    publicKey?: string | undefined;
    certificateThumbprint?: string | undefined;
  };
}

/** Makes a client with the client authentication of the definition. */
export function createSimulatedClient(
  { clientAuthentication, signingAlgorithm = "ES256" }: OAuthDefinition,
  { client }: ProviderProfile,
): SimulatedClient {
  const { clientId } = SIMULATED_CLIENT;
  // A provider without client authentication issues no secret.
  if (client?.methods?.every((method) => method === "none") === true) {
    const own = { clientId, clientSecret: undefined };
    return { credentials: own, impostor: own, registration: own };
  }
  if (clientAuthentication === "tls_client_auth") {
    const [own, other] = [createSelfSignedCertificate(), createSelfSignedCertificate()];
    const createSecret = ({ certificate, privateKey }: typeof own) => `${certificate}${privateKey}`;
    return {
      credentials: { clientId, clientSecret: createSecret(own) },
      impostor: { clientId, clientSecret: createSecret(other) },
      registration: { clientId, certificateThumbprint: computeThumbprint(own.certificate) },
    };
  }
  if (clientAuthentication !== "private_key_jwt") {
    return {
      credentials: SIMULATED_CLIENT,
      impostor: { clientId, clientSecret: "wrong" },
      registration: { ...SIMULATED_CLIENT },
    };
  }
  const [own, other] = keyPairsFor(signingAlgorithm);
  return {
    credentials: { clientId, clientSecret: own.privateKey },
    impostor: { clientId, clientSecret: other.privateKey },
    registration: { clientId, publicKey: own.publicKey },
  };
}

interface KeyPair {
  privateKey: string;
  publicKey: string;
}

const made = new Map<SigningAlgorithm, readonly [KeyPair, KeyPair]>();

/** Making RSA keys takes long, so all profiles use the same. */
function keyPairsFor(algorithm: SigningAlgorithm): readonly [KeyPair, KeyPair] {
  const known = made.get(algorithm);
  if (known !== undefined) return known;
  const pairs = [makeKeyPair(algorithm), makeKeyPair(algorithm)] as const;
  made.set(algorithm, pairs);
  return pairs;
}

function makeKeyPair(algorithm: SigningAlgorithm): KeyPair {
  const { privateKey, publicKey } = generateKeys(algorithm);
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

function generateKeys(algorithm: SigningAlgorithm): KeyPairKeyObjectResult {
  switch (algorithm) {
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "ES384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" });
    case "ES512":
      return generateKeyPairSync("ec", { namedCurve: "P-521" });
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    default:
      return generateKeyPairSync("rsa", { modulusLength: 2_048 });
  }
}
