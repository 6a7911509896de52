import { AuthenticationType, newPack, ValueType } from "packsmith";

export const pack = newPack();

// Replace the example hosts with the hosts of your API.
pack.addNetworkDomain("api.example");

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2ClientCredentials,
  tokenUrl: "https://login.api.example/token",
  scopes: ["profile"],
});

pack.addFormula({
  name: "GrantedScopes",
  description: "The scopes that the API granted to this client.",
  parameters: [],
  resultType: ValueType.Array,
  items: { type: ValueType.String },
  execute: async (_args, context) => {
    const { body } = await context.fetcher.fetch<{ scopes: string[] }>({
      method: "GET",
      url: "https://login.api.example/me",
    });
    return body?.scopes ?? [];
  },
});
