import { AuthenticationType, newPack, ValueType } from "packsmith";

export const pack = newPack();

// Replace the example hosts with the hosts of your API.
pack.addNetworkDomain("api.example");

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://login.api.example/authorize",
  tokenUrl: "https://login.api.example/token",
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch<{ name: string }>({
      method: "GET",
      url: "https://login.api.example/me",
    });
    return body?.name;
  },
});

pack.addFormula({
  name: "MyName",
  description: "The name of the connected user.",
  parameters: [],
  resultType: ValueType.String,
  execute: async (_args, context) => {
    const { body } = await context.fetcher.fetch<{ name: string }>({
      method: "GET",
      url: "https://login.api.example/me",
    });
    return body?.name ?? "";
  },
});
