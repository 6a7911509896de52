import { describe, expect, it } from "vitest";
import { createStackMapper } from "../../../src/sandbox/host/stack-trace.ts";

// One generated line: column 1 is pack.ts:3:5, column 11 is packsmith/define/pack.js:1:1, column 21
// is lib/io.ts:2:1.
const MAP = JSON.stringify({
  version: 3,
  sources: ["pack.ts", "../node_modules/kit/index.js", "lib/io.ts"],
  names: [],
  mappings: "AAEI,UCFJ,UCCA",
});

describe("createStackMapper", () => {
  it("keeps the author's frames only, in the author's source", () => {
    const mapper = createStackMapper("bundle.js", MAP);
    const stack = [
      "TypeError: at bundle.js:1:1 is no frame",
      "    at async Object.execute (bundle.js:1:1)",
      "    at kit (bundle.js:1:11)",
      "    at bundle.js:1:21",
      "    at run (evalmachine.<anonymous>:1:5)",
      "    at node:internal/process:9:9",
    ].join("\n");
    expect(mapper.map(stack)).toBe("at Object.execute (pack.ts:3:5)\nat lib/io.ts:2:1");
  });

  it("gives the bundle's positions without a map, and nothing for no stack", () => {
    expect(createStackMapper("bundle.js", undefined).map("Error\n    at bundle.js:4:2")).toBe(
      "at bundle.js:4:2",
    );
    expect(createStackMapper("bundle.js", MAP).map(undefined)).toBeUndefined();
    expect(createStackMapper("bundle.js", MAP).map("anything")).toBeUndefined();
  });
});
