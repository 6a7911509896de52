// The types of `@codahq/packs-sdk`: type checkers that resolve that name find them here. They
// accept what existing Packs were written for, and have no code. The code is in legacy.ts.

export * from "./legacy-types/agents.ts";
export * from "./legacy-types/authentication.ts";
export * from "./legacy-types/authentication-definitions.ts";
export * from "./legacy-types/definition.ts";
export * from "./legacy-types/enumerations.ts";
export * from "./legacy-types/helpers.ts";
export * from "./legacy-types/pack.ts";
export * from "./legacy-types/shared-types.ts";
