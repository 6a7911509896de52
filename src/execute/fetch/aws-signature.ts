import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { CredentialedRequest } from "./credentials.ts";

/** Keys that sign requests. Keys of a role have a session token. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/**
 * Signs a request (Signature Version 4). The region comes from the host name; services without
 * regions use `us-east-1`.
 * @param now milliseconds
 * @returns a copy of the request with the headers of the signature
 */
export async function signAwsRequest(
  request: Readonly<CredentialedRequest> & { method: string },
  { service, keys, now }: { service: string; keys: AwsKeys; now: number },
): Promise<CredentialedRequest> {
  const { method, url, body } = request;
  const headers = withoutSignature(request.headers);
  // S3 requires the hash of the body as a header. Without it the library would leave the body
  // unsigned.
  if (service === "s3")
    headers["X-Amz-Content-Sha256"] = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
  const signer = new AwsV4Signer({
    method,
    url,
    headers,
    service,
    region: findAwsPlace(url).region,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    ...(keys.sessionToken === undefined ? {} : { sessionToken: keys.sessionToken }),
    // The library's types only accept DOM bodies, but it hashes text and byte arrays too.
    ...(body === undefined ? {} : { body: body as string }),
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const signed = await signer.sign();
  return { url, body, headers: Object.fromEntries(signed.headers) };
}

/** The region in a host name of AWS, and the domain that the host belongs to. */
export function findAwsPlace(url: string): { region: string; domain: string } {
  const { hostname } = new URL(url);
  const domain = hostname.endsWith(".amazonaws.com.cn") ? "amazonaws.com.cn" : "amazonaws.com";
  const region = hostname.split(".").find((label) => /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(label));
  return { region: region ?? (domain.endsWith(".cn") ? "cn-north-1" : "us-east-1"), domain };
}

function withoutSignature(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(authorization|x-amz-(date|security-token))$/i.test(name),
    ),
  );
}
