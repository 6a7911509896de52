import { isLoopbackHost } from "../define/hosts.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { kindOf, type Members } from "./shape.ts";

type UrlMember = "authorizationUrl" | "tokenUrl";

/** Rules 8, 9, 12, 14 to 20 and A1: the URLs of both OAuth2 types. */
export function checkOAuthUrls(authentication: Members, path: Path, report: Report): void {
  const isCode = authentication["type"] === "OAuth2";
  const hasOwnEndpoint = authentication["requiresEndpointUrl"] === true && (!isCode || authentication["endpointKey"] === undefined);
  // With a code flow the user names the endpoint first, so that relative URLs are the only ones that can be meant.
  const form: UrlForm = !hasOwnEndpoint ? "absolute" : isCode ? "relative" : "either";
  for (const member of isCode ? (["authorizationUrl", "tokenUrl"] as const) : (["tokenUrl"] as const)) {
    const isOptional = isCode && authentication["useDynamicClientRegistration"] === true;
    checkUrlMember(member, authentication[member], form, isOptional, [...path, member], report);
  }
  checkResource(authentication["resource"], isCode && form === "relative", [...path, "resource"], report);
}

type UrlForm = "absolute" | "relative" | "either";

function checkUrlMember(member: UrlMember, value: unknown, form: UrlForm, isOptional: boolean, path: Path, report: Report): void {
  const stem = member === "tokenUrl" ? "AUTH_TOKEN_URL" : "AUTH_AUTHORIZATION_URL";
  const code = (end: "MISSING" | "INVALID" | "INSECURE"): IssueCode => `${stem}_${end}`;
  if (value === undefined || value === "") {
    if (!isOptional || value === "") report(code("MISSING"), path, `${member} is missing.`, `Add ${member}: ${example(member, form)}.`);
    return;
  }
  if (typeof value !== "string") {
    report("MEMBER_TYPE", path, `${member} must be text, not ${kindOf(value)}.`, `Write ${example(member, form)}.`);
    return;
  }
  if (value.startsWith("/")) {
    if (form === "absolute") {
      const hint = `Write ${example(member, form)}, or set requiresEndpointUrl: true and leave endpointKey out.`;
      report(code("INVALID"), path, `${member} is relative, but no endpoint is known when it is used.`, hint);
    } else if (!isRootRelative(value)) {
      report(code("INVALID"), path, `${member} is not a path on the endpoint.`, "Begin it with exactly one slash.");
    }
    return;
  }
  if (form === "relative") {
    const hint = `Write the path only, such as ${example(member, form)}, or remove requiresEndpointUrl.`;
    report(code("INVALID"), path, `${member} is absolute, but each account has an endpoint of its own.`, hint);
    return;
  }
  checkAbsolute(member, value, path, report);
}

function checkAbsolute(member: UrlMember, value: string, path: Path, report: Report): void {
  const stem = member === "tokenUrl" ? "AUTH_TOKEN_URL" : "AUTH_AUTHORIZATION_URL";
  const url = /\s/.test(value) ? undefined : parseUrl(value);
  if (url === undefined) {
    report(`${stem}_INVALID`, path, `${member} is not a URL.`, `Write ${example(member, "absolute")}.`);
  } else if (url.protocol === "http:" && isLoopbackHost(url.host)) {
    report("AUTH_URL_LOOPBACK", path, `${member} is http on this machine, which works in development only.`, "Write the public https URL.");
  } else if (url.protocol !== "https:") {
    report(`${stem}_INSECURE`, path, `${member} uses ${url.protocol.slice(0, -1)}, not https.`, `Write ${example(member, "absolute")}.`);
  } else if (url.username !== "" || url.password !== "") {
    report(`${stem}_INVALID`, path, `${member} carries user info.`, "Remove the part before @.");
  }
}

function checkResource(resource: unknown, isRelative: boolean, path: Path, report: Report): void {
  if (typeof resource !== "string") return;
  if (isRelative ? isRootRelative(resource) || parseUrl(resource) !== undefined : parseUrl(resource) !== undefined) return;
  report("AUTH_RESOURCE_INVALID", path, "resource is not an absolute URL.", "Write it as https://host/path.");
}

/** One leading slash, not `//` and not `/\` (rule 16). */
export function isRootRelative(value: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(value);
}

export function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

function example(member: UrlMember, form: UrlForm): string {
  const leaf = member === "tokenUrl" ? "/token" : "/authorize";
  return form === "relative" ? `"${leaf}"` : `an https URL such as "https://login.host.example${leaf}"`;
}
