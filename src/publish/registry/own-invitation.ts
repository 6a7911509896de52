import * as z from "zod";

export const ownInvitation = z.strictObject({
  invitationId: z.string(),
  packId: z.int(),
  packName: z.string(),
  access: z.string(),
  expiresAt: z.string(),
  makers: z.array(z.string()).describe("Email addresses of the makers of the Pack."),
  networkDomains: z.array(z.string()).describe("Domains that the Pack sends requests to."),
});
/** An invitation of the user of the token. */
export type OwnInvitationSummary = z.output<typeof ownInvitation>;
