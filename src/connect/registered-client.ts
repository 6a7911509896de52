import * as z from "zod";

export const registeredClient = z.strictObject({
  clientId: z.string(),
  redirectUri: z.string(),
  account: z.string(),
});

/** A client that an authorization server registered for a Pack. */
export type RegisteredClient = z.output<typeof registeredClient>;
