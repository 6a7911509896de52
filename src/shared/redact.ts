/** Removes secrets from everything that leaves the process: terminal, JSON, traces, error messages. */
export interface Redactor {
  /** Remembers a secret. Values shorter than 4 characters are ignored, because hiding them would hide ordinary text. */
  add(secret: string | undefined): void;
  /** Remembers what a search finds, which is made when there is time for it, but before anything else is redacted. */
  addFound(search: () => Iterable<string>): void;
  /** The text with every remembered secret replaced, in the forms in which it travels (plain, percent-encoded, form-encoded, base64, base64url, JSON). */
  text(text: string): string;
  /** A copy as plain data in which every string is redacted. For data whose member names mean nothing: a result may have a member "password". */
  data(value: unknown): unknown;
  /** A copy as plain data in which every string is redacted, and every value under a name that means a secret is hidden whatever it is. */
  value(value: unknown): unknown;
}

const MIN_SECRET_LENGTH = 4;
const MASK = "••••";
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

/** Whether a JSON text may have a member whose name means a secret: much faster than parsing it. An escape may hide one. */
export function mayNameSecret(json: string): boolean {
  return SECRET_NAME.test(json);
}

/** Creates a redactor. Every output of a process passes through one. */
export function createRedactor(): Redactor {
  const secrets = new Map<string, string>();
  let searches: (() => Iterable<string>)[] = [];
  let pattern: RegExp | undefined;

  const add = (secret: string | undefined): void => {
    if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return;
    const mask = `${MASK}${pseudonym(secret)}`;
    for (const form of travellingForms(secret)) if (form.length >= MIN_SECRET_LENGTH) secrets.set(form, mask);
    pattern = undefined;
  };

  const search = (): void => {
    const due = searches;
    searches = [];
    for (const find of due) for (const secret of find()) add(secret);
  };

  const redactText = (text: string): string => {
    if (searches.length > 0) search();
    if (secrets.size === 0 || text === "") return text;
    // Longest first, so that a secret that contains another is replaced completely.
    pattern ??= new RegExp(
      [...secrets.keys()]
        .sort((a, b) => b.length - a.length)
        .map(escapePattern)
        .join("|"),
      "g",
    );
    return text.replace(pattern, (found) => secrets.get(found) ?? MASK);
  };

  const redactValue = (value: unknown, byName: boolean, path: readonly object[]): unknown => {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (value instanceof URL) return redactText(value.href);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (path.includes(value)) return "[circular]";
    if (path.length >= MAX_DEPTH) return "[nested too deeply]";
    const inner = [...path, value];
    if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => redactValue(item, byName, inner));
    const members = value instanceof Map ? [...value].map(([key, member]) => [String(key), member] as const) : membersOf(value);
    return Object.fromEntries(
      members.map(([key, member]) => [
        redactText(key),
        byName && isSecretName(key) && member !== undefined && member !== null ? MASK : redactValue(member, byName, inner),
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
function membersOf(value: object): (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = Object.entries(value);
  if (!(value instanceof Error)) return members;
  const { name, message, stack, cause } = value;
  return [["name", name], ["message", message], ["stack", stack], ...(cause === undefined ? [] : [["cause", cause] as const]), ...members];
}

/** Two characters that are stable for one secret, so that two places that show it can be compared. They are derived, never cut from it. */
function pseudonym(secret: string): string {
  let hash = 5381;
  for (let index = 0; index < secret.length; index++) hash = ((hash * 33) ^ secret.charCodeAt(index)) >>> 0;
  return (hash % 1296).toString(36).padStart(2, "0");
}

/** A secret in the forms in which it travels: plain, percent-encoded, form-encoded, JSON, base64. */
export function travellingForms(secret: string): string[] {
  const encoded = [encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2)];
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([
      ...[secret, json, json.replaceAll("/", "\\/"), ...encoded],
      ...encoded.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
      // RFC 6749 §2.3.1 form-encodes a client secret before base64.
      ...[secret, ...encoded].flatMap(base64Forms),
    ]),
  ];
}

/** Base64 of a text that contains the secret: three alignments, each without the characters that its neighbours share. */
export function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from("\0".repeat(offset) + secret, "utf8")
      .toString("base64")
      .replace(/=+$/, "");
    const inner = encoded.slice(offset === 0 ? 0 : offset + 1, (offset + Buffer.byteLength(secret)) % 3 === 0 ? undefined : -1);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
