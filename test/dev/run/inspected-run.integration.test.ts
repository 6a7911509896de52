import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PackView } from "../../../src/dev/wire/pack.ts";
import type { RunView } from "../../../src/dev/wire/run.ts";
import { findConfinement } from "../../../src/sandbox/host/confinement.ts";
import { warnOfDebugger } from "../../../src/sandbox/host/warn-of-debugger.ts";
import { stopAt } from "../../support/debugger.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";

const PACK = `import { makeObjectSchema, makeParameter, newPack, ParameterType, ValueType } from "packsmith";
import { greet } from "./greet.ts";
export const pack = newPack();
const name = makeParameter({ type: ParameterType.String, name: "name", description: "Whom.", autocomplete: async () => ["Ada"] });
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [name],
  resultType: ValueType.String,
  execute: async ([name]) => greet(name),
});
pack.addSyncTable({
  name: "Greetings",
  description: "Greetings.",
  identityName: "Greeting",
  schema: makeObjectSchema({ properties: { text: { type: ValueType.String } }, idProperty: "text", displayProperty: "text" }),
  formula: { parameters: [], execute: async () => ({ result: [{ text: greet("all") }] }) },
});
`;
const GREET = `export function greet(name: string): string {
  const text = \`Hello \${name}\`;
  return text;
}
`;
/** The line of \`return text\`. */
const LINE = 3;

describe("a run of the page with --inspect", () => {
  let dev: DevProject;
  /** Addresses of processes that wait for a debugger, and those who wait for such an address. */
  const urls: string[] = [];
  const readers: ((url: string) => void)[] = [];
  const nextUrl = (): Promise<string> =>
    new Promise((resolve) => {
      const url = urls.shift();
      if (url === undefined) readers.push(resolve);
      else resolve(url);
    });
  const onListening = (url: string): void => {
    const reader = readers.shift();
    if (reader === undefined) urls.push(url);
    else reader(url);
  };
  const run = async (target: string, args: string[], signal?: AbortSignal): Promise<RunView> =>
    (await (await dev.post("/api/runs", { target, args }, signal)).json()) as RunView;
  const greetUrl = () => pathToFileURL(join(dev.project.path, "greet.ts")).href;
  /** Resolves when a run ends. */
  const nextEnd = (): Promise<string> =>
    new Promise((resolve) => {
      const stop = dev.server.session.events.listen((event) => {
        if (event.type !== "run" || event.state !== "ended") return;
        stop();
        resolve(event.id);
      });
    });

  beforeAll(async () => {
    dev = await startDevProject(
      { "pack.ts": PACK, "greet.ts": GREET },
      { inspect: { port: 0, onListening } },
    );
  });
  afterAll(() => dev[Symbol.asyncDispose]());

  it("stops at a breakpoint in the author's source, shows variables, and goes on", async () => {
    const running = run("Hello", ["Ada"]);
    const { editor, frame } = await stopAt(await nextUrl(), greetUrl(), LINE);
    expect(frame).toMatchObject({ functionName: "greet" });
    const { result } = await editor.send("Debugger.evaluateOnCallFrame", {
      callFrameId: frame?.callFrameId,
      expression: "text",
    });
    expect(result).toMatchObject({ value: "Hello Ada" });
    editor.sendLast("Debugger.resume");
    expect(await running).toMatchObject({ state: "ended", value: "Hello Ada" });
    editor.close();
  });

  it("stops in the formula of a table, too, in the version that was saved last", async () => {
    dev.project.write("greet.ts", GREET.replace("Hello", "Good morning"));
    const running = run("Greetings", []);
    const { editor, frame } = await stopAt(await nextUrl(), greetUrl(), LINE);
    const { result } = await editor.send("Debugger.evaluateOnCallFrame", {
      callFrameId: frame?.callFrameId,
      expression: "text",
    });
    expect(result).toMatchObject({ value: "Good morning all" });
    editor.sendLast("Debugger.resume");
    expect(await running).toMatchObject({ state: "ended", rowCount: 1 });
    editor.close();
  });

  it("ends when the user stops it, or starts another one, while it waits for a debugger", async () => {
    const first = run("Hello", ["Ada"]);
    await nextUrl();
    const stopping = new AbortController();
    const second = run("Greetings", [], stopping.signal).catch(() => undefined);
    expect(await first).toMatchObject({ state: "ended", failure: { code: "INTERRUPTED" } });
    await nextUrl();
    const ended = nextEnd();
    stopping.abort();
    const { failure } = (await (await dev.get(`/api/runs/${await ended}`)).json()) as RunView;
    expect(failure).toMatchObject({
      code: "INTERRUPTED",
      message: "The run was stopped while it waited for a debugger.",
    });
    await second;
  });

  it("says so on the page; the choices of a parameter need no debugger", async () => {
    const pack = (await (await dev.get("/api/pack")).json()) as PackView;
    expect(pack.inspect).toEqual({ warning: warnOfDebugger(findConfinement().name) });
    const choices = await dev.post("/api/choices", { of: "Hello", parameter: "name", search: "" });
    expect(await choices.json()).toEqual([{ display: "Ada", value: "Ada" }]);
    expect(urls).toEqual([]);
  });
});
