import { expect, it } from "vitest";
import { findNeeds } from "../../src/connect/find-needs.ts";
import { PackError } from "../../src/errors.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";

const DEFINITION: OAuthDefinition = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.tasks.example/oauth/token",
  scopes: ["read", "write"],
};

it.each([
  "The scope is malformed: separate scopes with ,",
  "scopes must be separated by commas",
  "Separate scopes with a comma.",
  "the scope parameter is a comma-separated list",
  "scopes are delimited by ,",
])("finds the delimiter of scopes in: %s", (description) => {
  expect(findNeeds(refusal(description), DEFINITION, [])).toEqual({ scopeDelimiter: "," });
});

it.each(["scopes must be separated by spaces", "The scope read, write is not known"])(
  "needs no other delimiter after: %s",
  (description) => {
    expect(findNeeds(refusal(description), DEFINITION, [])).toBeUndefined();
  },
);

function refusal(description: string): PackError {
  return new PackError("OAUTH_TOKEN_REJECTED", "The provider refused the token request.", {
    details: { status: 400, error: "invalid_scope", description },
    hint: undefined,
  });
}
