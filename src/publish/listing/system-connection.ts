import { accountKey, accountMissing } from "../../accounts/pack-account.ts";
import { openVault } from "../../accounts/vault.ts";
import { PackError } from "../../errors.ts";
import type {
  SystemConnection,
  SystemCredentials,
} from "../../service/contract/registry/registry-models.ts";
import { fitsMask, type OAuthClientPlace } from "../registry/oauth-config.ts";

export type { SystemCredentials };

/**
 * The Pack's own account in the vault, as the registry takes it.
 * @throws {PackError} ACCOUNT_MISSING; AUTHENTICATION_UNSUPPORTED for a type that the registry does
 *   not have
 */
export async function readSystemCredentials({
  file,
  cwd,
  account,
  redactor,
  ...location
}: OAuthClientPlace): Promise<SystemCredentials> {
  const key = await accountKey({ file, cwd, slot: "system", account });
  await using vault = await openVault({
    directory: location.home,
    databaseUrl: location.databaseUrl,
    keyStore: location.keyStore,
  });
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(file, account, "system");
  const { type, secrets = {}, client } = stored;
  for (const secret of [...Object.values(secrets), client.clientSecret ?? ""])
    if (secret.length >= 8) redactor.add(secret);
  const pairs = Object.entries(secrets).map(([name, value]) => ({ key: name, value }));
  switch (type) {
    case "HeaderBearerToken":
    case "CustomHeaderToken":
      return { type: "header", token: secrets["token"] };
    case "MultiHeaderToken":
      return { type: "multiHeader", tokens: pairs };
    case "QueryParamToken":
    case "MultiQueryParamToken":
      return { type: "urlParam", params: pairs };
    case "WebBasic":
      return {
        type: "httpBasic",
        username: secrets["username"],
        ...(secrets["password"] === undefined ? {} : { password: secrets["password"] }),
      };
    case "Custom":
      return { type: "custom", params: pairs };
    case "OAuth2ClientCredentials":
      return {
        type: "oauth2ClientCredentials",
        clientId: client.clientId,
        clientSecret: client.clientSecret,
      };
    case "AWSAccessKey":
      return {
        type: "awsAccessKey",
        accessKeyId: secrets["accessKeyId"],
        secretAccessKey: secrets["secretAccessKey"],
      };
    case "AWSAssumeRole":
      return {
        type: "awsAssumeRole",
        roleArn: secrets["roleArn"],
        externalId: secrets["externalId"],
      };
    default:
      throw new PackError(
        "AUTHENTICATION_UNSUPPORTED",
        `The registry does not take accounts of type ${type}.`,
        {
          details: { type: type },
          hint: "Set up the connection of the Pack on its page, and remove systemConnection from the file.",
        },
      );
  }
}

/** Whether the masked connection of the registry may hold these credentials. */
export function fitsSystemConnection(
  present: SystemConnection,
  credentials: SystemCredentials,
): boolean {
  if (present.type !== credentials.type) return false;
  return Object.entries(credentials).every(([name, value]) => {
    if (name === "type") return true;
    if (Array.isArray(value)) return fitsPairs(present, value as Pair[]);
    const mask = present[`masked${name.charAt(0).toUpperCase()}${name.slice(1)}`] ?? present[name];
    return fitsMask(String(mask ?? ""), String(value ?? ""));
  });
}

interface Pair {
  key: string;
  value: string;
}

function fitsPairs(present: SystemConnection, pairs: readonly Pair[]): boolean {
  const shown =
    ((present["params"] ?? present["headers"]) as Record<string, string>[] | undefined) ?? [];
  const maskOf = (key: string) => shown.find((each) => (each["key"] ?? each["headerName"]) === key);
  return (
    shown.length === pairs.length &&
    pairs.every(({ key, value }) => {
      const entry = maskOf(key);
      return (
        entry !== undefined && fitsMask(entry["maskedValue"] ?? entry["maskedToken"] ?? "", value)
      );
    })
  );
}
