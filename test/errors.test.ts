import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../src/cli/verb.ts";
import { getExitClass, isPackError, PACK_ERROR_CODES, PackError } from "../src/errors.ts";

describe("PackError", () => {
  it("keeps code, details, hint and cause", () => {
    const cause = new Error("why");
    const error = new PackError("PORT_IN_USE", "Port 1 is in use.", {
      details: { port: 1, host: "127.0.0.1" },
      hint: "Stop it.",
      cause,
    });
    expect({ ...error, message: error.message, name: error.name, cause: error.cause }).toEqual({
      code: "PORT_IN_USE",
      details: { port: 1, host: "127.0.0.1" },
      hint: "Stop it.",
      name: "PackError",
      message: "Port 1 is in use.",
      cause,
    });
  });

  it("is recognised when another copy of the package made it", () => {
    const foreign = Object.assign(new Error("busy"), {
      name: "PackError",
      code: "PORT_IN_USE",
      details: { port: 2, host: "127.0.0.1" },
    });
    expect([
      isPackError(foreign),
      isPackError(foreign, "PORT_IN_USE"),
      isPackError(foreign, "USAGE_INVALID"),
    ]).toEqual([true, true, false]);
    expect([
      isPackError(new Error("x")),
      isPackError(undefined),
      isPackError({ name: "PackError", code: "PORT_IN_USE" }),
    ]).toEqual([false, false, false]);
  });

  it("has an exit code for every code, and no two classes share one", () => {
    for (const code of PACK_ERROR_CODES) expect(EXIT_CODES[getExitClass(code)]).toBeGreaterThan(0);
    expect(new Set(Object.values(EXIT_CODES)).size).toBe(Object.keys(EXIT_CODES).length);
  });

  it("maps the classes to the documented exit codes", () => {
    expect(EXIT_CODES).toEqual({
      problem: 1,
      usage: 2,
      breaking: 3,
      build: 10,
      network: 11,
      authentication: 12,
      interrupted: 130,
    });
  });
});
