import {
  listSecretFields,
  PUBLIC_FIELD_NAME,
  type SecretAuthentication,
} from "../define/authentication.ts";
import type { ConnectionAnswers } from "../define/connection-values.ts";
import { PackError } from "../errors.ts";
import { hideSecrets } from "../oauth/token-set.ts";
import { MAX_SECRET_LENGTH } from "../shared/secret-matcher.ts";

/**
 * Checks the entered credentials of an account.
 * @returns the values of the declared fields; optional ones may be missing
 * @throws {PackError} CREDENTIAL_MISSING with the fields that still need a value
 * @throws {PackError} CREDENTIAL_INVALID for a field that the definition does not have, or a value
 *   with a line break, or longer than 64 kB
 */
export function checkSecrets(
  authentication: SecretAuthentication,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const fields = listSecretFields(authentication);
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw invalid(unknown, "the authentication definition has no value with this name");
  const secrets: Record<string, string> = {};
  const missing: string[] = [];
  for (const { name, isOptional } of fields) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? "") : "";
    if (/[\r\n\0]/.test(value)) throw invalid(name, "it contains a line break");
    if (value.length > MAX_SECRET_LENGTH) throw invalid(name, "it is longer than 64 kB");
    if (value !== "") define(secrets, name, value);
    else if (!isOptional) missing.push(name);
  }
  if (missing.length === 0) return secrets;
  throw new PackError(
    "CREDENTIAL_MISSING",
    `The account needs a value for ${missing.join(", ")}.`,
    {
      details: { names: missing },
      hint: "Run packsmith auth connect in a terminal, and enter the value. In a script, set an environment variable: see packsmith auth connect --help.",
    },
  );
}

/** Names come from the definition, so `__proto__` must be a member like any other. */
function define(target: Record<string, string>, name: string, value: string): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/**
 * Whether a stored value only identifies a person or a resource. Such values occur in ordinary
 * responses, where hiding them
 * would change what the Pack reads.
 */
export function isPublicField(name: string, secrets: Readonly<Record<string, string>>): boolean {
  if (["accessKeyId", "roleArn", "externalId"].includes(name)) return true;
  // Without a password, the user name is the secret.
  return name === "username" ? Object.hasOwn(secrets, "password") : PUBLIC_FIELD_NAME.test(name);
}

function invalid(name: string, reason: string): PackError<"CREDENTIAL_INVALID"> {
  return new PackError("CREDENTIAL_INVALID", `The value for ${name} is not allowed: ${reason}.`, {
    details: { name, reason },
    hint: "Correct the value, and connect again.",
  });
}

/**
 * An account in use whose credentials were entered: requests carry them as they are. `util.inspect`
 * hides them.
 */
export interface SecretSession {
  /**
   * Identifies the account in a cache that several runs share. @default each object is another
   * account
   */
  readonly id?: string | undefined;
  readonly endpoint: string | undefined;
  readonly authentication: SecretAuthentication;
  readonly connection?: ConnectionAnswers | undefined;
  /** Values by the names of `listSecretFields`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Opens an account with entered credentials for use.
 * @throws {PackError} CREDENTIAL_MISSING, CREDENTIAL_INVALID when the values no longer fit the
 *   definition
 */
export function createSecretSession(parts: {
  authentication: SecretAuthentication;
  secrets: Readonly<Record<string, string>>;
  endpoint?: string | undefined;
  id?: string | undefined;
}): SecretSession {
  const { authentication, endpoint, id } = parts;
  return hideSecrets(
    { id, authentication, endpoint, secrets: checkSecrets(authentication, parts.secrets) },
    ["secrets"],
  );
}
