import type { ConnectionAnswers } from "../define/connection-values.ts";
import { hideSecrets } from "../oauth/hide-secrets.ts";
import { checkSecrets, type SecretAuthentication } from "./secret-fields.ts";

/** An account whose credentials were entered: they are sent as they are. `util.inspect` shows none of them. */
export interface SecretSession {
  /** Tells accounts apart, for a cache that several runs share. @default by object */
  readonly id?: string | undefined;
  readonly endpoint: string | undefined;
  readonly authentication: SecretAuthentication;
  readonly connection?: ConnectionAnswers | undefined;
  /** Values by the names of `secretFieldsOf`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Makes the session of an account with entered credentials.
 * @throws {PackError} CREDENTIAL_MISSING, CREDENTIAL_INVALID when the values do not fit the definition any more
 */
export function createSecretSession(parts: {
  authentication: SecretAuthentication;
  secrets: Readonly<Record<string, string>>;
  endpoint?: string | undefined;
  id?: string | undefined;
}): SecretSession {
  const { authentication, endpoint, id } = parts;
  return hideSecrets({ id, authentication, endpoint, secrets: checkSecrets(authentication, parts.secrets) }, ["secrets"]);
}
