/**
 * The values that an account was connected with: connection variables by name, saved callback
 * parameters by placeholder name.
 */
export interface ConnectionAnswers {
  readonly variables: Readonly<Record<string, string>>;
  readonly callbackParams: Readonly<Record<string, string>>;
}

const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
const SEGMENT = /^[A-Za-z0-9._~-]{1,128}$/;
const MAX_TEXT_LENGTH = 512;
/** Tokens and assertions are long. */
const MAX_SECRET_LENGTH = 65_536;

/**
 * Whether a value fits its kind: a host name, a label of a host name, a segment of a path, text, or
 * a secret text.
 */
export function isLegalValue(kind: string, value: string): boolean {
  switch (kind) {
    case "secret":
      return value.length <= MAX_SECRET_LENGTH && !/\p{Cc}/u.test(value);
    case "host":
      return HOST_NAME.test(value);
    case "label":
      return LABEL.test(value);
    case "segment":
      return SEGMENT.test(value) && value !== "." && value !== "..";
    default:
      return value.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(value);
  }
}

/** Whether the complete value matches a pattern, whatever anchors and flags the pattern has. */
export function matchesPattern(pattern: RegExp, value: string): boolean {
  return new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, "")).test(value);
}
