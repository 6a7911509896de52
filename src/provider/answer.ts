import type { Response } from "express";
import type { AnswerFacts, AnswerQuirks, TokenAnswer } from "./profile.ts";

/** An error of the protocol, which becomes an error response. */
export class OAuthError extends Error {
  /** The `error` code of RFC 6749 §4.1.2.1 or §5.2, or of the RFC that extends it. */
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = error === "invalid_client" ? 401 : 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

/** Applies a profile to a token response: members, container, envelope; or its form of an error. */
export function shapeAnswer(
  answer: TokenAnswer,
  quirks: AnswerQuirks = {},
  facts: AnswerFacts,
): TokenAnswer {
  if (answer.status !== 200 || typeof answer.body === "string")
    return quirks.error?.(answer) ?? answer;
  const members =
    quirks.members?.(answer.body as Record<string, unknown>, facts) ??
    (answer.body as Record<string, unknown>);
  const nested = { ...answer, body: nest(members, quirks) };
  return quirks.envelope?.(nested) ?? nested;
}

function nest(
  members: Record<string, unknown>,
  { container, beside }: AnswerQuirks,
): Record<string, unknown> {
  const names = container?.split(".").reverse() ?? [];
  const body = names.reduce<Record<string, unknown>>((inner, name) => ({ [name]: inner }), members);
  return { ...beside, ...body };
}

/** The response to a protocol error (RFC 6749 §5.2). */
export function errorAnswer({ error, message, status }: OAuthError): TokenAnswer {
  // RFC 9110 §15.5.2: every 401 names a way to authenticate.
  const headers: Record<string, string> =
    status === 401
      ? { "WWW-Authenticate": 'Basic realm="packsmith provider", charset="UTF-8"' }
      : {};
  return { status, headers, body: { error, error_description: message } };
}

export function sendAnswer(response: Response, { status, headers, body }: TokenAnswer): void {
  // response.set would add a charset to text types.
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body !== "string") response.json(body);
  else if (body === "") response.end();
  else response.end(body);
}
