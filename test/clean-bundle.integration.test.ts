import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));

describe.each([
  { entry: "index.ts", rooms: ["define"], packages: [] },
  { entry: "legacy.ts", rooms: ["define", "index.ts"], packages: [] },
  // fflate unpacks exported pages.
  { entry: "service.ts", rooms: ["service/client", "service/contract"], packages: ["fflate"] },
])("what a Pack carries of $entry", ({ entry, rooms, packages }) => {
  it("is ours: no other package, no Node module, no other folder", async () => {
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
    const own = inputs.filter((path) => !path.includes("node_modules/"));
    expect(
      inputs
        .filter((path) => !own.includes(path))
        .filter((path) => !packages.some((name) => path.includes(`node_modules/${name}/`))),
    ).toEqual([]);
    expect(
      own.filter(
        (path) =>
          path !== entry &&
          path !== "errors.ts" &&
          !rooms.some((room) => path === room || path.startsWith(`${room}/`)),
      ),
    ).toEqual([]);
  });
});
