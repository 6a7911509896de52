import {
  AuthenticationType,
  type ExecutionContext,
  type PackDefinitionBuilder,
  type QueryParams,
  withQueryParams,
} from "packsmith";

// Replace the example host with the host of your API.
const API = "https://api.work.example";

/** Sets the host and the authentication, which are the same for all Packs in this repository. */
export function useApi(pack: PackDefinitionBuilder): void {
  pack.addNetworkDomain("work.example");
  pack.setUserAuthentication({
    type: AuthenticationType.HeaderBearerToken,
    instructionsUrl: "https://work.example/help/tokens",
    getConnectionName: async (context) => (await getJson<{ name: string }>(context, "/me"))?.name,
  });
}

/** Sends a request with the account of the user. */
export async function getJson<Body>(
  context: ExecutionContext,
  path: string,
  params: QueryParams = {},
): Promise<Body | undefined> {
  const { body } = await context.fetcher.fetch<Body>({
    method: "GET",
    url: withQueryParams(`${API}${path}`, params),
  });
  return body;
}
