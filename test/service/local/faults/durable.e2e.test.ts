import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";

const MAIN = new URL("../../../../dist/bin/packsmith.cjs", import.meta.url).pathname;
const EDITS = 20;

/** How often the service waited for the disk while it accepted so many edits. */
async function countSyncs(flags: string[]): Promise<number> {
  using folder = makeTemporaryFolder();
  const trace = join(folder.path, "trace");
  const args = [
    "-f",
    "-e",
    "trace=fsync,fdatasync",
    "-o",
    trace,
    process.execPath,
    MAIN,
    "service",
    "--port",
    "0",
    "--json",
  ];
  const child = spawn(
    "strace",
    [...args, "--database", join(folder.path, "service.db"), ...flags],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const [line = ""] = await new Promise<string[]>((resolve) => {
      const lines: string[] = [];
      createInterface(child.stdout).on("line", (text) => {
        lines.push(text);
        if (text.startsWith("}") || text.endsWith("}")) resolve([lines.join("")]);
      });
    });
    const { url, token, docId } = JSON.parse(line) as Record<"url" | "token" | "docId", string>;
    const count = () => readFileSync(trace, "utf8").match(/(?:fsync|fdatasync)\(/g)?.length ?? 0;
    const before = count();
    for (let at = 0; at < EDITS; at++) {
      const body = JSON.stringify({ rows: [{ cells: [{ column: "Name", value: `row ${at}` }] }] });
      const headers = { Authorization: `Bearer ${token}` };
      expect(
        (
          await fetch(`${url}/docs/${docId}/tables/Projects/rows`, {
            method: "POST",
            headers,
            body,
          })
        ).status,
      ).toBe(202);
    }
    return count() - before;
  } finally {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGINT");
    // strace passes the signal on to nothing that it traces, so that the program is ended on its
    // own.
    for (const id of listChildren(child.pid ?? 0)) process.kill(id, "SIGINT");
    await ended;
  }
}

function listChildren(id: number): number[] {
  const path = `/proc/${id}/task/${id}/children`;
  return existsSync(path)
    ? readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number)
    : [];
}

function canTrace(): boolean {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write(
      "The test of what reaches the disk is skipped: strace cannot be used here.\n",
    );
    return false;
  }
}

it.runIf(canTrace())(
  "--durable waits for the disk before each 202; without it, edits do not wait",
  async () => {
    expect(await countSyncs(["--durable"])).toBeGreaterThanOrEqual(EDITS);
    expect(await countSyncs([])).toBeLessThan(EDITS);
  },
);
