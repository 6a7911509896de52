import type { StoredAccount } from "../../accounts/account.ts";
import { readClientKey } from "../../oauth/client-key.ts";
import type { TokenSet } from "../../oauth/token-set.ts";
import type { ClientKeyKind, RecordedAccount } from "./cassette-format.ts";
import { madeUpSecret } from "./secret-placeholders.ts";

/**
 * @param secretVariables names of the connection variables that are secrets
 * @returns the parts of an account that a replay needs
 */
export function describeAccount(
  account: StoredAccount,
  secretVariables: readonly string[],
  nowMs: number,
): RecordedAccount {
  const { type, client, endpoint, answers, secrets, tokenSet } = account;
  const variables = Object.entries(answers?.variables ?? {}).map(([name, value]) => [
    name,
    secretVariables.includes(name) ? madeUpSecret(name) : value,
  ]);
  return {
    type,
    clientId: client.clientId,
    ...(client.clientSecret !== undefined && isClientKey(client.clientSecret)
      ? { clientKey: kindOfKey(client.clientSecret) }
      : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(answers === undefined
      ? {}
      : {
          answers: {
            variables: Object.fromEntries(variables),
            callbackParams: answers.callbackParams,
          },
        }),
    ...(secrets === undefined ? {} : { fields: Object.keys(secrets) }),
    ...(tokenSet === undefined ? {} : { token: describeToken(tokenSet, nowMs) }),
  };
}

function isClientKey(secret: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(secret) || /^\s*\{/.test(secret);
}

function kindOfKey(secret: string): ClientKeyKind | undefined {
  try {
    const { key } = readClientKey(secret);
    const curves: Readonly<Record<string, ClientKeyKind>> = {
      prime256v1: "P-256",
      secp384r1: "P-384",
      secp521r1: "P-521",
    };
    if (key.asymmetricKeyType === "ec") return curves[key.asymmetricKeyDetails?.namedCurve ?? ""];
    return key.asymmetricKeyType === "ed25519" ? "ed25519" : "rsa";
  } catch {
    // A secret that only looks like a key.
    return undefined;
  }
}

function describeToken(tokenSet: TokenSet, nowMs: number): NonNullable<RecordedAccount["token"]> {
  const { expiresAtMs, lifetimeMs, refreshToken, scopes, clientAuthentication } = tokenSet;
  return {
    ...(expiresAtMs === undefined
      ? {}
      : { expiresInMs: Math.round((expiresAtMs - nowMs) / 1_000) * 1_000 }),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    isRenewable: refreshToken !== undefined,
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    clientAuthentication,
  };
}
