import * as z from "zod";

export const listingChange = z.strictObject({
  member: z.string(),
  /** For people; secrets are masked. */
  from: z.string(),
  to: z.string(),
});

/** One difference between the listing as a file and the one in the registry. */
export type ListingChange = z.output<typeof listingChange>;
