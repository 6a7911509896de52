import { describe, expect, it } from "vitest";
import { createIsolate, type IsolateOptions } from "../../../src/execute/isolate.ts";
import { bundleOf, refusingHost } from "../support.ts";

const RUN = { kind: "formula", name: "Run", args: [] } as const;

async function resultOf(body: string, timers: IsolateOptions["timers"], timeoutMs?: number) {
  await using isolate = await createIsolate({ code: bundleOf(body), fileName: "bundle.js", timers });
  const outcome = await isolate.invoke(RUN, refusingHost(timeoutMs));
  return outcome.ok ? outcome.value : `${outcome.error.code}: ${outcome.error.message}`;
}

describe("timers in the sandbox", () => {
  it("do not exist unless they are asked for", async () => {
    expect(await resultOf("return typeof setTimeout;", undefined)).toBe("undefined");
  });

  it("say that there are none, with the strategy error", async () => {
    expect(await resultOf("setTimeout(() => {}, 5); return 1;", "error")).toMatch(/^FORMULA_FAILED: Run failed: setTimeout does not exist/);
  });

  it("fire in the order of their time and without waiting, with the strategy fake", async () => {
    const body = `const seen = []; const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      setTimeout((...args) => seen.push(...args), 20_000, "b", "c"); setTimeout(() => seen.push("a"), 10_000); setImmediate(() => seen.push("0"));
      const cancelled = setTimeout(() => seen.push("never"), 5); clearTimeout(cancelled);
      let ticks = 0; const interval = setInterval(() => { ticks += 1; seen.push("tick"); if (ticks === 2) clearInterval(interval); }, 8000);
      await wait(30_000); return seen.join();`;
    expect(await resultOf(body, "fake")).toBe("0,tick,a,tick,b,c");
  });

  it("let a request come before a timer", async () => {
    const body = `return await Promise.race([ctx.fetcher.fetch({ method: "GET", url: "https://a.example" }).catch(() => "answered"), new Promise((resolve) => setTimeout(resolve, 1, "too late"))]);`;
    expect(await resultOf(body, "fake")).toBe("answered");
  });

  it("end with the run, and an endless one with its time", async () => {
    expect(await resultOf("setInterval(() => {}, 1); return 'done';", "fake")).toBe("done");
    expect(await resultOf("setInterval(() => {}, 1); await new Promise(() => {});", "fake", 300)).toMatch(/^RUN_TIMEOUT/);
  });

  it("tell on the console that a callback failed, and go on", async () => {
    await using isolate = await createIsolate({
      code: bundleOf(
        `setTimeout(() => { throw new Error("late"); }, 1); await new Promise((resolve) => setTimeout(resolve, 2)); return "done";`,
      ),
      fileName: "bundle.js",
      timers: "fake",
    });
    const outcome = await isolate.invoke(RUN, refusingHost());
    expect(outcome).toMatchObject({ ok: true, value: "done", logs: [{ level: "error", message: expect.stringContaining("late") }] });
  });

  it("refuse what is no function", async () => {
    expect(await resultOf("setTimeout('code'); return 1;", "fake")).toMatch(/callback of a timer/);
  });
});
