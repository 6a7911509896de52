import { describe, expect, it } from "vitest";
import {
  FILTERED_ARCHITECTURES,
  writeSystemCallFilter,
} from "../../../src/sandbox/host/system-call-filter.ts";

const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0001;
const KILL = 0x8000_0000;

/** What the kernel does with a filter: `Documentation/networking/filter.rst`. */
function judge(filter: Uint8Array, call: { architecture: number; number: number; flags?: number }) {
  const steps = new DataView(filter.buffer);
  const seen: Record<number, number> = {
    0: call.number,
    4: call.architecture,
    16: call.flags ?? 0,
  };
  let word = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = steps.getUint32(at + 4, true);
    const skip = (isTrue: boolean) => {
      at += steps.getUint8(at + (isTrue ? 2 : 3)) * 8;
    };
    const operation = steps.getUint16(at, true);
    if (operation === 0x06) return value;
    if (operation === 0x20) word = seen[value] as number;
    else if (operation === 0x15) skip(word === value);
    else if (operation === 0x35) skip(word >= value);
    else if (operation === 0x45) skip((word & value) !== 0);
    else throw new TypeError(`${operation} is unknown.`);
  }
  throw new TypeError("The filter ends without an answer.");
}

const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;

describe("the filter of system calls", () => {
  it.each([
    ["x64", X64, { read: 0, execve: 59, socket: 41, fork: 57, clone: 56, connect: 42, shmget: 29 }],
    [
      "arm64",
      ARM64,
      { read: 63, execve: 221, socket: 198, fork: -1, clone: 220, connect: 203, shmget: 194 },
    ],
  ] as const)(
    "on %s lets Node run, and refuses sockets and processes",
    (name, architecture, calls) => {
      const filter = writeSystemCallFilter(name);
      const answer = (number: number, flags?: number) =>
        judge(filter, { architecture, number, ...(flags === undefined ? {} : { flags }) });
      expect([answer(calls.read), answer(calls.execve)]).toEqual([ALLOW, ALLOW]);
      for (const refused of [calls.socket, calls.connect, calls.shmget])
        expect(answer(refused)).toBe(REFUSE);
      if (calls.fork >= 0) expect(answer(calls.fork)).toBe(REFUSE);
      // A thread of this process, and a process.
      expect(answer(calls.clone, 0x0001_0f00)).toBe(ALLOW);
      expect(answer(calls.clone, 0x0120_0011)).toBe(REFUSE);
      // "Unknown", so that libraries use `clone`.
      expect(answer(435)).toBe(0x0005_0026);
    },
  );

  it("ends a process that uses the calls of another architecture, and refuses those of x32", () => {
    const filter = writeSystemCallFilter("x64");
    expect(judge(filter, { architecture: 0x4000_0003, number: 1 })).toBe(KILL);
    expect(judge(filter, { architecture: X64, number: 0x4000_0001 })).toBe(REFUSE);
  });

  it("exists for two architectures", () => {
    expect(FILTERED_ARCHITECTURES).toEqual(["x64", "arm64"]);
    expect(() => writeSystemCallFilter("riscv64")).toThrow(TypeError);
  });
});
