import type { SigningAlgorithm } from "../define/oauth.ts";
import type { Path, Report } from "./report.ts";
import { type Members, reportUnknownValue } from "./shape.ts";

const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
  ...(["ES256", "ES384", "ES512", "EdDSA"] as const),
];

/** How a client proves who it is: one way (rule 37), and a key only where something is signed. */
export function checkClientAuthentication(authentication: Members, path: Path, report: Report): void {
  const { clientAuthentication, signingAlgorithm, credentialsLocation, useDynamicClientRegistration } = authentication;
  const at = [...path, "clientAuthentication"];
  if (typeof clientAuthentication === "string" && clientAuthentication !== "private_key_jwt") {
    reportUnknownValue("AUTH_CLIENT_AUTHENTICATION", clientAuthentication, ["private_key_jwt"], at, report);
  }
  if (clientAuthentication !== undefined && credentialsLocation !== undefined) {
    const message = "credentialsLocation says where a client secret goes; with private_key_jwt there is none.";
    report("AUTH_CLIENT_AUTHENTICATION_CONFLICT", [...path, "credentialsLocation"], message, "Remove it.", { kind: "remove" });
  }
  if (clientAuthentication !== undefined && useDynamicClientRegistration === true) {
    const message = "A client that registers itself has no private key that the server knows.";
    report("AUTH_CLIENT_AUTHENTICATION_CONFLICT", at, message, "Remove useDynamicClientRegistration, or clientAuthentication.");
  }
  const { dpop, tokenHeaderName, tokenQueryParam, tokenPrefix } = authentication;
  const isElsewhere = tokenHeaderName !== undefined || tokenQueryParam !== undefined;
  if (dpop === true && (isElsewhere || (typeof tokenPrefix === "string" && !/^(?:bearer|dpop)$/i.test(tokenPrefix)))) {
    const message = "A bound token travels as Authorization: DPoP <token>, and the definition sends it in another way.";
    report("AUTH_DPOP_TOKEN_PLACE", [...path, "dpop"], message, "Remove dpop, or tokenHeaderName, tokenQueryParam and tokenPrefix.");
  }
  const algorithmPath = [...path, "signingAlgorithm"];
  if (typeof signingAlgorithm === "string" && !SIGNING_ALGORITHMS.some((name) => name === signingAlgorithm)) {
    reportUnknownValue("AUTH_SIGNING_ALGORITHM", signingAlgorithm, SIGNING_ALGORITHMS, algorithmPath, report);
  } else if (signingAlgorithm !== undefined && clientAuthentication === undefined) {
    const message = "signingAlgorithm has no effect: nothing is signed.";
    report("AUTH_SIGNING_ALGORITHM", algorithmPath, message, 'Add clientAuthentication: "private_key_jwt", or remove it.');
  }
}
