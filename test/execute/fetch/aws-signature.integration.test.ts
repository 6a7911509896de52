import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSecretSession } from "../../../src/accounts/entered-credentials.ts";
import { awsPlaceOf, signAwsRequest } from "../../../src/execute/fetch/aws-signature.ts";
import { createHostFetcher, type HostFetcherOptions } from "../../../src/execute/fetch/fetcher.ts";
import type { RequestRecord } from "../../../src/execute/request-record.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { json, type ReceivedRequest, startTestServer } from "../http-server.ts";

const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const NOW = Date.UTC(2015, 7, 30, 12, 36, 0);

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
function signatureOf(
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

const sentSignature = ({ headers }: ReceivedRequest) =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "")?.[1];

function fetcherOf(options: Partial<HostFetcherOptions>, networkDomains = ["amazonaws.com"]) {
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

describe("signAwsRequest", () => {
  it("gives the signature of the published test suite (get-vanilla)", async () => {
    const request = {
      method: "GET",
      url: "https://example.amazonaws.com/",
      headers: {},
      body: undefined,
    };
    const signed = await signAwsRequest(request, { service: "service", keys: KEYS, now: NOW });
    expect(signed.headers["authorization"]).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, " +
        "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
    expect(request.headers).toEqual({});
  });

  it.each([
    ["https://dynamodb.eu-west-1.amazonaws.com/", "eu-west-1", "amazonaws.com"],
    ["https://bucket.s3.eu-central-1.amazonaws.com/key", "eu-central-1", "amazonaws.com"],
    ["https://abc123.execute-api.us-west-2.amazonaws.com/prod", "us-west-2", "amazonaws.com"],
    ["https://s3.us-gov-west-1.amazonaws.com/", "us-gov-west-1", "amazonaws.com"],
    ["https://s3.cn-north-1.amazonaws.com.cn/", "cn-north-1", "amazonaws.com.cn"],
    ["https://iam.amazonaws.com/", "us-east-1", "amazonaws.com"],
    ["https://storage.example/", "us-east-1", "amazonaws.com"],
  ])("finds the region of %s", (url, region, domain) =>
    expect(awsPlaceOf(url)).toEqual({ region, domain }),
  );
});

describe("requests of an account with an access key", () => {
  it.each([
    ["dynamodb", "https://dynamodb.eu-west-1.amazonaws.com", "/", "POST", '{"TableName":"ü"}'],
    [
      "execute-api",
      "https://abc.execute-api.us-west-2.amazonaws.com",
      "/prod/a%20b/c+d?z=1&a=2&a=1&q=x%20y%2Bz",
      "GET",
      undefined,
    ],
    [
      "s3",
      "https://bucket.s3.eu-central-1.amazonaws.com",
      "/a%20b/c?list-type=2&prefix=x%2Fy",
      "PUT",
      "text",
    ],
    ["iam", "https://iam.amazonaws.com", "/?Action=ListUsers&Version=2010-05-08", "GET", undefined],
  ])(
    "are signed for %s as the service will check it",
    async (service, origin, path, method, body) => {
      await using server = await startTestServer((_, response) => json(response, 200, {}));
      const account = createSecretSession({
        authentication: { type: "AWSAccessKey", service },
        secrets: KEYS,
      });
      const { fetcher, records } = fetcherOf({ routes: { [origin]: server.origin }, account });
      const headers = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": "Tables.List",
      };
      expect(await fetcher.fetch({ method, url: origin + path, headers, body })).toMatchObject({
        ok: true,
      });
      const [received] = server.requests;
      if (received === undefined) throw new TypeError("nothing arrived");
      expect(received.url).toBe(path);
      expect(sentSignature(received)).toBe(
        signatureOf(received, { ...KEYS, host: new URL(origin).host }),
      );
      expect(received.headers.authorization).toContain("x-amz-target");
      expect(JSON.stringify(records)).not.toContain(KEYS.secretAccessKey);
      // Whoever changes anything breaks it.
      expect(sentSignature(received)).not.toBe(
        signatureOf(
          { ...received, body: `${received.body}x` },
          { ...KEYS, host: new URL(origin).host },
        ),
      );
    },
  );
});

