import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isLong } from "../../support/breadth.ts";
import { runCli, startCliServer } from "../../support/cli.ts";
import { oneFormula } from "../../support/dev-pack.ts";
import { plainEnv } from "../../support/plain-env.ts";
import { makeProject } from "../../support/project.ts";

const packsmith = fileURLToPath(new URL("../../../dist/bin/packsmith.cjs", import.meta.url));

interface DevFacts {
  url: string;
  origin: string;
  port: number;
  name: string;
  status: string;
}

describe("packsmith dev", () => {
  it("serves the page until it is interrupted, and says where a first instance is to a second one", async () => {
    using project = makeProject({ "pack.ts": oneFormula('return "";') });
    const env = { PACKSMITH_HOME: join(project.path, "home") };
    await using server = await startCliServer<DevFacts>(["dev", "--port", "0"], {
      cwd: project.path,
      env,
    });
    expect(server.facts).toMatchObject({
      status: "ready",
      url: `${server.facts.origin}/?launch=${new URL(server.facts.url).searchParams.get("launch")}`,
    });
    expect((await fetch(server.facts.url, { redirect: "manual" })).status).toBe(303);

    const second = await runCli(["dev", "./pack.ts", "--port", "0"], { cwd: project.path, env });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(
      `error DEV_RUNNING  packsmith dev runs for ./pack.ts already, as process`,
    );
    // The first link was used, so there is a new one.
    const [link = ""] = /http:\S+launch=[\w-]+/.exec(second.stderr) ?? [];
    expect(link.startsWith(server.facts.origin)).toBe(true);
    const statuses = [server.facts.url, link, link].map(
      async (url) => (await fetch(url, { redirect: "manual" })).status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual([303, 403, 403]);
    // It has a key: no other user of this machine may read it.
    const folder = join(project.path, "home", "dev");
    expect(
      readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8)),
    ).toEqual(["600"]);

    expect(await server.stop()).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "opens the browser with a private file, and removes it at the end",
    async () => {
      using project = makeProject({ "pack.ts": oneFormula('return "";') });
      const home = join(project.path, "home");
      const program = join(project.path, "browser");
      const record = join(project.path, "opened");
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}.part' && mv '${record}.part' '${record}'\n`,
      );
      chmodSync(program, 0o700);
      const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, CI: _ci, ...env } = plainEnv();
      const child = spawn(process.execPath, [packsmith, "dev", "--port", "0"], {
        cwd: project.path,
        env: { ...env, PACKSMITH_HOME: home, BROWSER: program },
      });
      try {
        await expect.poll(() => existsSync(record), { timeout: 30_000 }).toBe(true);
        const path = readFileSync(record, "utf8").trim();
        expect(path).toMatch(/\/home\/links\/open-[0-9a-f]{16}\.html$/);
        expect(statSync(path).mode & 0o777).toBe(0o600);
        expect(statSync(join(home, "links")).mode & 0o777).toBe(0o700);
        expect(readFileSync(path, "utf8")).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\/\?launch=/);
      } finally {
        const ended = once(child, "close");
        child.kill("SIGINT");
        await ended;
      }
      expect(readdirSync(join(home, "links"))).toEqual([]);
    },
    60_000,
  );

  it.runIf(isLong)(
    "takes no notice of what an instance has left behind that was killed",
    async () => {
      using project = makeProject({ "pack.ts": oneFormula('return "";') });
      const env = { PACKSMITH_HOME: join(project.path, "home") };
      const first = await startCliServer<DevFacts>(["dev", "--port", "0"], {
        cwd: project.path,
        env,
      });
      await first.stop("SIGKILL");
      const folder = join(project.path, "home", "dev");
      expect(readdirSync(folder)).toHaveLength(1);
      await using second = await startCliServer<DevFacts>(["dev", "--port", "0"], {
        cwd: project.path,
        env,
      });
      expect(second.facts.status).toBe("ready");
      // Nor of a process of that number that is another one.
      const [name = ""] = readdirSync(folder);
      await second.stop();
      writeFileSync(
        join(folder, name),
        JSON.stringify({ pid: process.pid, origin: "http://127.0.0.1:9", key: "gone" }),
      );
      await using third = await startCliServer<DevFacts>(["dev", "--port", "0"], {
        cwd: project.path,
        env,
      });
      expect(third.facts.status).toBe("ready");
    },
  );

  it.runIf(isLong)(
    "starts the service with the documents of --seed, and says what is wrong with a seed or with --inspect",
    async () => {
      using project = makeProject({
        "pack.ts": oneFormula('return "";'),
        "seed.yaml":
          "users: [{ name: First, email: first@service.example }]\ndocs: [{ id: plans, title: Plans }]\n",
        "bad.json": "{",
      });
      const env = { PACKSMITH_HOME: join(project.path, "home") };
      await using server = await startCliServer<DevFacts>(
        ["dev", "--port", "0", "--seed", "seed.yaml"],
        { cwd: project.path, env },
      );
      const launch = await fetch(server.facts.url, { redirect: "manual" });
      const cookie = launch.headers.get("set-cookie")?.split(";")[0] ?? "";
      const docs = await fetch(`${server.facts.origin}/api/service/docs`, { headers: { cookie } });
      expect(await docs.json()).toMatchObject([{ id: "plans" }]);
      await server.stop();
      const failing = async (...flags: string[]) =>
        (await runCli(["dev", "--port", "0", ...flags], { cwd: project.path, env })).stderr;
      expect(await failing("--seed", "bad.json")).toContain("error SEED_INVALID");
      expect(await failing("--inspect", "many")).toContain("error USAGE_INVALID");
    },
  );

  it("fails for a port that was asked for and is taken, and for a file that is not there", async () => {
    using project = makeProject({ "pack.ts": oneFormula('return "";') });
    const env = { PACKSMITH_HOME: join(project.path, "home") };
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = blocker.address() as AddressInfo;
      const taken = await runCli(["dev", "--port", String(port)], { cwd: project.path, env });
      expect([taken.code, taken.stderr]).toEqual([
        11,
        expect.stringContaining(`error PORT_IN_USE  Port ${port} on 127.0.0.1 is in use by `),
      ]);
    } finally {
      blocker.close();
    }
    const missing = await runCli(["dev", "nothing.ts", "--port", "0"], { cwd: project.path, env });
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("error PACK_FILE_UNREADABLE"),
    ]);
  });
});
