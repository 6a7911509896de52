import { createSecretMatcher } from "./secret-matcher.ts";

/**
 * Removes secrets from everything that leaves the process: terminal, JSON, traces, error messages.
 */
export interface Redactor {
  /**
   * Remembers a secret of any length. Values shorter than 4 characters are ignored, because hiding
   * them would hide ordinary text.
   */
  add(secret: string | undefined): void;
  /**
   * Remembers what a search finds, which is made when there is time for it, but before anything
   * else is redacted.
   */
  addFound(search: () => Iterable<string>): void;
  /**
   * The text with every remembered secret replaced, in the forms in which it travels (see
   * `SecretMatcher`). Never throws: a text
   * that cannot be searched is not shown.
   */
  text(text: string): string;
  /**
   * A copy as plain data in which every string is redacted. For data whose member names mean
   * nothing: a result may have a member "password".
   */
  data(value: unknown): unknown;
  /**
   * A copy as plain data in which every string is redacted, and every value under a name that means
   * a secret is hidden whatever it is.
   */
  value(value: unknown): unknown;
}

const MASK = "••••";
const WITHHELD = "[not shown: this text could not be searched for secrets]";
const MAX_DEPTH = 100;

const SECRET_NAMES = new Set(
  [
    "access_token",
    "accessToken",
    "refresh_token",
    "refreshToken",
    "id_token",
    "idToken",
    "client_secret",
    "clientSecret",
    "client_assertion",
    "clientAssertion",
    "code_verifier",
    "codeVerifier",
    "password",
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "device_code",
    "registration_access_token",
  ].map((name) => name.toLowerCase()),
);

/** Whether a header, parameter or member of this name holds a secret by its nature. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase());
}

const SECRET_NAME = new RegExp(`"(?:${[...SECRET_NAMES].join("|")})"\\s*:|\\\\u`, "iu");

/**
 * Whether a JSON text may have a member whose name means a secret: much faster than parsing it. An
 * escape may hide one.
 */
export function mayNameSecret(json: string): boolean {
  return SECRET_NAME.test(json);
}

/** Creates a redactor. Every output of a process passes through one. */
export function createRedactor(): Redactor {
  const secrets = createSecretMatcher<string>();
  let searches: (() => Iterable<string>)[] = [];

  const add = (secret: string | undefined): void => {
    if (secret !== undefined) secrets.add(secret, `${MASK}${pseudonym(secret)}`);
  };

  const search = (): void => {
    const due = searches;
    searches = [];
    for (const find of due) for (const secret of find()) add(secret);
  };

  const redactText = (text: string): string => {
    try {
      if (searches.length > 0) search();
      return secrets.replace(text, (mask) => mask);
    } catch {
      return WITHHELD;
    }
  };

  const redactValue = (value: unknown, byName: boolean, path: readonly object[]): unknown => {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (value instanceof URL) return redactText(value.href);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${value.byteLength} bytes]`;
    if (path.includes(value)) return "[circular]";
    if (path.length >= MAX_DEPTH) return "[nested too deeply]";
    try {
      return redactMembers(value, byName, [...path, value]);
    } catch {
      return "[unreadable]";
    }
  };

  const redactMembers = (value: object, byName: boolean, inner: readonly object[]): unknown => {
    if (Array.isArray(value) || value instanceof Set)
      return [...value].map((item) => redactValue(item, byName, inner));
    const members =
      value instanceof Map
        ? [...value].map(([key, member]) => [String(key), member] as const)
        : listMembers(value);
    return Object.fromEntries(
      members.map(([key, member]) => [
        redactText(key),
        byName && isSecretName(key) && member !== undefined && member !== null
          ? MASK
          : redactValue(member, byName, inner),
      ]),
    );
  };

  return {
    add,
    addFound(find) {
      if (searches.length === 0) setImmediate(search);
      searches.push(find);
    },
    text: redactText,
    data: (value) => redactValue(value, false, []),
    value: (value) => redactValue(value, true, []),
  };
}

/** Own members, and what an error keeps where no enumeration finds it. */
function listMembers(value: object): (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = Object.entries(value);
  if (!(value instanceof Error)) return members;
  const { name, message, stack, cause } = value;
  return [
    ["name", name],
    ["message", message],
    ["stack", stack],
    ...(cause === undefined ? [] : [["cause", cause] as const]),
    ...members,
  ];
}

/**
 * Two characters that are stable for one secret, so that two places that show it can be compared.
 * They are derived, never cut from it.
 */
function pseudonym(secret: string): string {
  let hash = 5381;
  for (let index = 0; index < secret.length; index++)
    hash = ((hash * 33) ^ secret.charCodeAt(index)) >>> 0;
  return (hash % 1296).toString(36).padStart(2, "0");
}
