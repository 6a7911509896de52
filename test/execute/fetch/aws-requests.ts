import { createHash, createHmac } from "node:crypto";
import { createHostFetcher, type HostFetcherOptions } from "../../../src/execute/fetch/fetcher.ts";
import type { RequestRecord } from "../../../src/execute/request-record.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import type { ReceivedRequest } from "../http-server.ts";

export const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
export const NOW = Date.UTC(2015, 7, 30, 12, 36, 0);

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) =>
  createHmac("sha256", key).update(data).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The signature as the published algorithm computes it from what arrived; nothing of the product is
 * used.
 */
export function computeSignature(
  request: Pick<ReceivedRequest, "method" | "url" | "headers" | "body">,
  { host, secretAccessKey }: { host: string; secretAccessKey: string },
): string {
  const authorization = request.headers.authorization ?? "";
  const [, scope = "", signedHeaders = ""] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), /.exec(authorization) ?? [];
  const [date = "", region = "", service = ""] = scope.split("/");
  const url = new URL(request.url, `https://${host}`);
  const path = service === "s3" ? url.pathname : url.pathname.split("/").map(encode).join("/");
  const query = [...url.searchParams].map(
    ([name, value]) => [encode(name), encode(value)] as const,
  );
  query.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0));
  const headers = signedHeaders.split(";").map((name) => {
    const value = name === "host" ? host : String(request.headers[name] ?? "");
    return `${name}:${value.trim().replace(/\s+/g, " ")}\n`;
  });
  const canonical = [
    request.method,
    path,
    query.map((pair) => pair.join("=")).join("&"),
    headers.join(""),
    signedHeaders,
    sha256(request.body),
  ].join("\n");
  const toSign = [
    "AWS4-HMAC-SHA256",
    String(request.headers["x-amz-date"]),
    scope,
    sha256(canonical),
  ].join("\n");
  const key = hmac(
    hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), service),
    "aws4_request",
  );
  return hmac(key, toSign).toString("hex");
}

export const sentSignature = ({ headers }: ReceivedRequest) =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "")?.[1];

export function createFetcher(
  options: Partial<HostFetcherOptions>,
  networkDomains = ["amazonaws.com"],
) {
  const records: RequestRecord[] = [];
  const definition = { networkDomains, formulas: [], formats: [], syncTables: [], skills: [] };
  const fetcher = createHostFetcher({
    redactor: createRedactor(),
    definition: definition as never,
    onRequest: (record: RequestRecord) => void records.push(record),
    now: () => NOW,
    ...options,
  });
  return { fetcher, records };
}
