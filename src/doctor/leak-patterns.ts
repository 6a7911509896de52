/** A pattern of text that looks like a secret. */
export interface LeakPattern {
  kind: LeakKind;
  /** What was found. */
  message: string;
  /** A global pattern. Its first group that matches is the value. */
  pattern: RegExp;
  /** Whether the value is real, not a placeholder. */
  isSecret(value: string): boolean;
}

export type LeakKind =
  | "vault-secret"
  | "vault-file"
  | "registry-token"
  | "client-secret-literal"
  | "token-literal"
  | "authorization-literal"
  | "json-web-token"
  | "private-key"
  | "password-in-url";

/** Words that mark a placeholder. */
const PLACEHOLDER =
  /^(?:your|my|the|a|some|any|test|fake|dummy|example|sample|change|replace|insert|todo|none|null|undefined|process|env)\b|example|placeholder|change[-_ ]?me|redacted|x{4}|\*{3}|•|\.{3}|[<>{}$\s]/i;
const MIN_SECRET_LENGTH = 8;
const MIN_TOKEN_LENGTH = 16;
/** Bits per character. Words, identifiers and repetitions have less. */
const MIN_ENTROPY = 3.2;

// Secrets of a provider have digits. A quoted word without digits is a name or a message.
const isLiteral = (value: string) =>
  value.length >= MIN_SECRET_LENGTH && /\d/.test(value) && !PLACEHOLDER.test(value);
const isRandom = (value: string) =>
  value.length >= MIN_TOKEN_LENGTH && isLiteral(value) && entropyOf(value) >= MIN_ENTROPY;

/**
 * Matches an assignment of a quoted text, or of a bare word in an environment file: `name: "…"`,
 * `"name": "…"`, `NAME=…`.
 */
const assigned = (name: string) =>
  new RegExp(
    `(?:${name})["'\`]?\\s*(?:[:=]|=>)\\s*(?:"([^"\\r\\n]{8,400})"|'([^'\\r\\n]{8,400})'|\`([^\`\\r\\n]{8,400})\`)|^[ \\t]*(?:export[ \\t]+)?[A-Z0-9_]*(?:${name})\\s*=\\s*([^\\s"'\`#]{8,400})\\s*$`,
    "gim",
  );

export const LEAK_PATTERNS: readonly LeakPattern[] = [
  {
    kind: "client-secret-literal",
    message: "contains a client secret",
    pattern: assigned("client[_-]?secret"),
    isSecret: isLiteral,
  },
  {
    kind: "token-literal",
    message: "contains a token, key or password",
    pattern: assigned(
      "(?:access|refresh|id|auth|api|bearer)[_-]?token|api[_-]?key|secret[_-]?(?:access[_-]?)?key|password",
    ),
    isSecret: isRandom,
  },
  {
    kind: "authorization-literal",
    message: "contains an Authorization header",
    pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/=-]{16,2000})/g,
    isSecret: isRandom,
  },
  {
    kind: "json-web-token",
    message: "contains a signed token (JWT)",
    pattern: /\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,1000}/g,
    isSecret: () => true,
  },
  {
    kind: "private-key",
    message: "contains a private key",
    pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/g,
    isSecret: () => true,
  },
  {
    kind: "password-in-url",
    message: "contains a URL with a password",
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`]{1,100}:([^\s:@/"'`]{4,200})@(?!localhost\b|127\.|\[::1\]|[^\s/]*\.example\b)/gi,
    isSecret: (value) =>
      !PLACEHOLDER.test(value) && !/^(?:pass(?:word)?|pwd|secret|token)$/i.test(value),
  },
  {
    kind: "vault-file",
    message: "contains the key of a vault",
    pattern: /^packsmith-vault-key:\d+:/g,
    isSecret: () => true,
  },
];

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
