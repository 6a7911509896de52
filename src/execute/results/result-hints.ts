import { canParseUrl } from "../../shared/urls.ts";

const URL_HINTS = new Set(["attachment", "embed", "image", "imageAttachment", "url"]);

/**
 * @returns the problem of a value under its value hint, as the end of a sentence; `undefined` when
 * there is no problem
 */
export function problemOfHint(
  value: string | number,
  schema: Pick<ResultSchema, "codaType" | "minimum" | "maximum">,
): string | undefined {
  const hint = schema.codaType;
  if (typeof value === "number") return problemOfNumber(value, schema);
  if (typeof hint === "string" && URL_HINTS.has(hint)) return problemOfUrl(value);
  if (hint === "email") return isEmail(value) ? undefined : "is not an e-mail address";
  if (hint === "date" || hint === "datetime")
    return Number.isNaN(Date.parse(value)) ? "is not a readable date" : undefined;
  return undefined;
}

/**
 * RFC 5321 §4.5.3.1: 64 characters, an @ and 255 characters. Longer text would also make the
 * pattern slow.
 */
const MAX_EMAIL_LENGTH = 320;

function isEmail(value: string): boolean {
  return value.length <= MAX_EMAIL_LENGTH && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value);
}

function problemOfUrl(value: string): string | undefined {
  if (!canParseUrl(value)) return "is not a URL";
  const { protocol, hostname, pathname } = new URL(value);
  // The blob storage on this machine replaces one that serves https.
  if (protocol === "http:" && hostname === "127.0.0.1" && pathname.startsWith("/blobs/"))
    return undefined;
  return protocol === "https:" || protocol === "data:"
    ? undefined
    : `is a ${protocol.replace(":", "")} URL; documents show only https and data URLs`;
}

function problemOfNumber(
  value: number,
  { codaType, minimum, maximum }: Pick<ResultSchema, "codaType" | "minimum" | "maximum">,
): string | undefined {
  if (codaType !== "slider" && codaType !== "progressBar" && codaType !== "scale") return undefined;
  if (codaType === "scale" && !Number.isInteger(value))
    return `is ${value}, and a scale is a whole number`;
  // A limit may be formula text, which only the document can evaluate.
  const low = codaType === "scale" ? 0 : (minimum ?? 0);
  if (typeof low === "number" && value < low) return `is ${value}, below the minimum of ${low}`;
  if (typeof maximum === "number" && value > maximum)
    return `is ${value}, above the maximum of ${maximum}`;
  return undefined;
}

/** The members of an untrusted schema that the checks read. */
export interface ResultSchema {
  type?: unknown;
  codaType?: unknown;
  items?: ResultSchema | undefined;
  properties?: Record<string, ResultSchema> | undefined;
  fromKey?: unknown;
  originalKey?: unknown;
  required?: unknown;
  idProperty?: unknown;
  id?: unknown;
  minimum?: unknown;
  maximum?: unknown;
}
