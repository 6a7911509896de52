import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { findConfinement } from "../../../src/sandbox/host/confinement.ts";
import { warnOfDebugger } from "../../../src/sandbox/host/warn-of-debugger.ts";
import { runCli } from "../../support/cli.ts";
import { stopAt } from "../../support/debugger.ts";
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
    using project = makeProject({
      "pack.ts": PACK,
      "greet.ts": GREET,
      "package.json": '{ "name": "greetings", "type": "module" }',
    });
    const env = { ...plainEnv(), PACKSMITH_HOME: join(project.path, ".home") };
    const child = spawn(
      process.execPath,
      [main, "execute", "pack.ts", "Hello", "Ada", "--inspect", "0"],
      { cwd: project.path, env },
    );
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
    expect(stderr).toContain(warnOfDebugger(findConfinement().name));

    const { editor, frame, lineNumber } = await stopAt(
      url,
      pathToFileURL(join(project.path, "greet.ts")).href,
      LINE,
    );
    expect(frame).toMatchObject({ functionName: "greet", location: { lineNumber } });
    const { result } = await editor.send("Debugger.evaluateOnCallFrame", {
      callFrameId: frame?.callFrameId,
      expression: "greeting.text",
    });
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
    const run = await runCli(
      ["execute", "pack.ts", "Hello", "Ada", "--inspect", String(port), "--json"],
      { cwd: project.path },
    );
    expect(run.json()).toMatchObject({ error: { code: "PORT_IN_USE" } });
    taken.close();
    const wrong = await runCli(["execute", "pack.ts", "Hello", "Ada", "--inspect", "x", "--json"], {
      cwd: project.path,
    });
    expect(wrong.json()).toMatchObject({ error: { code: "USAGE_INVALID" } });
    const built = await runCli(
      ["execute", "build/pack/bundle.js", "Hello", "--inspect", "--json"],
      { cwd: project.path },
    );
    expect(built.json()).toMatchObject({ error: { code: "USAGE_INVALID" } });
  }, 60_000);
});
