import * as z from "zod";

export const accountCheck = z.strictObject({
  /** Type of the authentication. */
  type: z.string(),
  /** Names of the account's credentials. */
  fields: z.array(z.string()),
  /**
   * The account's display name; absent if the Pack has no `getConnectionName`, so that no request
   * was sent.
   */
  connectionName: z.string().optional(),
});

/** An account that was tried. */
export type AccountCheck = z.output<typeof accountCheck>;
