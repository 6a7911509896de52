import type { ClientCredentials } from "../oauth/token-set.ts";

/**
 * The client of a simulated account. Form-encoding changes its secret, so a server that reads Basic credentials in another
 * way than they are written refuses them.
 */
export const SIMULATED_CLIENT: ClientCredentials = { clientId: "packsmith-auth-test", clientSecret: "secret+of/the=test%client" };
