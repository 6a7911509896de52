export type Definition = Record<string, unknown>;

/** A formula without problems. */
export function formula(members: Definition = {}): Definition {
  return { name: "Run", description: "Runs.", parameters: [], resultType: "string", execute: () => "", ...members };
}

export function parameter(members: Definition = {}): Definition {
  return { type: "string", name: "title", description: "The title.", ...members };
}

/** An OAuth2 definition without problems. */
export function oauth2(members: Definition = {}): Definition {
  return {
    type: "OAuth2",
    authorizationUrl: "https://login.tasks.example/authorize",
    tokenUrl: "https://login.tasks.example/token",
    useProofKeyForCodeExchange: true,
    ...members,
  };
}

export function clientCredentials(members: Definition = {}): Definition {
  return { type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", ...members };
}

export function pack(members: Definition = {}): Definition {
  return { networkDomains: ["tasks.example"], formulas: [formula()], formats: [], syncTables: [], skills: [], ...members };
}

export const withFormula = (members: Definition): Definition => pack({ formulas: [formula(members)] });
export const withParameters = (...parameters: Definition[]): Definition => withFormula({ parameters });
export const withUser = (defaultAuthentication: unknown, members: Definition = {}): Definition =>
  pack({ defaultAuthentication, ...members });
export const withSystem = (systemConnectionAuthentication: unknown): Definition => pack({ systemConnectionAuthentication });
export const withSchema = (schema: unknown): Definition => withFormula({ resultType: "object", schema });
export const withProperty = (property: unknown): Definition => withSchema({ type: "object", properties: { a: property } });
