import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const isolate = new URL("../../dist/sandbox/host/isolate.js", import.meta.url).href;

it("nothing that a Pack does in its sandbox is written to the standard error of the program", () => {
  const body = `for (let i = 0; i < 2000; i++) Promise.reject(new Error("secret ".repeat(20)));
    const dive = () => { Promise.reject(dive); dive(); };
    try { dive(); } catch {}
    const late = Promise.reject(new Error("secret")); await null; late.catch(() => {}); return "done";`;
  const program = `import { createIsolate } from ${JSON.stringify(isolate)};
    const code = ${JSON.stringify(`module.exports.pack = { formulas: [{ name: "Run", execute: async () => { ${body} } }] };`)};
    const isolate = await createIsolate({ code, fileName: "bundle.js" });
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: [] }, { context: {}, fetch: () => {} });
    console.log(outcome.value);
    await isolate[Symbol.asyncDispose]();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "done\n", stderr: "" });
});
