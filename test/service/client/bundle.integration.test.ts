import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../../src/", import.meta.url));

async function bundled(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: source, loader: "ts" },
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
  return { code, gzipped: gzipSync(code).byteLength, inputs: Object.keys(metafile.inputs) };
}

it("the client is at most 34 kB, and 13 kB gzipped", async () => {
  const { code, gzipped } = await bundled(
    'export { createServiceClient, fetchTransport, packTransport, rowQuery } from "./service.ts"',
  );
  expect(code.length).toBeLessThanOrEqual(34_000);
  expect(gzipped).toBeLessThanOrEqual(13_000);
});

it("what unpacks exports and converts single cells is carried only by those who import it", async () => {
  const { inputs } = await bundled(
    'export { createServiceClient, packTransport } from "./service.ts"',
  );
  const { code } = await bundled(
    'import { createServiceClient, packTransport } from "./service.ts"; export { createServiceClient, packTransport }',
  );
  expect(inputs.length).toBeGreaterThan(0);
  for (const part of ["The gzip data is damaged", "unexpected EOF", "cannot be written here"])
    expect(code).not.toContain(part);
});

// docs/rules.md: Pack rule 1
it("the client carries no package but fflate, which unpacks exports, and starts without any API of Node or the Web", async () => {
  const { code, inputs } = await bundled('export * from "./service.ts"');
  expect(
    inputs.filter(
      (path) => path.includes("node_modules/") && !path.includes("node_modules/fflate/"),
    ),
  ).toEqual([]);
  const module = { exports: {} as Record<string, unknown> };
  runInNewContext(code, { module, exports: module.exports });
  expect(typeof module.exports["createServiceClient"]).toBe("function");
});
