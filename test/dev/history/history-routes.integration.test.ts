import { describe, expect, it } from "vitest";
import type { HistoryDetail, HistoryView } from "../../../src/dev/wire/history.ts";
import { isLong } from "../../support/breadth.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";
import { EVERY_PART } from "../../support/dev-pack.ts";

const SECRET_PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
const text = (name) => sdk.makeParameter({ type: "string", name, description: "A text." });
pack.addFormula({
  name: "Ask", description: "Asks.", parameters: [text("apiKey"), text("question")],
  varargParameters: [text("tag")], resultType: "string",
  execute: async ([key, question]) => question + key.length,
});
`;

async function list(dev: DevProject) {
  return ((await (await dev.get("/api/history")).json()) as HistoryView).rows;
}

async function read(dev: DevProject, id: string) {
  return (await (await dev.get(`/api/history/${id}`)).json()) as HistoryDetail;
}

describe("the history of runs", () => {
  it("lists runs with their arguments and what they returned, the latest first", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    await dev.post("/api/runs", { target: "Greet", args: ["Ada"] });
    await dev.post("/api/runs", { target: "Books", args: ["3", "10"] });
    await dev.post("/api/runs", { target: "Fail", args: [] });
    expect(await list(dev)).toMatchObject([
      { id: "3", target: "Fail", failure: { code: "FORMULA_FAILED" }, summary: "" },
      {
        id: "2",
        kind: "table",
        state: "paused",
        args: [
          { name: "pages", text: "3" },
          { name: "size", text: "10" },
        ],
        summary: "10 rows so far",
      },
      { id: "1", kind: "formula", args: [{ text: "Ada" }], summary: "Hello, Ada!", revision: 1 },
    ]);
  });

  it.runIf(isLong)(
    "keeps rows and results of runs that were replaced, and follows a table to its end",
    async () => {
      await using dev = await startDevProject({ "pack.ts": EVERY_PART });
      await dev.post("/api/runs", { target: "Books", args: ["2", "5"] });
      await dev.post("/api/runs/1/next", { toTheEnd: true });
      await dev.post("/api/runs", { target: "Books", args: ["1", "2"] });
      for (let run = 0; run < 14; run++)
        await dev.post("/api/runs", { target: "Greet", args: ["A"] });
      expect((await dev.get("/api/runs/1")).status).toBe(400);
      const first = await read(dev, "1");
      expect(first.summary).toBe("10 rows");
      expect(first.run.value).toHaveLength(10);
      expect((await read(dev, "2")).run.value).toHaveLength(2);
    },
  );

  it("runs something again, also one that is forgotten, and saves it as a test", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    await dev.post("/api/runs", { target: "Greet", args: ["Ada"] });
    const again = (await (await dev.post("/api/history/1/again")).json()) as { id: string };
    expect(await read(dev, again.id)).toMatchObject({ args: [{ text: "Ada" }], state: "ended" });
    const save = { kind: "test", file: "test/greet.test.ts" };
    expect(await (await dev.post("/api/history/1/save", save)).json()).toMatchObject({
      written: true,
      files: ["test/greet.test.ts", "test/cassettes/greet.json"],
    });
    expect(dev.project.read("test/greet.test.ts")).toContain("Hello, Ada!");
  });

  it("gives a run a name, and keeps named ones longer than others", async () => {
    await using dev = await startDevProject({ "pack.ts": EVERY_PART });
    await dev.post("/api/runs", { target: "Greet", args: ["Ada"] });
    await dev.post("/api/history/1/name", { name: "  Before the fix " });
    for (let run = 0; run < 101; run++)
      await dev.post("/api/runs", { target: "Greet", args: [`${run}`] });
    const rows = await list(dev);
    expect(rows).toHaveLength(100);
    expect(rows.at(-1)).toMatchObject({ id: "1", name: "Before the fix" });
    expect(rows.at(-2)).toMatchObject({ id: "4" });
    expect((await dev.post("/api/history/2/name", { name: "gone" })).status).toBe(400);
    await dev.post("/api/history/clear");
    expect(await list(dev)).toEqual([]);
  });

  it("masks arguments whose names suggest a secret, and runs with them all the same", async () => {
    await using dev = await startDevProject({ "pack.ts": SECRET_PACK });
    await dev.post("/api/runs", { target: "Ask", args: ["planted-key", "Why", "x", "y"] });
    const detail = await read(dev, "1");
    expect(detail.args).toEqual([
      { name: "apiKey", text: "••••", isSecret: true },
      { name: "question", text: "Why", isSecret: false },
      { name: "tag 1", text: "x", isSecret: false },
      { name: "tag 2", text: "y", isSecret: false },
    ]);
    expect(JSON.stringify(detail)).not.toContain("planted-key");
    await dev.post("/api/history/1/again");
    expect(await read(dev, "2")).toMatchObject({ run: { value: "Why11" } });
  });

  it.runIf(isLong)("says that a run is running until it ends", async () => {
    await using dev = await startDevProject({
      "pack.ts": `${SECRET_PACK}pack.addFormula({ name: "Wait", description: "Waits.", parameters: [], resultType: "string", execute: () => new Promise(() => {}) });`,
    });
    const stop = new AbortController();
    const run = dev.post("/api/runs", { target: "Wait", args: [] }, stop.signal).catch(() => {});
    await expect.poll(async () => (await list(dev))[0]?.state).toBe("running");
    stop.abort();
    await run;
    await expect
      .poll(async () => (await list(dev))[0])
      .toMatchObject({ state: "ended", failure: { code: "INTERRUPTED" } });
  });
});
