import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const module = new URL("../../dist/bundle/esbuild.js", import.meta.url).href;
const PROGRAM = `
const { build } = await import(${JSON.stringify(module)});
await build({ stdin: { contents: "" }, write: false });
if (process.env.SECRET !== "canary") throw new Error("The environment is lost.");
console.log("built");
setInterval(() => {}, 1000);`;

it.runIf(process.platform === "linux")(
  "esbuild gets nothing secret of the environment",
  async () => {
    const parent = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
      env: { ...process.env, SECRET: "canary", DATABASE_URL: "postgres://canary@127.0.0.1/x" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(parent.stdout, "data");
      const read = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
      const children = read(parent.pid as number, `task/${parent.pid}/children`);
      const programs = children.split(" ").filter(Boolean).map(Number);
      expect(programs.map((pid) => read(pid, "cmdline"))).toEqual([
        expect.stringContaining("esbuild"),
      ]);
      const environment = read(programs[0] as number, "environ");
      expect(environment).toContain("PATH=");
      expect(environment).not.toContain("canary");
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
