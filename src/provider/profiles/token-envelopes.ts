import type { ProviderProfile, TokenAnswer } from "../profile.ts";

/** Where token responses put their members, and how they write the whole. */
export const TOKEN_ENVELOPE_PROFILES: readonly ProviderProfile[] = [
  {
    name: "nested-data",
    summary: "nests its tokens: data",
    needs: { nestedResponseKey: "data" },
    answer: { container: "data", beside: { code: 0, message: "OK" } },
  },
  {
    name: "nested-user",
    summary: "nests the person's tokens: authed_user",
    needs: { nestedResponseKey: "authed_user" },
    answer: { container: "authed_user", beside: { ok: true } },
  },
  {
    name: "nested-deep",
    summary: "nests its tokens twice: result.credentials",
    needs: { nestedResponseKey: "result.credentials" },
    answer: { container: "result.credentials", beside: { status: "success" } },
  },
  enveloped("array", "sends an array with one object", (answer) => ({ ...answer, body: [answer.body] })),
  enveloped("status-201", "answers with status 201", (answer) => ({ ...answer, status: 201 })),
  enveloped("json-as-html", "calls its JSON text/html", labelled("text/html; charset=utf-8")),
  enveloped("json-as-text", "calls its JSON text/plain", labelled("text/plain; charset=utf-8")),
  enveloped("json-as-script", "calls its JSON text/javascript", labelled("text/javascript; charset=utf-8")),
  enveloped("json-own-type", "has a JSON type of its own", labelled("application/vnd.tokens+json")),
  enveloped("json-untyped", "does not name a content type", (answer) => ({ ...answer, body: JSON.stringify(answer.body) })),
  enveloped("byte-order-mark", "puts a byte order mark before its JSON", (answer) => ({
    ...labelled("application/json")(answer),
    body: `\uFEFF${JSON.stringify(answer.body)}`,
  })),
  enveloped("form-answer", "answers with a form instead of JSON", asForm("application/x-www-form-urlencoded")),
  enveloped("form-as-text", "answers with a form that it calls text/plain", asForm("text/plain")),
];

type Envelope = (answer: TokenAnswer) => TokenAnswer;

function enveloped(name: string, summary: string, envelope: Envelope): ProviderProfile {
  return { name, summary, answer: { envelope } };
}

function labelled(type: string): Envelope {
  return (answer) => ({ ...answer, headers: { ...answer.headers, "Content-Type": type } });
}

function asForm(type: string): Envelope {
  return (answer) => {
    const pairs = Object.entries(answer.body).map(([name, value]): [string, string] => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]);
    return { ...labelled(type)(answer), body: new URLSearchParams(pairs).toString() };
  };
}
