import { expect, it } from "vitest";
import { startProvider } from "../../src/provider/provider.ts";

it("a request that repeats a parameter as often as it can does not stop the local provider", async () => {
  await using provider = await startProvider();
  const times = 30_000;
  // It used to take a minute, in which nothing else was answered.
  const signal = AbortSignal.timeout(30_000);
  const { status } = await fetch(`${provider.origin}/?${"a=1&".repeat(times)}`, { signal });
  expect(status).toBe(404);
  expect(provider.requests.at(-1)?.parameters["a"]).toHaveLength(times);
});
