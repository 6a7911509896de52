import { AuthenticationType, type ExecutionContext, type PackDefinitionBuilder, type QueryParams, withQueryParams } from "packsmith";

// Replace the example host by that of the API that these Packs call.
const API = "https://api.work.example";

/** What every Pack of this repository has in common: the host and the way to connect. */
export function useApi(pack: PackDefinitionBuilder): void {
  pack.addNetworkDomain("work.example");
  pack.setUserAuthentication({
    type: AuthenticationType.HeaderBearerToken,
    instructionsUrl: "https://work.example/help/tokens",
    getConnectionName: async (context) => (await getJson<{ name: string }>(context, "/me"))?.name,
  });
}

/** Asks the API with the account of the user. */
export async function getJson<Body>(context: ExecutionContext, path: string, params: QueryParams = {}): Promise<Body | undefined> {
  const { body } = await context.fetcher.fetch<Body>({ method: "GET", url: withQueryParams(`${API}${path}`, params) });
  return body;
}
