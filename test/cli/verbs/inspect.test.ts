import { spawn } from "node:child_process";
import { once } from "node:events";
import { SourceMap } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli.ts";
import { attachDebugger } from "../../support/debugger.ts";
import { plainEnv } from "../../support/plain-env.ts";
import { makeProject } from "../../support/project.ts";

const main = fileURLToPath(new URL("../../../dist/bin/packsmith.cjs", import.meta.url));

const GREET = `interface Greeting {
  text: string;
}

export function greet(name: string): Greeting {
  const greeting: Greeting = { text: \`Hello \${name}\` };
  return greeting;
}
`;
/** The line of \`return greeting\`. */
const LINE = 7;
const PACK = `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";
import { greet } from "./greet.ts";
export const pack = newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [makeParameter({ type: ParameterType.String, name: "name", description: "Whom." })],
  resultType: ValueType.String,
  execute: async ([name]) => greet(name).text,
});
`;

describe("execute --inspect", () => {
  it("stops at a breakpoint in the author's TypeScript, shows variables, and goes on", async () => {
    using project = makeProject({ "pack.ts": PACK, "greet.ts": GREET, "package.json": '{ "name": "greetings", "type": "module" }' });
    const env = { ...plainEnv(), PACKSMITH_HOME: join(project.path, ".home") };
    const child = spawn(process.execPath, [main, "execute", "pack.ts", "Hello", "Ada", "--inspect", "0"], { cwd: project.path, env });
    const closed = once(child, "close");
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk);
        const [, found] = /debugger {2}(ws:\S+)/.exec(stderr) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once("close", () => reject(new Error(stderr)));
    });
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(stderr).toContain("the Pack is not isolated while it is inspected");

    const editor = await attachDebugger(url);
    await editor.send("Debugger.enable");
    // Editors stop before a script that has a source map, to set the breakpoints of its sources.
    await editor.send("Debugger.setInstrumentationBreakpoint", { instrumentation: "beforeScriptWithSourceMapExecution" });
    const parsed = editor.event("Debugger.scriptParsed", ({ sourceMapURL }) => String(sourceMapURL).startsWith("data:"));
    const loading = editor.event("Debugger.paused");
    await editor.send("Runtime.runIfWaitingForDebugger");
    const script = await parsed;
    expect((await loading)["reason"]).toBe("instrumentation");

    const source = pathToFileURL(join(project.path, "greet.ts")).href;
    const { lineNumber, columnNumber } = generatedPlace(String(script["sourceMapURL"]), source, LINE);
    await editor.send("Debugger.setBreakpoint", { location: { scriptId: script["scriptId"], lineNumber, columnNumber } });
    const paused = editor.event("Debugger.paused", ({ reason }) => reason !== "instrumentation");
    await editor.send("Debugger.resume");
    const [frame] = (await paused)["callFrames"] as { functionName: string; callFrameId: string; location: { lineNumber: number } }[];
    expect(frame).toMatchObject({ functionName: "greet", location: { lineNumber } });
    const { result } = await editor.send("Debugger.evaluateOnCallFrame", { callFrameId: frame?.callFrameId, expression: "greeting.text" });
    expect(result).toMatchObject({ value: "Hello Ada" });
    editor.sendLast("Debugger.resume");
    expect(await closed).toEqual([0, null]);
    expect(stdout).toBe("Hello Ada\n");
    editor.close();
  }, 60_000);

  it("says which port is taken, and that a built bundle has no source to stop in", async () => {
    using project = makeProject({ "pack.ts": PACK, "greet.ts": GREET });
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const run = await runCli(["execute", "pack.ts", "Hello", "Ada", "--inspect", String(port), "--json"], { cwd: project.path });
    expect(run.json()).toMatchObject({ error: { code: "PORT_IN_USE" } });
    taken.close();
    const wrong = await runCli(["execute", "pack.ts", "Hello", "Ada", "--inspect", "x", "--json"], { cwd: project.path });
    expect(wrong.json()).toMatchObject({ error: { code: "USAGE_INVALID" } });
    const built = await runCli(["execute", "build/pack/bundle.js", "Hello", "--inspect", "--json"], { cwd: project.path });
    expect(built.json()).toMatchObject({ error: { code: "USAGE_INVALID" } });
  }, 60_000);
});

/** The first place in the script that comes from a line of a source. Lines of the protocol count from 0. */
function generatedPlace(sourceMapUrl: string, source: string, line: number) {
  const map = JSON.parse(Buffer.from(sourceMapUrl.split(",")[1] ?? "", "base64").toString()) as {
    sourcesContent: string[];
    sources: string[];
  };
  expect(map.sources).toContain(source);
  const decoded = new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]);
  for (let lineNumber = 0; lineNumber < 10_000; lineNumber++) {
    for (let columnNumber = 0; columnNumber < 60; columnNumber++) {
      const entry = decoded.findEntry(lineNumber, columnNumber);
      if ("originalSource" in entry && entry.originalSource === source && entry.originalLine === line - 1)
        return { lineNumber, columnNumber };
    }
  }
  throw new Error(`No code comes from line ${line}.`);
}
