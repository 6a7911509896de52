import { describe, expect, it } from "vitest";
import { createSecretSession } from "../../../src/accounts/entered-credentials.ts";
import { findAwsPlace, signAwsRequest } from "../../../src/execute/fetch/aws-signature.ts";
import { json, startTestServer } from "../http-server.ts";
import { computeSignature, createFetcher, KEYS, NOW, sentSignature } from "./aws-requests.ts";

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
    expect(findAwsPlace(url)).toEqual({ region, domain }),
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
      const { fetcher, records } = createFetcher({ routes: { [origin]: server.origin }, account });
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
        computeSignature(received, { ...KEYS, host: new URL(origin).host }),
      );
      expect(received.headers.authorization).toContain("x-amz-target");
      expect(JSON.stringify(records)).not.toContain(KEYS.secretAccessKey);
      // Whoever changes anything breaks it.
      expect(sentSignature(received)).not.toBe(
        computeSignature(
          { ...received, body: `${received.body}x` },
          { ...KEYS, host: new URL(origin).host },
        ),
      );
    },
  );
});