describe("requests of an account that assumes a role", () => {
  const secrets = {
    roleArn: "arn:aws:iam::123456789012:role/reader",
    externalId: "ext-1",
    ...KEYS,
  };
  const temporary = {
    accessKeyId: "ASIATEMP",
    secretAccessKey: "temporary-secret-key",
    sessionToken: "temporary-session-token",
  };
  const answer = (
    expiration: number,
  ) => `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
    <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/reader/packsmith</Arn></AssumedRoleUser>
    <Credentials><AccessKeyId>${temporary.accessKeyId}</AccessKeyId><SecretAccessKey>${temporary.secretAccessKey}</SecretAccessKey>
    <SessionToken>${temporary.sessionToken}</SessionToken><Expiration>${new Date(expiration).toISOString()}</Expiration></Credentials>
    </AssumeRoleResult></AssumeRoleResponse>`;
  const url = "https://dynamodb.eu-west-1.amazonaws.com/";
  const account = () =>
    createSecretSession({
      authentication: { type: "AWSAssumeRole", service: "dynamodb" },
      secrets,
    });

  it("are signed with the role's keys, which are asked for once in the region of the host", async () => {
    let now = NOW;
    await using service = await startTestServer((request, response) =>
      json(response, 200, { echo: request.headers }),
    );
    await using tokens = await startTestServer((_, response) =>
      response.writeHead(200, { "content-type": "text/xml" }).end(answer(now + 3_600_000)),
    );
    const routes = {
      "https://dynamodb.eu-west-1.amazonaws.com": service.origin,
      "https://sts.eu-west-1.amazonaws.com": tokens.origin,
    };
    const { fetcher } = fetcherOf({ routes, account: account(), now: () => now });
    const results = [
      await fetcher.fetch({ method: "POST", url, body: "{}" }),
      await fetcher.fetch({ method: "POST", url, body: "[]" }),
    ];
    expect(tokens.requests).toHaveLength(1);
    const [asked] = tokens.requests;
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: secrets.roleArn,
      RoleSessionName: "packsmith",
      ExternalId: "ext-1",
    });
    if (asked !== undefined)
      expect(sentSignature(asked)).toBe(
        signatureOf(asked, { ...KEYS, host: "sts.eu-west-1.amazonaws.com" }),
      );
    for (const received of service.requests) {
      expect(received.headers["x-amz-security-token"]).toBe(temporary.sessionToken);
      expect(received.headers.authorization).toContain(
        `Credential=ASIATEMP/20150830/eu-west-1/dynamodb/aws4_request`,
      );
      expect(sentSignature(received)).toBe(
        signatureOf(received, { ...temporary, host: "dynamodb.eu-west-1.amazonaws.com" }),
      );
    }
    expect(JSON.stringify(results)).not.toMatch(/temporary-se/);
    now += 3_600_000 - 5 * 60_000;
    await fetcher.fetch({ method: "POST", url, body: "{}" });
    expect(tokens.requests).toHaveLength(2);
  });

  it("fail with what the token service says, and ask again next time", async () => {
    await using tokens = await startTestServer((_, response) =>
      response
        .writeHead(403, { "content-type": "text/xml" })
        .end(
          "<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized to assume</Message></Error></ErrorResponse>",
        ),
    );
    const { fetcher } = fetcherOf({
      routes: { "https://sts.eu-west-1.amazonaws.com": tokens.origin },
      account: account(),
    });
    for (const count of [1, 2]) {
      expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({
        ok: false,
        error: {
          code: "OAUTH_TOKEN_REJECTED",
          details: { status: 403, error: "AccessDenied", description: "Not authorized to assume" },
        },
      });
      expect(tokens.requests).toHaveLength(count);
    }
  });
});
