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
  if (hint === "email") return isEmail(value) ? undefined : "is not a valid email address";
  if (hint === "date" || hint === "datetime")
    return Number.isNaN(Date.parse(value)) ? "is not a valid date" : undefined;
  return hint === "codaInternalRichText" ? "has a value hint that no Pack can use" : undefined;
}

/** Words with dots, or a text in quotes; a host name with a dot, or an IP address in brackets. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1) return false;
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  const isName = /^".+"$/.test(name) || (!NOT_IN_NAME.test(name) && !EMPTY_WORD.test(name));
  return isName && (IP_ADDRESS.test(host) || isHostName(host));
}

const NOT_IN_NAME = /[<>()[\]\\,;:\s@"]/;
const EMPTY_WORD = /^\.|\.\.|\.$/;
const IP_ADDRESS = /^\[\d{1,3}(?:\.\d{1,3}){3}\]$/;

function isHostName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.pop() ?? "";
  return (
    labels.length > 0 &&
    labels.every((label) => /^[a-z\d-]+$/i.test(label)) &&
    /^[a-z]{2,}$/i.test(last)
  );
}

/** Characters that a URL loses at its beginning, and those that it loses everywhere. */
const BEFORE_URL = /^[\p{Cc}\s]+/u;
const INSIDE_URL = /[\t\r\n]/g;

/** Only the scheme counts: the rest may be anything, as on the platform. */
function problemOfUrl(value: string): string | undefined {
  const text = value.replace(BEFORE_URL, "").replace(INSIDE_URL, "");
  const scheme = /^([a-z][a-z\d.+-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return "is not a valid URL";
  // The blob storage on this machine replaces one that serves https.
  if (scheme === "https" || scheme === "data" || /^http:\/\/127\.0\.0\.1:\d+\/blobs\//.test(text))
    return undefined;
  return `is a ${scheme} URL; documents show only https and data URLs`;
}

function problemOfNumber(
  value: number,
  { codaType, minimum, maximum }: Pick<ResultSchema, "codaType" | "minimum" | "maximum">,
): string | undefined {
  if (codaType !== "slider" && codaType !== "progressBar" && codaType !== "scale") return undefined;
  if (codaType === "scale" && !Number.isInteger(value))
    return `is ${value}, but a scale must be a whole number`;
  // A limit may be formula text, which only the document can evaluate.
  const low = codaType === "scale" ? 0 : (minimum ?? 0);
  if (typeof low === "number" && value < low) return `is ${value}, below the minimum of ${low}`;
  // A maximum of zero counts as none.
  if (typeof maximum === "number" && maximum !== 0 && value > maximum)
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
