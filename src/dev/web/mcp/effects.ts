/** What the hints of a server say about a tool, in a word, and how it is marked. */
export const EFFECTS = {
  reads: ["read-only", "neutral"],
  deletes: ["destructive", "warn"],
} as const;
