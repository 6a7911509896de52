import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createIsolate, type Isolate } from "../../../src/sandbox/host/isolate.ts";
import { endProcess, type SandboxProcess } from "../../../src/sandbox/host/sandbox-process.ts";
import { loadIsolate, refusingHost, writeBundle } from "../../execute/support.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { startEachSandbox } from "../../support/shared-sandboxes.ts";

startEachSandbox();

const RUN = { kind: "formula", name: "Run", args: [] } as const;

/**
 * Answers the first message like a sandbox that has loaded a Pack, and the second one, a call, with
 * the messages of an
 * expression. The result is the third one, an answer to a request.
 */
const PROGRAM = `
const send = (text) => {
  const bytes = Buffer.from(text), header = Buffer.alloc(5);
  header.writeUInt32LE(bytes.length);
  // One after the other: the program itself must not need much memory.
  return new Promise((sent) => process.stdout.write(Buffer.concat([header, bytes]), sent));
};
const sendAll = async (messages) => { for (const message of messages) await send(message); };
let bytes = Buffer.alloc(0), messages = 0;
process.stdin.on("data", (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32LE()) {
    const text = bytes.toString("utf8", 5, 5 + bytes.readUInt32LE());
    bytes = bytes.subarray(5 + bytes.readUInt32LE());
    messages += 1;
    if (messages === 1) send(JSON.stringify([{ k: "loaded", written: '["o",[]]', compiled: '["o",[]]' }]));
    if (messages === 2) void sendAll(eval(process.argv[1]));
    if (messages === 3) send(JSON.stringify([{ k: "done", run: 1, value: text }]));
  }
});`;

/** A Pack in a process that its code has taken over. */
async function takenOver(messages: string): Promise<Isolate> {
  const child = spawn(process.execPath, ["-e", PROGRAM, messages], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  const broken = {
    child,
    memoryLimitMb: 128,
    isInspected: false,
    [Symbol.asyncDispose]: () => endProcess(child),
  } as unknown as SandboxProcess;
  return await createIsolate({
    code: writeBundle(`return "alive";`),
    fileName: "bundle.js",
    process: broken,
  });
}

const DONE = `'{"k":"done","run":1,"value":"forged"}'`;
const error = (members: string) =>
  `'[{"k":"failed","run":1,"error":{"name":"Error","message":"m","isUserVisible":true,${members}}}]'`;

describe("a process that a Pack has taken over", () => {
  it.each(
    chooseCases(
      [
        [
          "any number of console lines",
          `['[' + '{"k":"log","level":"log","message":"x"},'.repeat(5000) + ${DONE} + ']']`,
        ],
        [
          "console lines one by one",
          `Array.from({ length: 5000 }, () => '[{"k":"log","level":"log","message":"x"}]')`,
        ],
        [
          "a console line of any length",
          `['[{"k":"log","level":"log","message":"' + "x".repeat(1e6) + '"}]']`,
        ],
        [
          "a console line that is no text",
          `['[{"k":"log","level":"log","message":{"toString":1}}]']`,
        ],
        ["a level that is no text", `['[{"k":"log","level":["log"],"message":"x"}]']`],
        [
          "any number of requests",
          `['[' + '{"k":"fetch","run":1,"id":1,"request":{}},'.repeat(20000) + ${DONE} + ']']`,
        ],
        [
          "a request whose id is not a number",
          `['[{"k":"fetch","run":1,"id":"1,\\\\"k\\\\":\\\\"done\\\\"","request":{}}]']`,
        ],
        ["an error of any length", `[${error(`"message":"' + "x".repeat(1e6) + '"`)}]`],
        ["an error whose name is no text", `[${error('"name":{}')}]`],
        ["an error whose stack is no text", `[${error('"stack":[]')}]`],
        ["an error with a status that is no number", `[${error('"statusCode":{}')}]`],
        ["a problem that is no text", `['[{"k":"unsendable","run":1,"path":{},"reason":[]}]']`],
        ["a message of another kind", `['[{"k":"loaded","written":"","compiled":""}]']`],
        ["messages that are no list", `['{"length":1e9}']`],
        ["a list of nothing", `['[null]']`],
      ],
      4,
    ),
  )("that sends %s is ended, and the next call gets another one", async (_, messages) => {
    await using isolate = await takenOver(messages);
    const outcome = await isolate.invoke(RUN, refusingHost());
    expect(outcome).toMatchObject({ ok: false, error: { code: "RUN_CRASHED" } });
    expect(outcome.logs.length).toBeLessThanOrEqual(1001);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "alive" });
  });

  it("cannot answer for another run, and its prototypes stay its own", async () => {
    const value = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"tagged":{"$":"object","v":{"__proto__":{"polluted":1}}}}`;
    const forged = `{"k":"done","run":7,"value":"of another run"},{"k":"failed","run":0,"error":null},{"k":"done","run":1,"value":${value}}`;
    await using isolate = await takenOver(JSON.stringify([`[${forged}]`]));
    const outcome = await isolate.invoke(RUN, refusingHost());
    expect(outcome).toMatchObject({ ok: true });
    expect(JSON.stringify(outcome)).not.toContain("another run");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("a Pack cannot fill the memory of the program that runs it", () => {
  it.runIf(isLong)("with requests that wait", async () => {
    const request = (body: string) =>
      `'[{"k":"fetch","run":1,"id":1,"request":{"body":"' + ${body} + '"}}]'`;
    const messages = `(function* () {
      for (let index = 0; index < 16; index++) yield ${request('""')};
      for (let index = 0; index < 8; index++) yield ${request('"x".repeat(18e6)')};
    })()`;
    await using isolate = await takenOver(messages);
    let opened = 0;
    const fetch = () => {
      opened += 1;
      return new Promise<never>(() => undefined);
    };
    const outcome = await isolate.invoke(RUN, { ...refusingHost(), fetch });
    expect(outcome).toMatchObject({
      ok: true,
      value: expect.stringContaining("more than 128 MB of data are waiting"),
    });
    expect(opened).toBe(16);
  });

  it("with responses that it does not take", async () => {
    const body = `const [first] = Array.from({ length: 200 }, () => ctx.fetcher.fetch({}).catch(() => undefined));
    await first;
    for (;;);`;
    await using isolate = await loadIsolate(body);
    let opened = 0;
    const caller = new AbortController();
    const fetch = async () => {
      opened += 1;
      if (opened === 17) setTimeout(() => caller.abort(), 200);
      return { ok: true, response: { status: 200, headers: {}, body: "x".repeat(1e6) } } as const;
    };
    const outcome = await isolate.invoke(RUN, { ...refusingHost(), fetch, signal: caller.signal });
    expect(outcome).toMatchObject({ ok: false, error: { code: "INTERRUPTED" } });
    expect(opened).toBe(17);
  });

  it("with the path of a value that cannot be sent", async () => {
    await using isolate = await loadIsolate(`return { ["x".repeat(5e6)]: () => 0 };`);
    const outcome = await isolate.invoke(RUN, refusingHost());
    expect(outcome).toMatchObject({ ok: false, error: { code: "RESULT_INVALID" } });
    expect(!outcome.ok && outcome.error.message.length).toBeLessThan(5_000);
  });
});
