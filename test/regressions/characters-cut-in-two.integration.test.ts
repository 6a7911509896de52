import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readAll } from "../../src/cli/client-credentials.ts";
import { runTool } from "../../src/shared/run-tool.ts";

const SECRET = "pässwörd-€-𝄞";

it("a secret on stdin keeps its characters, wherever its chunks end", async () => {
  const bytes = Buffer.from(SECRET);
  for (let at = 0; at <= bytes.length; at++) {
    const stream = Readable.from([bytes.subarray(0, at), bytes.subarray(at)], {
      objectMode: false,
    });
    expect(await readAll(stream)).toBe(SECRET);
  }
  expect(await readAll(Readable.from([SECRET, SECRET]))).toBe(SECRET + SECRET);
});

it("the output of a tool keeps its characters, however it writes them", async () => {
  const script = `for (const byte of Buffer.from(${JSON.stringify(SECRET.repeat(50))})) require("fs").writeSync(1, Buffer.of(byte));`;
  const { stdout, code } = await runTool(process.execPath, ["-e", script], { env: process.env });
  expect({ stdout, code }).toEqual({ stdout: SECRET.repeat(50), code: 0 });
});
