import { describe, expect, it } from "vitest";
import { createSecretSession } from "../../../src/accounts/entered-credentials.ts";
import { json, startTestServer } from "../http-server.ts";
import { computeSignature, createFetcher, KEYS, NOW, sentSignature } from "./aws-requests.ts";

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
    const { fetcher } = createFetcher({ routes, account: account(), now: () => now });
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
        computeSignature(asked, { ...KEYS, host: "sts.eu-west-1.amazonaws.com" }),
      );
    for (const received of service.requests) {
      expect(received.headers["x-amz-security-token"]).toBe(temporary.sessionToken);
      expect(received.headers.authorization).toContain(
        `Credential=ASIATEMP/20150830/eu-west-1/dynamodb/aws4_request`,
      );
      expect(sentSignature(received)).toBe(
        computeSignature(received, { ...temporary, host: "dynamodb.eu-west-1.amazonaws.com" }),
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
    const { fetcher } = createFetcher({
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
