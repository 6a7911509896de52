import { isLoopbackHost } from "../define/hosts.ts";
import { parseUrl } from "../shared/urls.ts";
import { isRecord, type Members } from "../shared/values.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { describeKind } from "./shape.ts";

export type UrlMember = keyof typeof STEMS;

/** The beginning of the codes of each member. */
const STEMS = {
  authorizationUrl: "AUTH_AUTHORIZATION_URL",
  tokenUrl: "AUTH_TOKEN_URL",
  refreshUrl: "AUTH_REFRESH_URL",
  endpointUrl: "AUTH_ENDPOINT_URL",
  pushedAuthorizationUrl: "AUTH_AUTHORIZATION_URL",
  clientMetadataUrl: "AUTH_AUTHORIZATION_URL",
  "tokenExchange.url": "AUTH_TOKEN_URL",
  "tokenRenewal.url": "AUTH_TOKEN_URL",
} as const;
const LEAVES: Readonly<Record<UrlMember, string>> = {
  authorizationUrl: "/authorize",
  tokenUrl: "/token",
  refreshUrl: "/token",
  endpointUrl: "/v1",
  pushedAuthorizationUrl: "/par",
  clientMetadataUrl: "/client.json",
  "tokenExchange.url": "/token",
  "tokenRenewal.url": "/token",
};

/** The URLs of both OAuth2 types. */
export function checkOAuthUrls(authentication: Members, path: Path, report: Report): void {
  const isCode = authentication["type"] === "OAuth2";
  const hasOwnEndpoint =
    authentication["requiresEndpointUrl"] === true &&
    (!isCode || authentication["endpointKey"] === undefined);
  // With a code flow the user enters the endpoint first, so only relative URLs make sense.
  const form: UrlForm = !hasOwnEndpoint ? "absolute" : isCode ? "relative" : "either";
  const { useDynamicClientRegistration, issuer, resource } = authentication;
  const isDiscovered =
    useDynamicClientRegistration === true ||
    typeof issuer === "string" ||
    typeof resource === "string";
  for (const member of isCode
    ? (["authorizationUrl", "tokenUrl"] as const)
    : (["tokenUrl"] as const)) {
    const value = authentication[member];
    if (value === "" || (value === undefined && !(isCode && isDiscovered))) {
      report(
        `${STEMS[member]}_MISSING`,
        [...path, member],
        `${member} is missing.`,
        `Add ${member}: ${example(member, form)}.`,
      );
    } else checkUrlMember(member, value, form, [...path, member], report);
  }
  checkUrlMember("refreshUrl", authentication["refreshUrl"], form, [...path, "refreshUrl"], report);
  checkUrlMember(
    "endpointUrl",
    authentication["endpointUrl"],
    "absolute",
    [...path, "endpointUrl"],
    report,
  );
  checkUrlMember(
    "pushedAuthorizationUrl",
    authentication["pushedAuthorizationUrl"],
    form,
    [...path, "pushedAuthorizationUrl"],
    report,
  );
  checkUrlMember(
    "clientMetadataUrl",
    authentication["clientMetadataUrl"],
    "absolute",
    [...path, "clientMetadataUrl"],
    report,
  );
  for (const member of ["tokenExchange", "tokenRenewal"] as const) {
    const request = authentication[member];
    if (isRecord(request))
      checkUrlMember(`${member}.url`, request["url"], form, [...path, member, "url"], report);
  }
  checkResource(
    authentication["resource"],
    isCode && form === "relative",
    [...path, "resource"],
    report,
  );
}

type UrlForm = "absolute" | "relative" | "either";

function checkUrlMember(
  member: UrlMember,
  value: unknown,
  form: UrlForm,
  path: Path,
  report: Report,
): void {
  if (value === undefined) return;
  if (typeof value !== "string") {
    report(
      "MEMBER_TYPE",
      path,
      `${member} must be text, not ${describeKind(value)}.`,
      `Write ${example(member, form)}.`,
    );
    return;
  }
  const invalid: IssueCode = `${STEMS[member]}_INVALID`;
  if (value.startsWith("/")) {
    if (form === "absolute") {
      const hint = `Write ${example(member, form)}, or set requiresEndpointUrl: true and leave out endpointKey.`;
      report(
        invalid,
        path,
        `${member} is relative, but packsmith needs this URL before it knows the endpoint.`,
        hint,
      );
    } else if (!isRootRelative(value)) {
      report(
        invalid,
        path,
        `${member} must be a path on the endpoint.`,
        "Start the path with exactly one slash.",
      );
    } else if (hasDotSegment(value)) {
      report(
        invalid,
        path,
        `${member} points outside of the endpoint's path.`,
        "Remove the segments . and .. from the path.",
      );
    }
    return;
  }
  if (form === "relative") {
    const hint = `Write the path only, such as ${example(member, form)}, or remove requiresEndpointUrl.`;
    report(invalid, path, `${member} is absolute, but each account has its own endpoint.`, hint);
    return;
  }
  // A template is checked once its placeholders are filled.
  if (!/[{}]/.test(value)) checkAbsoluteUrl(member, value, path, report);
}

/** A URL without placeholders: https, or http on this machine, without user info. */
export function checkAbsoluteUrl(
  member: UrlMember,
  value: string,
  path: Path,
  report: Report,
): void {
  const stem = STEMS[member];
  const url = /\s/.test(value) ? undefined : parseUrl(value);
  if (url === undefined) {
    report(
      `${stem}_INVALID`,
      path,
      `${member} is not a valid URL.`,
      `Write ${example(member, "absolute")}.`,
    );
  } else if (url.protocol === "http:" && isLoopbackHost(url.host)) {
    report(
      "AUTH_URL_LOOPBACK",
      path,
      `${member} is an http URL on this machine, so the Pack works only on this machine.`,
      "Write the public https URL.",
    );
  } else if (url.protocol !== "https:") {
    report(
      `${stem}_INSECURE`,
      path,
      `${member} uses ${url.protocol.slice(0, -1)}, not https.`,
      `Write ${example(member, "absolute")}.`,
    );
  } else if (url.username !== "" || url.password !== "") {
    report(
      `${stem}_INVALID`,
      path,
      `${member} contains a user name or a password.`,
      "Remove the part before @.",
    );
  }
}

function checkResource(resource: unknown, isRelative: boolean, path: Path, report: Report): void {
  if (typeof resource !== "string") return;
  if (
    isRelative
      ? isRootRelative(resource) || parseUrl(resource) !== undefined
      : parseUrl(resource) !== undefined
  )
    return;
  report(
    "AUTH_RESOURCE_INVALID",
    path,
    "resource is not an absolute URL.",
    "Write a URL such as https://host/path.",
  );
}

/** One leading slash, not `//` and not `/\`, which a browser reads as another host. */
export function isRootRelative(value: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(value);
}

/** A `.` or `..` segment, which is refused when the URL is joined to the endpoint. */
function hasDotSegment(value: string): boolean {
  const [path = ""] = value.split(/[?#]/);
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

function example(member: UrlMember, form: UrlForm): string {
  const leaf = LEAVES[member];
  return form === "relative"
    ? `"${leaf}"`
    : `an https URL such as "https://login.host.example${leaf}"`;
}
