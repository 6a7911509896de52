import { expect, it } from "vitest";
import type { OAuth2ClientCredentialsAuthentication } from "../../../src/define/oauth.ts";
import { requestClientCredentialsToken } from "../../../src/oauth/run/client-credentials.ts";
import { baseTokens, startTokenServer } from "../../support/token-server.ts";

const client = { clientId: "client-1", clientSecret: "planted-secret" };

// docs/rules.md: rule 20, 21
it.each<[string, Partial<OAuth2ClientCredentialsAuthentication>, string[]]>([
  ["endpointDomain", { endpointDomain: "tasks.example" }, []],
  [
    "network domain of the authentication",
    { networkDomain: "tasks.example" },
    ["tasks.example", "other.example"],
  ],
  ["network domains of the Pack", {}, ["tasks.example"]],
])(
  "sends the client secret to no entered endpoint outside the %s",
  async (_, members, networkDomains) => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const definition = {
      type: "OAuth2ClientCredentials",
      tokenUrl: "/token",
      requiresEndpointUrl: true,
      ...members,
    } as const;
    const request = (endpoint: string) =>
      requestClientCredentialsToken({
        definition,
        client,
        networkDomains,
        endpoint,
        routes: { "https://eviltasks.example": server.url, "https://eu.tasks.example": server.url },
      });
    await expect(request("https://eviltasks.example")).rejects.toMatchObject({
      code: "ENDPOINT_OUTSIDE_DOMAIN",
    });
    expect(server.requests).toEqual([]);
    expect(await request("https://eu.tasks.example")).toMatchObject({ accessToken: "at" });
  },
);
