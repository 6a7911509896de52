/**
 * A Pack whose account is connected on a provider's page, and which says what the account is
 * called.
 */
export const OAUTH_PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: sdk.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token",
  scopes: ["tasks:read", "tasks:write"],
  useProofKeyForCodeExchange: true,
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/me" });
    return body.name;
  },
});
pack.addFormula({
  name: "WhoAmI",
  description: "Says whose account it is.",
  parameters: [],
  resultType: sdk.ValueType.String,
  execute: async (_, context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/me?fields=name" });
    return body.name;
  },
});
`;

/** A Pack with several kinds of entered credentials. */
export const KEY_PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("notes.example");
pack.setUserAuthentication({
  type: sdk.AuthenticationType.CustomHeaderToken,
  headerName: "X-Notes-Key",
  requiresEndpointUrl: true,
  endpointDomain: "notes.example",
  instructionsUrl: "https://help.notes.example/keys",
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "/me" });
    return body.name;
  },
});
pack.setSystemAuthentication({ type: sdk.AuthenticationType.WebBasic });
pack.addFormula({
  name: "Note",
  description: "Reads a note.",
  parameters: [sdk.makeParameter({ type: "string", name: "id", description: "Which one." })],
  resultType: sdk.ValueType.String,
  execute: async ([id], context) => {
    const url = sdk.withQueryParams("/notes", { id });
    const { body } = await context.fetcher.fetch({ method: "POST", url, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ quote: "it's \\"$HOME\\" \`x\`" }) });
    return body.text;
  },
});
`;
