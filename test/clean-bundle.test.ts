import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));

describe.each([
  { entry: "index.ts", rooms: ["define"] },
  { entry: "legacy.ts", rooms: ["define", "index.ts"] },
  { entry: "service.ts", rooms: ["service/client", "service/contract"] },
])("what a Pack carries of $entry", ({ entry, rooms }) => {
  it("is ours alone: no package, no Node module, no other room", async () => {
    const { metafile } = await build({
      entryPoints: [source + entry],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "cjs",
      platform: "neutral",
      logLevel: "silent",
    });
    const inputs = Object.keys(metafile.inputs).map((path) => path.replace(/^.*?src\//, ""));
    expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
    expect(
      inputs.filter(
        (path) => path !== entry && path !== "errors.ts" && !rooms.some((room) => path === room || path.startsWith(`${room}/`)),
      ),
    ).toEqual([]);
  });
});
