import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createServiceClient, type FetchFunction } from "../../src/service.ts";
import { findProgram } from "../support/find-program.ts";
import { plainEnv } from "../support/plain-env.ts";
import { hasPostgres, makePostgresDatabase } from "../support/postgres.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { trustingFetch } from "../support/trusting-fetch.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [, section = ""] = readFileSync(join(root, "docs/service.md"), "utf8").split(
  "### Several processes behind a load balancer\n",
);
const [, caddyfile = ""] = /^```text\n([\s\S]*?)^```$/m.exec(section) ?? [];
const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .slice(0, 2)
  .flatMap(([, text = ""]) => text.trimEnd().split("\n"));
const PORTS = ["4001", "4002", "4003", "8443"];

interface Running extends AsyncDisposable {
  child: ChildProcess;
  /** What it printed, on both streams. */
  printed(): string;
}

/** Runs a command of the page until it prints what shows that it is ready. */
async function start(
  line: string,
  ready: RegExp,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Running> {
  const [program = "", ...args] = line.split(" ");
  const [file, words] =
    program === "packsmith"
      ? [process.execPath, [join(root, "dist/bin/packsmith.cjs"), ...args]]
      : [program, args];
  const child = spawn(file, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        printed += String(chunk);
        if (ready.test(printed)) resolve();
      });
    void ended.then(() => reject(new Error(`${line} ended: ${printed}`)), reject);
  });
  return {
    child,
    printed: () => printed,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** What a service printed as `name  value`. */
function findFact(service: Running, name: string): string {
  return new RegExp(`^${name} +(\\S+)$`, "m").exec(service.printed())?.[1] ?? "";
}

/** The requests that a process answered, as its control plane lists them. */
async function listRequests(service: Running): Promise<{ method: string; path: string }[]> {
  const response = await fetch(`${findFact(service, "controlUrl")}/requests`);
  return ((await response.json()) as { items: { method: string; path: string }[] }).items;
}

describe.skipIf(!hasPostgres || findProgram("caddy") === undefined)(
  "the load balancer of docs/service.md",
  () => {
    it("the page has three services, Caddy, and the certificate to trust", () => {
      expect(commands.map((line) => line.split(" ", 2).join(" "))).toEqual([
        ...Array<string>(3).fill("packsmith service"),
        "caddy run",
        expect.stringMatching(/^export NODE_EXTRA_CA_CERTS=\$HOME\//),
      ]);
    });

    it("three processes are one service, also when one of them is killed", async () => {
      using folder = makeTemporaryFolder();
      await using database = await makePostgresDatabase();
      const free = await findFreePorts(PORTS.length);
      const here = (text: string) =>
        text
          .replaceAll("postgres://docs@127.0.0.1:5432/docs", database.url)
          .replace(
            new RegExp(`\\b(?:${PORTS.join("|")})\\b`, "g"),
            (port) => `${free[PORTS.indexOf(port)]}`,
          );
      const env = { ...plainEnv(), HOME: folder.path, PACKSMITH_HOME: join(folder.path, "home") };
      const place = { cwd: folder.path, env };
      writeFileSync(join(folder.path, "Caddyfile"), here(caddyfile));

      // The two lines come on different streams.
      const ready = /(?=[\s\S]*^controlUrl +\S+\n)(?=[\s\S]*ready; stop it)/m;
      const [one = "", two = "", three = "", caddy = "", trust = ""] = commands.map(here);
      await using first = await start(one, ready, place);
      await using second = await start(two, ready, place);
      await using third = await start(three, ready, place);
      await using _balancer = await start(caddy, /certificate obtained successfully/, place);
      const services = [first, second, third];
      const token = findFact(first, "token");
      expect(services.map((service) => findFact(service, "token"))).toEqual([token, token, token]);

      const authority = trust.replace(/^.*=\$HOME/, folder.path);
      const send = trustingFetch(readFileSync(authority, "utf8"));
      const publicUrl = findFact(first, "publicUrl");
      expect(publicUrl).toBe(here("https://127.0.0.1:8443/apis/v1"));
      const client = createServiceClient({
        baseUrl: publicUrl,
        token,
        fetch: send as never as FetchFunction,
      });
      const doc = client.doc(findFact(first, "docId"));
      const { rows } = doc.table("Tasks");

      // Each request goes to the next process, so what one accepted is read through others.
      await client.waitFor(await rows.insert({ rows: [{ Title: "Accepted by one" }] }));
      for (const _ of services) {
        const row = await rows.resolve("Accepted by one");
        expect([row.name, row.href.startsWith(publicUrl)]).toEqual(["Accepted by one", true]);
      }
      const answered = await Promise.all(services.map(listRequests));
      const hasMethod = (method: string) =>
        answered.map((requests) => requests.some((request) => request.method === method));
      expect(hasMethod("POST").filter(Boolean)).toHaveLength(1);
      expect(hasMethod("GET")).toEqual([true, true, true]);

      // The balancer is on this machine, but what it passes on comes from anywhere.
      const control = findFact(first, "controlUrl").replace(/^http:\/\/[^/]+/, "");
      expect((await send(`${new URL(control, publicUrl).href}/clock`)).status).toBe(403);

      second.child.kill("SIGKILL");
      await once(second.child, "close");
      for (let at = 0; at < 6; at++) {
        const edit = await rows.insert({ rows: [{ Title: `After the kill ${at}` }] });
        await client.waitFor(edit);
        expect((await rows.resolve(`After the kill ${at}`)).name).toBe(`After the kill ${at}`);
      }
    });
  },
);
