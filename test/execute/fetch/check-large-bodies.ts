import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startLongCli } from "../../support/long-cli.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestServer, type TestServer } from "../http-server.ts";

const PACK = `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("api.tasks.example");
pack.addFormula({
  name: "Read",
  description: "Reads 16 bodies at once.",
  parameters: [makeParameter({ type: ParameterType.String, name: "kind", description: "Of body." })],
  resultType: ValueType.Number,
  execute: async ([kind], context) => {
    const read = async (_: unknown, index: number) => {
      const request = {
        method: "GET" as const,
        url: \`https://api.tasks.example/\${kind}?\${index}\`,
        isBinaryResponse: kind === "bytes",
      };
      const response = await context.fetcher.fetch(request).catch((error) => error.response);
      return response.body.length;
    };
    const lengths = await Promise.all(Array.from({ length: 16 }, read));
    return lengths.reduce((sum, length) => sum + length, 0);
  },
});
`;

const LENGTH = 20_000_000;
export const BODIES: Readonly<Record<string, [type: string, body: () => Buffer, status?: number]>> =
  {
    text: ["text/plain", () => Buffer.alloc(LENGTH, "Tasks of today\n")],
    json: ["application/json", () => Buffer.from(JSON.stringify("x".repeat(LENGTH)))],
    bytes: ["application/octet-stream", () => Buffer.alloc(LENGTH, 0xa7)],
    latin1: ["text/plain;charset=iso-8859-1", () => Buffer.alloc(LENGTH, 0xe4)],
    failure: ["text/plain", () => Buffer.alloc(LENGTH, "No tasks today\n"), 500],
  };

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Measures the memory that bodies of these kinds need. */
export function checkLargeBodies(kinds: readonly string[]): void {
  let folder: ReturnType<typeof makeTemporaryFolder>;
  let server: TestServer;
  let body: Buffer;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    writeFileSync(join(folder.path, "pack.ts"), PACK);
    mkdirSync(join(folder.path, "node_modules"));
    symlinkSync(root, join(folder.path, "node_modules/packsmith"), "junction");
    server = await startTestServer(({ url }, response) => {
      const [type, , status = 200] = BODIES[url.slice(1).split("?")[0] ?? ""] ?? [];
      response.writeHead(status, { "content-type": type, "content-length": body.length }).end(body);
    });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.runIf(process.platform === "linux").each(kinds)(
    "16 bodies of 20 MB at once need at most 250 MB of memory outside of the sandbox: %s",
    async (kind) => {
      body = BODIES[kind]?.[1]() ?? Buffer.alloc(0);
      const args = ["execute", "pack.ts", "Read", kind];
      const route = `https://api.tasks.example=${server.origin}`;
      await using cli = startLongCli([...args, "--route", route], {
        cwd: folder.path,
      });
      let peakMb = 0;
      const watch = setInterval(() => {
        peakMb = Math.max(peakMb, readPeakMb(cli.child.pid ?? 0));
      }, 10);
      await cli.seen(/^\d+$/m);
      clearInterval(watch);
      expect(cli.text()).toContain(String(16 * LENGTH));
      expect(peakMb).toBeGreaterThan(100);
      expect(peakMb).toBeLessThanOrEqual(250);
    },
  );
}

function readPeakMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  } catch {
    return 0;
  }
}
