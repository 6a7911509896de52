import type { StoredAccount } from "../../accounts/account.ts";
import { accountKey, accountMissing } from "../../accounts/pack-account.ts";
import { openVault } from "../../accounts/vault.ts";
import { PackError } from "../../errors.ts";
import { openPack } from "../../execute/open-pack.ts";
import type {
  SystemConnection,
  SystemCredentials,
} from "../../service/contract/registry/registry-models.ts";
import {
  combineComparisons,
  compareMask,
  type MaskComparison,
  type OAuthClientPlace,
} from "../registry/oauth-config.ts";

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
  const { secrets = {}, client } = stored;
  for (const secret of [...Object.values(secrets), client.clientSecret ?? ""])
    if (secret.length >= 8) redactor.add(secret);
  return toCredentials(stored, () => readParamName(file, cwd));
}

/** @param findParamName the name of the only query parameter */
async function toCredentials(
  { type, secrets = {}, client }: StoredAccount,
  findParamName: () => Promise<string>,
): Promise<SystemCredentials> {
  const pairs = Object.entries(secrets).map(([name, value]) => ({ key: name, value }));
  switch (type) {
    case "HeaderBearerToken":
    case "CustomHeaderToken":
      return { type: "header", token: secrets["token"] };
    case "MultiHeaderToken":
      return { type: "multiHeader", tokens: pairs };
    case "QueryParamToken": {
      const params = [{ key: await findParamName(), value: secrets["token"] ?? "" }];
      return { type: "urlParam", params };
    }
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
        externalId: secrets["externalId"] ?? "",
      };
    default:
      throw new PackError(
        "AUTHENTICATION_UNSUPPORTED",
        `The registry does not accept accounts of type ${type}.`,
        {
          details: { type: type },
          hint: "Set up the connection on the page of the Pack, and remove systemConnection from the file.",
        },
      );
  }
}

/** The registry knows a parameter by its name in the definition; the vault has only one token. */
async function readParamName(file: string, cwd: string): Promise<string> {
  await using pack = await openPack(file, { cwd });
  const authentication = pack.definition.systemConnectionAuthentication;
  return authentication?.type === "QueryParamToken" ? authentication.paramName : "token";
}

/** Compares the masked connection of the registry with these credentials. */
export function compareSystemConnection(
  present: SystemConnection,
  credentials: SystemCredentials,
): MaskComparison {
  if (present.type !== credentials.type) return "different";
  const comparisons = Object.entries(credentials).map(([name, value]) => {
    if (name === "type") return "same";
    if (Array.isArray(value)) return comparePairs(present, value as Pair[]);
    const mask = present[`masked${name.charAt(0).toUpperCase()}${name.slice(1)}`] ?? present[name];
    return compareMask(String(mask ?? ""), String(value ?? ""));
  });
  return combineComparisons(comparisons);
}

interface Pair {
  key: string;
  value: string;
}

function comparePairs(present: SystemConnection, pairs: readonly Pair[]): MaskComparison {
  const shown =
    ((present["params"] ?? present["headers"]) as Record<string, string>[] | undefined) ?? [];
  if (shown.length !== pairs.length) return "different";
  const comparisons = pairs.map(({ key, value }) => {
    const entry = shown.find((each) => (each["key"] ?? each["headerName"]) === key);
    return compareMask(entry?.["maskedValue"] ?? entry?.["maskedToken"] ?? "", value);
  });
  return combineComparisons(comparisons);
}
