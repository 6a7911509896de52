import { fromDist } from "./from-dist.ts";
import { computeMedian, type Measurement } from "./section.ts";

const RESPONSES = 200;
const ROUNDS = 9;

/**
 * The processor time that it takes to search one response (10 headers, a JSON body of 5 kB) for the
 * secrets of a run.
 */
export async function measureMasking(): Promise<Measurement[]> {
  const { maskResponse } = await fromDist<
    typeof import("../../src/execute/fetch/fetch-response.ts")
  >("execute/fetch/fetch-response.js");
  const { createSecretMatcher } = await fromDist<
    typeof import("../../src/shared/secret-matcher.ts")
  >("shared/secret-matcher.js");
  const measured: Measurement[] = [];
  for (const [length, atMost] of [
    [1_200, 0.2],
    [16_000, 1],
  ] as const) {
    for (const secrets of [1, 20]) {
      const matcher = createSecretMatcher<undefined>();
      for (let index = 0; index < secrets; index++)
        matcher.add(token(length, index + 1), undefined);
      const rounds = Array.from({ length: ROUNDS }, () => {
        const responses = Array.from({ length: RESPONSES }, makeResponse);
        const before = process.cpuUsage();
        for (const response of responses) maskResponse(response, matcher, "api.tasks.example");
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000 / RESPONSES;
      });
      measured.push({
        name: `masking a response, ${secrets === 1 ? "a secret" : `${secrets} secrets`} of ${length.toLocaleString("en")} characters`,
        value: computeMedian(rounds),
        unit: "ms",
        target: { of: "value", atMost },
      });
    }
  }
  for (const [type, body] of Object.entries(BODIES)) {
    const matcher = createSecretMatcher<undefined>();
    matcher.add(token(1_200, 1), undefined);
    const rounds = Array.from({ length: ROUNDS }, () => {
      const bodies = Array.from({ length: RESPONSES }, () => Buffer.from(body.slice(0, 16_384)));
      const before = process.cpuUsage();
      for (const bytes of bodies)
        maskResponse({ status: 200, headers: { "content-type": type }, bytes }, matcher, "");
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / RESPONSES;
    });
    measured.push({
      name: `masking 16 kB of ${type}`,
      value: computeMedian(rounds),
      unit: "ms",
      target: { of: "value", atMost: 1 },
    });
  }
  return measured;
}

const BODIES: Readonly<Record<string, string>> = {
  "application/json": JSON.stringify(
    Array.from({ length: 200 }, (_, index) => ({
      id: `task-${index}`,
      title: 'Write "release" notes\n',
      url: "https://tasks.example/t?q=a%20b&id=17",
      html: "<p>Tom &amp; Jerry</p>",
    })),
  ),
  "application/xml": `<r>${'<task id="17"><title>Tom &amp; Jerry</title></task>\n'.repeat(330)}</r>`,
  "text/plain": "The quick brown fox\njumps over the lazy dog. ".repeat(400),
  "text/html": "&#65;".repeat(3_300),
};

/** Headers and rows as an API sends them, with escapes in both notations. */
function makeResponse() {
  const headers = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `x-header-${index}`,
      `value ${index} of a usual length`,
    ]),
  );
  const row = {
    id: "task-17",
    title: 'Write "release" notes\n',
    url: "https://tasks.example/t?q=a%20b",
    owner: "Jo Müller",
  };
  const bytes = Buffer.from(
    JSON.stringify(Array.from({ length: 45 }, (_, index) => ({ ...row, index }))).slice(0, 5_000),
  );
  return { status: 200, headers, bytes };
}

/** The beginning is the same for all, as that of a JWT. */
function token(length: number, seed: number): string {
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  let state = seed;
  let text = "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += characters[state >>> 26];
  }
  return text;
}
