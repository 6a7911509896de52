import { describe, expect, it } from "vitest";
import { createExchangeLog } from "../../../src/execute/fetch/exchange-log.ts";
import type { ExchangeDetail } from "../../../src/execute/request-record.ts";
import { createRedactor } from "../../../src/shared/redact.ts";

const SECRET = Array.from({ length: 1_000 }, (_, index) => `s${10_000 + index}`).join("");

function showBody(body: string): string | undefined {
  const redactor = createRedactor();
  redactor.add(SECRET);
  const details: ExchangeDetail[] = [];
  const log = createExchangeLog({
    redactor,
    now: () => 0,
    onRequest: () => undefined,
    onExchange: (detail) => details.push(detail),
  });
  const hop = {
    method: "GET",
    url: "https://api.tasks.example/",
    headers: {},
    body: undefined,
    mayCarryCredentials: true,
  };
  const headers = { "content-type": "text/plain" };
  log.fromCache(hop, { status: 200, headers, bytes: Buffer.from(body) });
  return details[0]?.responseBody;
}

describe("the body in a report of an exchange", () => {
  it.each([200, 349, 350, 400, 1_000])(
    "shows no part of a secret where the search ends: %i lines of secrets",
    (lines) => {
      const shown = showBody(`${SECRET}\n`.repeat(lines));
      expect(shown).toMatch(/^(?:\[\d+ bytes\]$|••••)/);
      expect(shown).not.toContain(SECRET.slice(0, 6));
    },
  );

  it("shows no part of a secret when masks move it to the end of what is shown", () => {
    const body = `${"a".repeat(8_000)}${`${SECRET}\n`.repeat(1_000)}`;
    expect(showBody(body)).not.toContain(SECRET.slice(0, 6));
  });

  it("is the start of a large body with few secrets", () => {
    const shown = showBody(`${SECRET}\n${"text\n".repeat(1_000_000)}`);
    expect(shown).toMatch(/^••••\S+\ntext\ntext\n/);
    expect(shown).toHaveLength(10_001);
    expect(shown?.endsWith("…")).toBe(true);
  });
});
