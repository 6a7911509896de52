/**
 * What a change means for the users of a Pack. `breaking`: something in their documents stops
 * working, or they have to act.
 * `review`: it may be breaking, and a person has to judge. `safe`: everything that works keeps working.
 */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** The least serious one first. */
export const CHANGE_CLASSES = ["safe", "review", "breaking"] as const;

/** Every kind of change with its class. A code never changes its meaning. */
export const CHANGE_CODES = {
  BLOCK_REMOVED: "breaking",
  BLOCK_ADDED: "safe",
  FORMAT_RENAMED: "safe",
  FORMAT_FORMULA_CHANGED: "breaking",
  VISIBILITY_CHANGED: "safe",
  PARAMETER_REMOVED: "breaking",
  PARAMETER_REQUIRED: "breaking",
  PARAMETER_OPTIONAL: "safe",
  PARAMETER_ADDED: "safe",
  PARAMETER_INSERTED: "breaking",
  PARAMETER_MOVED: "breaking",
  PARAMETER_RENAMED: "review",
  TYPE_CHANGED: "breaking",
  PROPERTY_REMOVED: "breaking",
  PROPERTY_ADDED: "safe",
  PROPERTY_RENAMED: "review",
  PROPERTY_LESS_CERTAIN: "review",
  PROPERTY_MORE_CERTAIN: "safe",
  IDENTITY_CHANGED: "breaking",
  EDITING_REMOVED: "breaking",
  EDITING_ADDED: "safe",
  CONNECTION_REQUIRED: "breaking",
  CONNECTION_CHANGED: "breaking",
  AUTHENTICATION_CHANGED: "breaking",
  SCOPE_ADDED: "safe",
  SCOPE_REMOVED: "review",
  DOMAIN_ADDED: "review",
  DOMAIN_REMOVED: "review",
  TEXT_CHANGED: "safe",
  BEHAVIOUR_CHANGED: "review",
  CODE_CHANGED: "safe",
} as const satisfies Record<string, ChangeClass>;

export type ChangeCode = keyof typeof CHANGE_CODES;
