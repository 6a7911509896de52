import { expect, it } from "vitest";
import { createIsolate } from "../../../src/sandbox/host/isolate.ts";
import { startSandboxProcess } from "../../../src/sandbox/host/sandbox-process.ts";
import { attachDebugger } from "../../support/debugger.ts";
import { startEachSandbox } from "../../support/shared-sandboxes.ts";

startEachSandbox();

const CODE = `module.exports = { pack: { formulas: [], syncTables: [], formats: [] } };
for (const end = Date.now() + 50; Date.now() < end; );`;

it("waits for a debugger on 127.0.0.1, and has no time limit; without one, the same limit ends it", async () => {
  let announce: (url: string) => void = () => {};
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const process = startSandboxProcess({ inspect: { port: 0, onListening: announce } });
  const source = { code: CODE, fileName: "pack.ts", timeoutMs: 1 };
  const opening = createIsolate({ ...source, process });
  const url = await announced;
  expect(new URL(url).hostname).toBe("127.0.0.1");
  const editor = await attachDebugger(url);
  await editor.send("Runtime.runIfWaitingForDebugger");
  await using isolate = await opening;
  expect(isolate.definition).toBeTypeOf("object");
  editor.close();
  await expect(createIsolate(source)).rejects.toMatchObject({ code: "RUN_TIMEOUT" });
});
