import { PackError } from "../../errors.ts";

/** The parts of a request that may hold templates for values of the account. */
export interface TemplatedRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/**
 * Replaces every `{{name-<invocationToken>}}` with the account's value, in one pass. The value is
 * percent-encoded in a URL,
 * form-encoded in a form, escaped in JSON, and unchanged in a header or any other body. A value
 * that looks like a template
 * is not replaced again.
 * @param values by name
 * @param parts of the request that may hold templates
 * @throws {PackError} FETCH_URL_INVALID for a template of this invocation whose name is unknown
 */
export function fillTemplates<Request extends TemplatedRequest>(
  request: Request,
  {
    invocationToken,
    values,
    parts,
  }: {
    invocationToken: string;
    values: ReadonlyMap<string, string>;
    parts: readonly (keyof TemplatedRequest)[];
  },
): Request {
  const token = escapePattern(invocationToken);
  const anyTemplate = new RegExp(
    `(?:\\{\\{|%7B%7B)((?:(?!\\}\\}|%7D%7D).){0,100})-${token}(?:\\}\\}|%7D%7D)`,
    "i",
  );
  const fill = (
    text: string,
    encode: (value: string) => string,
    written: readonly ((text: string) => string)[],
  ): string => {
    const names = new Map<string, string>();
    for (const [name, value] of values) {
      for (const write of written) names.set(write(`{{${name}-${invocationToken}}}`), value);
    }
    // Longest first: one name may be the end of another.
    const alternatives = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
    const known = new RegExp(alternatives.length === 0 ? "$^" : alternatives.join("|"), "g");
    const unknown = anyTemplate.exec(text.replace(known, ""));
    if (unknown !== null) throw unknownName(unknown[1] ?? "", [...values.keys()]);
    return text.replace(known, (found) => encode(names.get(found) ?? ""));
  };
  const { url, headers, body } = request;
  return {
    ...request,
    url: parts.includes("url")
      ? fill(url, encodeURIComponent, [asIs, encodeURIComponent, formEncode])
      : url,
    headers: parts.includes("headers")
      ? Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, fill(value, headerText, [asIs])]),
        )
      : headers,
    body: parts.includes("body") && typeof body === "string" ? fillBody(body, headers, fill) : body,
  };
}

type Fill = (
  text: string,
  encode: (value: string) => string,
  written: readonly ((text: string) => string)[],
) => string;

function fillBody(body: string, headers: Readonly<Record<string, string>>, fill: Fill): string {
  const type =
    Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return fill(body, formEncode, [asIs, encodeURIComponent, formEncode]);
  if (/[/+]json\b/i.test(type) || (type === "" && /^\s*[[{](?!\{)/.test(body)))
    return fill(body, jsonText, [asIs, jsonText]);
  return fill(body, asIs, [asIs]);
}

function asIs(text: string): string {
  return text;
}

function formEncode(text: string): string {
  return new URLSearchParams({ s: text }).toString().slice(2);
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Stored values have no line breaks; any other character that is not allowed in a header is
 * refused.
 */
function headerText(text: string): string {
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(text)) return text;
  throw new PackError(
    "FETCH_URL_INVALID",
    "A value from the account contains characters that are not allowed in a header.",
    {
      details: { url: "" },
      hint: "Put the template into the body of the request, or connect the account again with another value.",
    },
  );
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\\-/]/g, "\\$&");
}

function unknownName(name: string, known: readonly string[]): PackError<"FETCH_URL_INVALID"> {
  return new PackError(
    "FETCH_URL_INVALID",
    `The request contains a template for ${JSON.stringify(name)}, but the account does not have this value.`,
    {
      details: { url: "" },
      hint:
        known.length === 0
          ? "Remove the template."
          : `The account has these values: ${known.join(", ")}.`,
    },
  );
}
