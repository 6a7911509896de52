import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";

/** A signed JWT (RFC 7515 §3.1). Nothing is verified yet. */
export interface DecodedJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The signed bytes. */
  signed: Buffer;
  signature: Buffer;
}

const MAX_LENGTH = 16_000;

/** @returns undefined if the text is not a JWT */
export function decodeJwt(text: string): DecodedJwt | undefined {
  const [head = "", body = "", signature = "", ...rest] = text.split(".");
  const header = decode(head);
  const claims = decode(body);
  if (text.length > MAX_LENGTH || rest.length > 0 || header === undefined || claims === undefined)
    return undefined;
  return {
    header,
    claims,
    signed: Buffer.from(`${head}.${body}`, "utf8"),
    signature: Buffer.from(signature, "base64url"),
  };
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Signs ID Tokens (OpenID Connect Core §2) with a key that is made for the first one. */
export interface IdTokens {
  issue(claims: IdTokenClaims): string;
  /** Signs other claims with the same key. */
  sign(claims: Readonly<Record<string, unknown>>, type: string): string;
  /** The public key (RFC 7517 §5). */
  keySet(): { keys: object[] };
  /** The private key (PEM); undefined until something was signed with it. */
  privateKey(): string | undefined;
}

export interface IdTokenClaims {
  issuer: string;
  clientId: string;
  subject: string;
  /** The nonce of the authorization request. */
  nonce: string | undefined;
  nowMs: number;
  lifetimeSeconds: number;
  /** Other claims. */
  more: Readonly<Record<string, unknown>>;
}

export const ID_TOKEN_ALGORITHM = "ES256";
const KEY_ID = "packsmith-provider";

/** @param kept the private key of an earlier run (PEM). @default a new key */
export function createIdTokens(kept?: string | undefined): IdTokens {
  let pair: { privateKey: KeyObject; publicKey: KeyObject } | undefined =
    kept === undefined
      ? undefined
      : { privateKey: createPrivateKey(kept), publicKey: createPublicKey(kept) };
  const keys = () => {
    pair ??= generateKeyPairSync("ec", { namedCurve: "P-256" });
    return pair;
  };
  const signJwt = (
    claims: Readonly<Record<string, unknown>>,
    header: Readonly<Record<string, unknown>> = {},
  ): string => {
    const text = [{ alg: ID_TOKEN_ALGORITHM, kid: KEY_ID, ...header }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const signature = sign("sha256", Buffer.from(text), {
      key: keys().privateKey,
      dsaEncoding: "ieee-p1363",
    });
    return `${text}.${signature.toString("base64url")}`;
  };
  return {
    issue({ issuer, clientId, subject, nonce, nowMs, lifetimeSeconds, more }) {
      const iat = Math.floor(nowMs / 1_000);
      return signJwt({
        iss: issuer,
        sub: subject,
        aud: clientId,
        iat,
        exp: iat + lifetimeSeconds,
        nonce,
        ...more,
      });
    },
    sign: (claims, type) => signJwt(claims, { typ: type }),
    privateKey: () => pair?.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    keySet: () => ({
      keys: [
        {
          ...keys().publicKey.export({ format: "jwk" }),
          kid: KEY_ID,
          alg: ID_TOKEN_ALGORITHM,
          use: "sig",
        },
      ],
    }),
  };
}
