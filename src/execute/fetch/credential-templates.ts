import { PackError } from "../../errors.ts";

/** The parts of a request in which a Pack can name values of its account. */
export interface TemplatedRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/**
 * Puts an account's values in place of `{{name-<invocationToken>}}`: every match, in one pass, each value as it must be
 * written there. In a URL it is percent-encoded; in a form, form-encoded; in JSON, escaped; in a header and in any other
 * body it stands as it is. A value that looks like a template is not replaced again.
 * @param values by name
 * @param parts where templates are looked for
 * @throws {PackError} FETCH_URL_INVALID for a template of this invocation that names no value
 */
export function fillTemplates<Request extends TemplatedRequest>(
  request: Request,
  {
    invocationToken,
    values,
    parts,
  }: { invocationToken: string; values: ReadonlyMap<string, string>; parts: readonly (keyof TemplatedRequest)[] },
): Request {
  const token = escapePattern(invocationToken);
  const anyTemplate = new RegExp(`(?:\\{\\{|%7B%7B)((?:(?!\\}\\}|%7D%7D).){0,100})-${token}(?:\\}\\}|%7D%7D)`, "i");
  const fill = (text: string, encode: (value: string) => string, written: readonly ((text: string) => string)[]): string => {
    const names = new Map<string, string>();
    for (const [name, value] of values) {
      for (const write of written) names.set(write(`{{${name}-${invocationToken}}}`), value);
    }
    // Longest first: one name may end like another.
    const alternatives = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
    const known = new RegExp(alternatives.length === 0 ? "$^" : alternatives.join("|"), "g");
    const unknown = anyTemplate.exec(text.replace(known, ""));
    if (unknown !== null) throw unknownName(unknown[1] ?? "", [...values.keys()]);
    return text.replace(known, (found) => encode(names.get(found) ?? ""));
  };
  const { url, headers, body } = request;
  return {
    ...request,
    url: parts.includes("url") ? fill(url, encodeURIComponent, [asIs, encodeURIComponent, formEncode]) : url,
    headers: parts.includes("headers")
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, headerText, [asIs])]))
      : headers,
    body: parts.includes("body") && typeof body === "string" ? fillBody(body, headers, fill) : body,
  };
}

type Fill = (text: string, encode: (value: string) => string, written: readonly ((text: string) => string)[]) => string;

function fillBody(body: string, headers: Readonly<Record<string, string>>, fill: Fill): string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return fill(body, formEncode, [asIs, encodeURIComponent, formEncode]);
  if (/[/+]json\b/i.test(type) || (type === "" && /^\s*[[{](?!\{)/.test(body))) return fill(body, jsonText, [asIs, jsonText]);
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

/** Stored values hold no line break; what else no header may carry is refused. */
function headerText(text: string): string {
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(text)) return text;
  throw new PackError("FETCH_URL_INVALID", "A value of the account has characters that no header can carry.", {
    details: { url: "" },
    hint: "Encode it in the body instead, or connect the account again with another value.",
  });
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\\-/]/g, "\\$&");
}

function unknownName(name: string, known: readonly string[]): PackError<"FETCH_URL_INVALID"> {
  return new PackError("FETCH_URL_INVALID", `The request has a template for ${JSON.stringify(name)}, which the account does not have.`, {
    details: { url: "" },
    hint: known.length === 0 ? "Remove it." : `It has: ${known.join(", ")}.`,
  });
}
