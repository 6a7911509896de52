import { clientSecretsOf } from "../oauth/client-key.ts";
import { dpopSecretOf } from "../oauth/dpop.ts";
import type { StoredAccount } from "./account.ts";
import { isPublicField } from "./secret-fields.ts";

/** Members of a token response that are secrets by their name: `id_token`, `session_handle`, `apiKey`. */
const SECRET_MEMBER = /token|secret|password|session|assertion|credential|key/i;
const MIN_LENGTH = 8;

/**
 * Every secret of an account: client secret, tokens, and what else came with the tokens, or
 * was answered, under a name that says so. Rules 25
 * and 44: a redactor must know all of them, because a provider may repeat any of them in an error.
 */
export function secretsOf({
  client,
  tokenSet,
  answers,
  secrets = {},
}: Pick<StoredAccount, "client" | "tokenSet" | "answers" | "secrets">): string[] {
  const known = [
    ...clientSecretsOf(client.clientSecret),
    tokenSet?.accessToken,
    tokenSet?.refreshToken,
    dpopSecretOf(tokenSet?.dpopKey),
  ].filter((secret) => secret !== undefined);
  const entered = Object.entries(secrets).flatMap(([name, secret]) => (isPublicField(name, secrets) ? [] : [secret]));
  return [...new Set([...known, ...entered, ...secretMembers(tokenSet?.extra), ...secretMembers(answers?.variables)])];
}

function secretMembers(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret && value.length >= MIN_LENGTH && !URL.canParse(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretMembers(member, isSecret || SECRET_MEMBER.test(name)));
}
