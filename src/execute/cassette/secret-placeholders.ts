import { isSecretName } from "../../shared/redact.ts";
import { createSecretMatcher, MIN_SECRET_LENGTH } from "../../shared/secret-matcher.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { parseXml } from "../../shared/xml.ts";

/**
 * Keeps secrets out of a cassette. Each secret becomes `{{secret:<name>:<number>}}`, the same
 * everywhere. A replay fills each
 * placeholder with a made-up value that never changes.
 */
export interface SecretPlaceholders {
  /**
   * Finds the secrets of a response by the names of its members; in a token response also every
   * value that looks like a token.
   */
  learnFrom(text: string, isTokenResponse: boolean): void;
  /** Replaces secrets, real and made-up ones, by placeholders. */
  hide(text: string): string;
  /** Number of secrets found. */
  readonly count: number;
}

const MIN_TOKEN_LENGTH = 8;
/** Members of a token response that are never secrets. */
const SAFE_MEMBERS =
  /^(token_?type|scopes?|expir\w*|issued\w*|error\w*|arn|assumedroleid|requestid|.*(uri|url|host|domain|endpoint))$/i;
const PLACEHOLDER = /\{\{secret:([\w-]{1,60}):(\d{1,6})\}\}/g;
const MADE_UP = /replayed-([\w-]{1,60})-(\d{1,6})-secret/g;

export function createSecretPlaceholders(): SecretPlaceholders {
  const secrets = createSecretMatcher<string>();
  const numbers = new Map<string, number>();
  const known = new Set<string>();

  const learn = (secret: string, member: string): void => {
    if (
      secret.length < MIN_SECRET_LENGTH ||
      known.has(secret) ||
      new RegExp(`^${MADE_UP.source}$`).test(secret)
    )
      return;
    known.add(secret);
    const name = member.replace(/[^\w-]/g, "_").slice(0, 60);
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    secrets.add(secret, `{{secret:${name}:${number}}}`);
  };

  const walk = (value: unknown, member: string, isTokenResponse: boolean, depth: number): void => {
    if (depth > 50) return;
    if (typeof value === "string") {
      const looksLikeToken =
        isTokenResponse &&
        value.length >= MIN_TOKEN_LENGTH &&
        !SAFE_MEMBERS.test(member) &&
        !canParseUrl(value);
      if (isSecretName(member) || looksLikeToken) learn(value, member);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    // Elements of a list have the name of the list.
    for (const [name, inner] of Object.entries(value))
      walk(inner, Array.isArray(value) ? member : name, isTokenResponse, depth + 1);
  };

  return {
    learnFrom(text, isTokenResponse) {
      walk(parseMembers(text, isTokenResponse), "", isTokenResponse, 0);
    },
    hide(text) {
      return secrets.replace(
        text.replace(MADE_UP, "{{secret:$1:$2}}"),
        (placeholder) => placeholder,
      );
    },
    get count() {
      return known.size;
    },
  };
}

/** Fills placeholders with made-up values, which no encoding changes. */
export function fillPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, "replayed-$1-$2-secret");
}

/** A made-up secret of an account. Recorded secrets never have the number 0. */
export function madeUpSecret(name: string): string {
  return `replayed-${name.replace(/[^\w-]/g, "_").slice(0, 60)}-0-secret`;
}

function parseMembers(text: string, isTokenResponse: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*</.test(text)) return parseXml(text);
    return isTokenResponse ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}
