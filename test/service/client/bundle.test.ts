import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const entry = fileURLToPath(new URL("../../../src/service.ts", import.meta.url));

it("the client carries no package, is at most 8 kB gzipped, and starts without any Web or Node API", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "neutral",
    target: "es2020",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const code = outputFiles[0]?.text ?? "";
  expect(Object.keys(metafile.inputs).filter((path) => path.includes("node_modules/"))).toEqual([]);
  expect(gzipSync(code).byteLength).toBeLessThanOrEqual(8_192);
  const module = { exports: {} as Record<string, unknown> };
  runInNewContext(code, { module, exports: module.exports, URL: undefined, fetch: undefined });
  expect(typeof module.exports["createServiceClient"]).toBe("function");
});
