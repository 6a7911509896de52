import type { AccountSlot } from "../accounts/account-summary.ts";
import { requireOAuth } from "../accounts/pack-account.ts";
import { usageError } from "../errors.ts";
import { openPack } from "../execute/open-pack.ts";
import { clientMetadata } from "../oauth/connect/registration.ts";
import { joinScopes } from "../oauth/definition.ts";
import { ownRedirect } from "./redirect-path.ts";

export interface DescribeClientOptions {
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  slot: AccountSlot;
  /**
   * @default the path that `auth connect` uses on 127.0.0.1, where servers accept any port (RFC
   * 8252 §7.3)
   */
  redirectUri?: string | undefined;
}

/**
 * The document about a Pack as a client (OAuth Client ID Metadata Document), to publish at its
 * `clientMetadataUrl`.
 * @throws {PackError} OAUTH_NOT_CONFIGURED, USAGE_INVALID without a `clientMetadataUrl`, and errors
 *   of loading the Pack
 */
export async function describeClient(
  options: DescribeClientOptions,
): Promise<Record<string, unknown>> {
  await using pack = await openPack(options.file, { cwd: options.cwd });
  const definition = requireOAuth(pack.definition, options.slot);
  const url = definition.type === "OAuth2" ? definition.clientMetadataUrl : undefined;
  if (definition.type !== "OAuth2" || url === undefined) {
    throw usageError(
      "The Pack's authentication has no clientMetadataUrl.",
      "Set clientMetadataUrl to the https URL of the document that you will publish.",
    );
  }
  const { path } = ownRedirect({
    packName: pack.bundle.name,
    packPath: "",
    slot: options.slot,
    issuer: undefined,
    definition,
    endpoint: undefined,
  });
  const redirectUri = options.redirectUri ?? `http://127.0.0.1${path}`;
  return {
    client_id: url,
    ...clientMetadata({
      clientName: pack.bundle.name,
      redirectUri,
      scope: joinScopes(definition),
      method: "none",
    }),
  };
}
