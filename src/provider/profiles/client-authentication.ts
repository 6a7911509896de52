import type { ProviderProfile } from "../profile.ts";

/** What token endpoints expect of a client's credentials (RFC 6749 §2.3.1). */
export const CLIENT_AUTHENTICATION_PROFILES: readonly ProviderProfile[] = [
  {
    name: "basic-only",
    summary: "takes client credentials in the Authorization header alone",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"] },
  },
  {
    name: "basic-raw",
    summary: "takes Basic credentials alone, and does not form-decode them",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true },
  },
  {
    name: "body-only",
    summary: "takes client credentials in the body alone",
    needs: { credentialsLocation: "Body" },
    client: { methods: ["client_secret_post", "none"] },
  },
  {
    name: "basic-burns-code",
    summary: "takes raw Basic alone, and uses up the code of a request that authenticates otherwise",
    grant: "authorization_code",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true, burnsCode: true },
  },
];
