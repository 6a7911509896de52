import { PackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import { parseXml } from "../../shared/xml.ts";
import { type AwsKeys, findAwsPlace, signAwsRequest } from "./aws-signature.ts";

/** Gets the temporary keys of a role. */
export interface AwsRole {
  /**
   * @param url the request to sign; its host names the region of the token service
   * @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_RESPONSE_INVALID
   */
  keysFor(url: string): Promise<AwsKeys>;
}

export interface AwsRoleOptions {
  /** `roleArn`, `externalId?`, and the keys that may assume the role. */
  secrets: Readonly<Record<string, string>>;
  now: () => number;
  /** Receives each temporary key, to redact it. */
  onSecret(secret: string): void;
  send(request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string;
  }): Promise<TapedResponse>;
}

/** Keys are renewed this long before they expire. */
const LEEWAY_MS = 5 * 60_000;
const API_VERSION = "2011-06-15";

/** Assumes the role once per region and run, and again shortly before its keys expire. */
export function createAwsRole({ secrets, now, onSecret, send }: AwsRoleOptions): AwsRole {
  const byHost = new Map<string, Promise<AwsKeys & { expiresAtMs: number }>>();

  const assume = async (host: string): Promise<AwsKeys & { expiresAtMs: number }> => {
    const {
      roleArn = "",
      externalId,
      accessKeyId = "",
      secretAccessKey = "",
      sessionToken,
    } = secrets;
    const form = new URLSearchParams({
      Action: "AssumeRole",
      Version: API_VERSION,
      RoleArn: roleArn,
      RoleSessionName: "packsmith",
    });
    if (externalId !== undefined) form.set("ExternalId", externalId);
    const request = {
      method: "POST",
      url: `https://${host}/`,
      headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
      body: String(form),
    };
    const signed = await signAwsRequest(request, {
      service: "sts",
      keys: { accessKeyId, secretAccessKey, sessionToken },
      now: now(),
    });
    const { status, bytes } = await send({ ...request, headers: signed.headers });
    return readAnswer(host, status, Buffer.from(bytes).toString("utf8"), onSecret);
  };

  return {
    async keysFor(url) {
      const { region, domain } = findAwsPlace(url);
      const host = `sts.${region}.${domain}`;
      const known = await byHost.get(host)?.catch(() => undefined);
      if (known !== undefined && known.expiresAtMs - LEEWAY_MS > now()) return known;
      const pending = assume(host);
      byHost.set(host, pending);
      return await pending;
    },
  };
}

function readAnswer(
  host: string,
  status: number,
  text: string,
  onSecret: (secret: string) => void,
): AwsKeys & { expiresAtMs: number } {
  const root = parseXml(text);
  if (status !== 200) {
    const error = textAt(root, ["Error", "Code"]) ?? `status ${status}`;
    const description = textAt(root, ["Error", "Message"]);
    throw new PackError(
      "OAUTH_TOKEN_REJECTED",
      `${host} did not let the account assume its role: ${description ?? error}`,
      {
        details: { status, error, description },
        hint: "Check the role's ARN, its trust policy and the external ID, then connect the account again.",
      },
    );
  }
  const member = (name: string) => textAt(root, ["AssumeRoleResult", "Credentials", name]);
  const [accessKeyId, secretAccessKey, sessionToken] = [
    member("AccessKeyId"),
    member("SecretAccessKey"),
    member("SessionToken"),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) {
    throw new PackError(
      "OAUTH_TOKEN_RESPONSE_INVALID",
      `The response from ${host} contains no credentials for the role.`,
      {
        details: { status, reason: "no Credentials" },
        hint: "Check that the host is the token service of the cloud provider.",
      },
    );
  }
  for (const secret of [secretAccessKey, sessionToken]) onSecret(secret);
  const expiresAtMs = Date.parse(member("Expiration") ?? "");
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken,
    expiresAtMs: Number.isNaN(expiresAtMs) ? 0 : expiresAtMs,
  };
}

function textAt(root: unknown, path: readonly string[]): string | undefined {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    const member = (value as Record<string, unknown>)[name];
    value = Array.isArray(member) ? member[0] : undefined;
  }
  return typeof value === "string" ? value : undefined;
}
