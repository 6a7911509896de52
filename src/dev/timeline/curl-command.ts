import {
  type Authentication,
  isSecretAuthentication,
  listSecretFields,
} from "../../define/authentication.ts";
import { addCredentials, addSecrets } from "../../execute/fetch/credentials.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import { applyRoutes, type Routes } from "../../oauth/routes.ts";
import type { CurlView } from "../wire/timeline.ts";

export interface CurlOptions {
  /** Whose credentials the request carried. */
  authentication: Authentication | undefined;
  routes: Routes;
}

type Sent = Pick<ExchangeDetail, "method" | "url" | "requestHeaders" | "requestBody">;

/** Mark a shell variable inside a text. The marks survive URL encoding. */
const OPEN = "\u0001";
const CLOSE = "\u0002";
const VARIABLE = /(?:\u0001|%01)([A-Z][A-Z0-9_]*)(?:\u0002|%02)/g;
/** What the redactor writes in place of a secret. */
const MASK = /••••[0-9a-z]{0,2}/g;
/** Headers that curl writes itself. */
const OWN_HEADERS = new Set(["content-length", "host", "connection", "accept-encoding"]);

/**
 * A request as a command for a POSIX shell. It contains no secrets: each is a shell variable that
 * the user sets. All other
 * text is in single quotes, so that the shell does not interpret it.
 */
export function curlCommand(detail: Sent, { authentication, routes }: CurlOptions): CurlView {
  const named = nameMasks(detail);
  const { url, headers, user, body, extra } = withCredentials(named, authentication);
  const isPlainGet = detail.method === "GET" && body === undefined;
  const parts = [
    // Without --globoff, curl reads brackets in a URL as a pattern.
    `curl${/[[\]{}]/.test(url) ? " --globoff" : ""} ${quote(applyRoutes(url, routes))}`,
    ...(isPlainGet || (detail.method === "POST" && body !== undefined)
      ? []
      : [`-X ${quote(detail.method)}`]),
    ...Object.entries(headers)
      .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...(user === undefined ? [] : [`-u ${quote(user)}`]),
    ...extra,
    ...bodyOption(body),
  ];
  const text = parts.join(" \\\n  ");
  return {
    text,
    variables: [
      ...new Set([...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)\}/g)].map(([, name]) => name ?? "")),
    ],
  };
}

interface Command {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Name and password for Basic. */
  user?: string | undefined;
  extra: string[];
}

/** Puts the credentials back in their place, as variables. */
function withCredentials(command: Command, authentication: Authentication | undefined): Command {
  if (authentication === undefined) return command;
  if (authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials") {
    return { ...command, ...addCredentials(command, authentication, variable("ACCESS_TOKEN")) };
  }
  if (!isSecretAuthentication(authentication)) return command;
  switch (authentication.type) {
    case "WebBasic":
      return {
        ...command,
        user: `${variable("USERNAME")}:${authentication.uxConfig?.usernameOnly === true ? "" : variable("PASSWORD")}`,
      };
    case "AWSAccessKey":
    case "AWSAssumeRole": {
      const region =
        /\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(new URL(command.url).hostname)?.[1] ?? "us-east-1";
      const user = `${variable("AWS_ACCESS_KEY_ID")}:${variable("AWS_SECRET_ACCESS_KEY")}`;
      return {
        ...command,
        user,
        extra: [`--aws-sigv4 ${quote(`aws:amz:${region}:${authentication.service}`)}`],
      };
    }
    default: {
      const secrets = Object.fromEntries(
        listSecretFields(authentication).map(({ name }) => [name, variable(name)]),
      );
      const filled = addSecrets(command, { authentication, secrets }, "");
      return {
        ...command,
        url: filled.url,
        headers: filled.headers,
        body: filled.body === undefined ? undefined : String(filled.body),
      };
    }
  }
}

/** Replaces masked secrets with variables, named after the header or parameter. */
function nameMasks({ url, requestHeaders, requestBody }: Sent): Command {
  const headers: Record<string, string> = {};
  let user: string | undefined;
  for (const [name, value] of Object.entries(requestHeaders)) {
    if (name.toLowerCase() === "authorization" && /^Basic ••••/.test(value))
      user = `${variable("CLIENT_ID")}:${variable("CLIENT_SECRET")}`;
    else
      headers[name] = value.replace(MASK, () =>
        variable(name.toLowerCase() === "authorization" ? "ACCESS_TOKEN" : name),
      );
  }
  return {
    url: nameIn(url),
    headers,
    body: requestBody === undefined ? undefined : nameIn(requestBody),
    user,
    extra: [],
  };
}

/** In `code=••••` and `"code": "••••"`, the name says what is masked. */
function nameIn(text: string): string {
  return text
    .replace(
      /([\w.-]{1,60})(=|"\s*:\s*")••••[0-9a-z]{0,2}/g,
      (_, name: string, between: string) => `${name}${between}${variable(name)}`,
    )
    .replace(MASK, variable("SECRET"));
}

function variable(name: string): string {
  const shell = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  return `${OPEN}${/^[A-Z]/.test(shell) ? shell : `SECRET_${shell}`}${CLOSE}`;
}

function bodyOption(body: string | undefined): string[] {
  if (body === undefined) return [];
  // The timeline does not store binary bodies.
  return [/^\[\d+ bytes\]$/.test(body) ? "--data-binary @body.bin" : `--data-raw ${quote(body)}`];
}

/**
 * Quotes a text for a POSIX shell: single quotes around the text, double quotes around the
 * variables in it.
 */
function quote(text: string): string {
  const literal = (part: string) =>
    part === "" ? "" : `'${part.replaceAll("\u0000", "").replaceAll("'", "'\\''")}'`;
  const parts = text
    .split(VARIABLE)
    .map((part, index) => (index % 2 === 0 ? literal(part) : `"\${${part}}"`));
  return parts.join("") || "''";
}
