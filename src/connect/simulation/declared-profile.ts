import type { ParamValue } from "../../define/oauth-parameters.ts";
import type { DemandedParameters, ProviderProfile } from "../../provider/profile.ts";
import { STRICT } from "../../provider/profile.ts";
import type { SimulatedDefinition } from "./simulated-definition.ts";

/** The strictest provider that a definition is made for: it demands whatever the definition says that its provider demands. */
export function declaredProfile({ definition, apiOrigin, refreshUrl, tokenUrl, callback }: SimulatedDefinition): ProviderProfile {
  const { credentialsLocation, endpointKey, refreshParams } = { endpointKey: undefined, refreshParams: undefined, ...definition };
  return {
    ...STRICT,
    client:
      credentialsLocation === "AuthorizationHeader"
        ? { methods: ["client_secret_basic"] }
        : credentialsLocation === "Body"
          ? { methods: ["client_secret_post"] }
          : undefined,
    scope: { parameter: definition.scopeParamName, delimiter: definition.scopeDelimiter },
    authorization: {
      pkce: definition.useProofKeyForCodeExchange === true ? (definition.pkceChallengeMethod ?? "S256") : undefined,
      ...(Object.keys(callback).length === 0 ? {} : { callback }),
    },
    token: {
      format: definition.tokenRequestFormat,
      parameters: demanded(definition.tokenParams),
      clientCredentialsGrantType: definition.type === "OAuth2ClientCredentials" ? definition.grantType : undefined,
    },
    refresh: { ownEndpoint: refreshUrl !== tokenUrl, parameters: demanded(refreshParams) },
    answer: {
      container: definition.nestedResponseKey,
      ...(endpointKey === undefined ? {} : { beside: atPath(endpointKey, apiOrigin) }),
    },
    resource: {
      // A header of the provider's own holds the token alone, unless the definition says otherwise.
      scheme: definition.tokenPrefix ?? (definition.tokenHeaderName === undefined ? undefined : ""),
      header: definition.tokenHeaderName?.toLowerCase(),
      query: definition.tokenQueryParam || undefined,
    },
  };
}

function demanded(parameters: Readonly<Record<string, ParamValue>> | undefined): DemandedParameters | undefined {
  return parameters === undefined ? undefined : Object.fromEntries(Object.keys(parameters).map((name) => [name, ""]));
}

function atPath(path: string, value: unknown): Record<string, unknown> {
  const [name = "", ...rest] = path.split(".");
  return { [name]: rest.length === 0 ? value : atPath(rest.join("."), value) };
}
