import type { ProviderProfile, TokenAnswer } from "../profile.ts";

const PAGE = "<!doctype html><title>Error</title><h1>Something went wrong</h1>";

/** Refusals that are not written as RFC 6749 §5.2 says. */
export const TOKEN_ERROR_PROFILES: readonly ProviderProfile[] = [
  refuses("error-with-200", "reports errors with status 200", (answer) => ({ ...answer, status: 200, headers: {} })),
  refuses("error-not-ok", "reports errors with status 200 and ok: false", ({ body }) => json(200, { ok: false, error: errorOf(body) })),
  refuses("error-as-html", "calls the JSON of its errors text/html", (answer) => ({
    ...answer,
    headers: { ...answer.headers, "Content-Type": "text/html" },
  })),
  refuses("error-challenge", "reports every error with status 401 and a challenge for Bearer", ({ body }) => ({
    ...json(401, body),
    headers: { "WWW-Authenticate": 'Bearer realm="token"' },
  })),
  refuses("error-message", "refuses with a message in place of an error code", () => json(403, { message: "This was not accepted." })),
  refuses("error-object", "reports errors as objects", ({ status, body }) =>
    json(status, { error: { type: errorOf(body), message: "It was refused." } }),
  ),
  refuses("error-form", "reports errors as a form", ({ status, body }) => ({
    status,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ error: errorOf(body), error_description: "It was refused." }).toString(),
  })),
  fails("down-with-json", "is down: 503 with a message", () => json(503, { message: "down" })),
  fails("down-with-error", "is down: 500 with server_error", () => json(500, { error: "server_error" })),
  fails("down-with-page", "is down: 502 with a page", () => ({ status: 502, headers: { "Content-Type": "text/html" }, body: PAGE })),
  fails("slow-down", "limits requests: 429 with slow_down", () => ({
    ...json(429, { error: "slow_down" }),
    headers: { "Retry-After": "30" },
  })),
  fails("error-page-200", "answers a refusal with a page and status 200", () => ({
    status: 200,
    headers: { "Content-Type": "text/html" },
    body: PAGE,
  })),
  fails("error-empty-200", "answers a refusal with status 200 and nothing", () => ({ status: 200, headers: {}, body: "" })),
  fails("redirect-302", "redirects a refusal with status 302", redirected(302)),
  fails("redirect-307", "redirects a refusal with status 307, for the secret to be sent again", redirected(307)),
];

type Rewrite = (answer: TokenAnswer) => TokenAnswer;

function refuses(name: string, summary: string, error: Rewrite): ProviderProfile {
  return { name, summary, answer: { error } };
}

/** Answers that say nothing about the refresh token, so that an account must stay connected. */
function fails(name: string, summary: string, error: Rewrite): ProviderProfile {
  return {
    name,
    summary,
    grant: "authorization_code",
    refusal: "transient",
    answer: { error: (answer) => (errorOf(answer.body) === "invalid_grant" ? error(answer) : answer) },
  };
}

function json(status: number, body: TokenAnswer["body"]): TokenAnswer {
  return { status, headers: {}, body };
}

function redirected(status: number): Rewrite {
  return () => ({ status, headers: { Location: "https://elsewhere.example/token" }, body: "" });
}

function errorOf(body: TokenAnswer["body"]): string {
  return typeof body === "string" ? "server_error" : String((body as Record<string, unknown>)["error"]);
}
