import {
  isSecretAuthentication,
  listSecretFields,
  type SecretAuthentication,
} from "../../define/authentication.ts";
import { addSecrets } from "../../execute/fetch/credentials.ts";
import type { ApiRequest } from "../../provider/options.ts";

/**
 * Invents the credentials of an account without OAuth.
 * @param token the token, if a server has made one already
 */
export function inventSecrets(
  authentication: SecretAuthentication,
  randomText: () => string,
  token: string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    listSecretFields(authentication)
      .filter(({ isOptional }) => !isOptional)
      .map(({ name, isHidden }) => [
        name,
        name === "token" && token !== undefined ? token : isHidden ? randomText() : `local-${name}`,
      ]),
  );
}

/** Makes the check whether a request carries credentials where the authentication puts them. */
export function createSecretCheck(
  authentication: SecretAuthentication,
  secrets: Readonly<Record<string, string>>,
): (request: ApiRequest) => boolean {
  switch (authentication.type) {
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return ({ headers }) =>
        headers.authorization?.startsWith(
          `AWS4-HMAC-SHA256 Credential=${secrets["accessKeyId"] ?? ""}/`,
        ) === true;
    case "Custom":
      // The Pack decides where they go.
      return ({ path, query, headers, body }) => {
        const sent = [
          path,
          decodeBasic(headers.authorization),
          ...query.values(),
          ...Object.values(headers),
          body,
        ]
          .flat()
          .join("\n");
        return Object.values(secrets).every((secret) => sent.includes(secret));
      };
    default:
      return createPlaceCheck(authentication, secrets);
  }
}

function createPlaceCheck(
  authentication: SecretAuthentication,
  secrets: Readonly<Record<string, string>>,
): (request: ApiRequest) => boolean {
  const empty = { url: "https://api.example/", headers: {}, body: undefined };
  const expected = addSecrets(empty, { authentication, secrets }, "");
  const query = [...new URL(expected.url).searchParams];
  const headers = Object.entries(expected.headers);
  return (request) =>
    query.every(([name, value]) => request.query.get(name) === value) &&
    headers.every(([name, value]) => request.headers[name.toLowerCase()] === value);
}

function decodeBasic(header: string | undefined): string {
  const [, text = ""] = /^Basic (.+)$/i.exec(header ?? "") ?? [];
  return Buffer.from(text, "base64").toString();
}

/** Whether credentials of this authentication can be invented. A role needs an account at AWS. */
export function canInventSecrets(
  authentication: Parameters<typeof isSecretAuthentication>[0],
): authentication is SecretAuthentication {
  return isSecretAuthentication(authentication) && authentication.type !== "AWSAssumeRole";
}
