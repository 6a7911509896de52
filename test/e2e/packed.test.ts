import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATES } from "../../src/init/templates.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { startService } from "../../src/service/local/service.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

/** npm and npx as a user has them, without what the surrounding npm process exports. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$|INIT_CWD$|PACKSMITH_|CI$)/i.test(name),
  ),
);
/** A busy machine is no failure of a template. */
const PATIENCE = ["--testTimeout=60000"];
const NPM_FLAGS = ["--no-audit", "--no-fund", "--prefer-offline"];

/** A command that fails shows what it printed. */
async function runFile(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
) {
  return await execute(command, args, options).catch(
    ({ message, stdout, stderr }: { message: string; stdout: string; stderr: string }) => {
      throw new Error(`${message}\n${stdout}${stderr}`);
    },
  );
}

/**
 * A project gets the release of vite that this repository has: npm ci fails for one whose optional
 * packages a registry does not have yet.
 */
async function keepVite(file: string): Promise<void> {
  const vite = await readFile(join(root, "node_modules/vite/package.json"), "utf8");
  const manifest = JSON.parse(await readFile(file, "utf8"));
  manifest.overrides = { vite: JSON.parse(vite).version };
  await writeFile(file, JSON.stringify(manifest));
}

/** One installation, in which all projects lie: Node looks for packages in the folders above. */
let folder: ReturnType<typeof makeTemporaryFolder>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  const path = [join(folder.path, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  env = {
    ...plainEnv,
    PATH: path,
    NO_COLOR: "1",
    PACKSMITH_KEY_STORE: "file",
    TURBO_TELEMETRY_DISABLED: "1",
  };
  const pack = (from: string) =>
    runFile("npm", ["pack", "--ignore-scripts", "--pack-destination", folder.path], {
      cwd: from,
      env,
    });
  await Promise.all([pack(root), pack(join(root, "templates/_create"))]);
  const tarballs = readdirSync(folder.path).filter((name) => name.endsWith(".tgz"));
  expect(tarballs).toHaveLength(2);
  const tools = ["typescript", "vitest"].map((tool) => `${tool}@${devDependencies[tool]}`);
  await runFile(
    "npm",
    ["install", ...NPM_FLAGS, ...tarballs.map((name) => `./${name}`), ...tools],
    { cwd: folder.path, env },
  );
}, 240_000);

afterAll(() => folder[Symbol.dispose](), 120_000);

describe("from the packed tarball, in an empty folder", { timeout: 240_000 }, () => {
  it("a project that links the installed package leaves it whole, though npm runs the prepare script of what it links", async () => {
    const project = join(folder.path, "linking");
    const installed = join(folder.path, "node_modules", "packsmith");
    await mkdir(project);
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ name: "linking", dependencies: { packsmith: `file:${installed}` } }),
    );
    await runFile("npm", ["install", ...NPM_FLAGS], { cwd: project, env });
    const { stdout } = await runFile("npx", ["packsmith", "--version"], { cwd: project, env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("npm create packsmith makes a project that installs on its own and runs its scripts", async () => {
    const project = join(folder.path, "My Pack");
    await runFile("npm", ["exec", "--", "create-packsmith", "My Pack", "--yes"], {
      cwd: folder.path,
      env,
    });
    const manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as Manifest;
    expect(manifest.name).toBe("my-pack");
    expect(manifest.devDependencies["packsmith"]).toMatch(/^file:\.\.\/packsmith-.*\.tgz$/);
    await runFile("npm", ["install", ...NPM_FLAGS], { cwd: project, env });
    expect(existsSync(join(project, "node_modules/packsmith/package.json"))).toBe(true);
    for (const script of [["validate"], ["test", "--", ...PATIENCE], ["build"]])
      await runFile("npm", ["run", ...script], { cwd: project, env });
    expect(existsSync(join(project, "build/my-pack/bundle.js"))).toBe(true);
  });

  it("what was built is not built again after npm ci in another folder, for another user, and has the same bytes", async () => {
    const cache = join(folder.path, "build-cache");
    const original = join(folder.path, "original");
    await runFile("npm", ["exec", "--", "create-packsmith", "original", "--yes"], {
      cwd: folder.path,
      env,
    });
    await keepVite(join(original, "package.json"));
    await runFile("npm", ["install", "--package-lock-only", ...NPM_FLAGS], { cwd: original, env });
    await runFile("git", ["init", "--quiet"], { cwd: original, env });
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const build = async (name: string, user: { uid?: number; gid?: number }) => {
      const checkout = join(folder.path, name);
      await cp(original, checkout, { recursive: true });
      await runFile("npm", ["ci", ...NPM_FLAGS], { cwd: checkout, env });
      const home = join(folder.path, `home-${name}`);
      await mkdir(home);
      if (user.uid !== undefined)
        await runFile("chown", ["-R", `${user.uid}:${user.gid}`, checkout, home, cache], {
          cwd: checkout,
          env,
        });
      const [node = "", cli = ""] = [
        process.execPath,
        join(checkout, "node_modules/packsmith/dist/bin/packsmith.cjs"),
      ];
      const { stdout } = await runFile(node, [cli, "build", "--json"], {
        cwd: checkout,
        env: { ...env, HOME: home, PACKSMITH_CACHE: cache },
        ...user,
      });
      const { packs } = JSON.parse(stdout) as {
        packs: { cache: string; bundle: string; manifest: string }[];
      };
      return packs.map((pack) => [
        pack.cache,
        readFileSync(pack.bundle, "utf8"),
        readFileSync(pack.manifest, "utf8"),
      ]);
    };
    await chmod(folder.path, 0o711);
    await mkdir(cache);
    const [first] = await build("checkout", {});
    const [second] = await build("checkout-of-another", other);
    expect([first?.[0], second?.[0]]).toEqual(["miss", "hit"]);
    expect(second?.slice(1)).toEqual(first?.slice(1));
  });

  it("the monorepo installs, and turbo validates, tests and builds its Packs once", async () => {
    const { run, project } = await init("monorepo");
    await runFile("npm", ["install", ...NPM_FLAGS], { cwd: project, env });
    await run("tsc", "-p", ".");
    const tasks = ["run", "types", "validate", "test", "build", "--output-logs=errors-only"];
    const turbo = join(project, "node_modules/.bin/turbo");
    expect((await run(turbo, ...tasks)).stdout).toMatch(/7 successful, 7 total\n.*0 cached/);
    for (const pack of ["people", "tasks"])
      expect(existsSync(join(project, "packs", pack, "build", pack, "bundle.js"))).toBe(true);
    expect((await run(turbo, ...tasks)).stdout).toMatch(/7 successful, 7 total\n.*7 cached/);
    await expectReadme(project);
  });

  describe.concurrent("a project of one Pack", () => {
    it.each(Object.keys(TEMPLATES).filter((name) => name !== "monorepo"))(
      "%s: it validates, builds, type-checks, passes its tests, shows what its README shows, connects and runs",
      async (template) => {
        const { run, packsmith, project } = await init(template);
        expect(existsSync(join(project, ".gitignore"))).toBe(true);
        expect(await packsmith("validate", "pack.ts", "--json")).toEqual({ ok: true, issues: [] });
        const built = (await packsmith(
          "build",
          "pack.ts",
          "--out-dir",
          "build",
          "--no-types",
          "--json",
        )) as {
          packs: { bundle: string }[];
        };
        expect(existsSync(built.packs[0]?.bundle ?? "")).toBe(true);
        await run("tsc", "-p", ".");
        await run("vitest", "run", ...PATIENCE);
        await expectReadme(project);
        await connect[template]?.(packsmith);
      },
    );
  });
});

interface Manifest {
  name: string;
  devDependencies: Record<string, string>;
}

type Packsmith = (...args: string[]) => Promise<Record<string, unknown>>;

/**
 * Connects the Pack of a template to a server on this machine, and asks that server something with
 * the account.
 */
const connect: Readonly<Record<string, (packsmith: Packsmith) => Promise<void>>> = {
  "api-key": async (packsmith) => {
    await using api = await startTasksApi("x-api-key", "a-key");
    const route = ["--route", `https://api.tasks.example=${api.url}`];
    expect(await packsmith("auth", "connect", "pack.ts", ...route, "SECRET=a-key")).toMatchObject({
      account: { connectionName: "Ada" },
    });
    expect(await packsmith("execute", "pack.ts", "ListTasks", ...route)).toMatchObject({
      ok: true,
      result: [TASK],
    });
  },
  "two-way": async (packsmith) => {
    await using api = await startTasksApi("authorization", "Bearer a-token");
    const route = ["--route", `https://api.tasks.example=${api.url}`];
    expect(await packsmith("auth", "connect", "pack.ts", ...route, "SECRET=a-token")).toMatchObject(
      { ok: true },
    );
    const edit = {
      previousValue: TASK,
      newValue: { ...TASK, done: true },
      updatedFields: ["done"],
    };
    const updated = await packsmith(
      "execute",
      "pack.ts",
      "Tasks:update",
      JSON.stringify([edit]),
      ...route,
    );
    expect(updated).toMatchObject({ ok: true, result: [{ outcome: "success" }] });
  },
  "sync-table": async (packsmith) => {
    await using api = await startTasksApi();
    const run = await packsmith(
      "execute",
      "pack.ts",
      "Tasks",
      "--route",
      `https://api.tasks.example=${api.url}`,
    );
    expect(run).toMatchObject({ ok: true, result: { rows: [TASK], pages: 1 } });
  },
  oauth2: async (packsmith) => {
    await using provider = await startProvider({ scopes: ["profile"] });
    const route = ["--route", `https://login.api.example=${provider.issuer}`];
    const client = ["--client-id", provider.clientId, `CLIENT=${provider.clientSecret}`];
    const connected = await packsmith(
      "auth",
      "connect",
      "pack.ts",
      "--headless",
      ...client,
      ...route,
    );
    expect(connected).toMatchObject({ account: { connectionName: "Local user" } });
    expect(await packsmith("execute", "pack.ts", "MyName", ...route)).toMatchObject({
      ok: true,
      result: "Local user",
    });
  },
  "client-credentials": async (packsmith) => {
    await using provider = await startProvider({ scopes: ["profile"] });
    const route = ["--route", `https://login.api.example=${provider.issuer}`];
    await packsmith(
      "auth",
      "connect",
      "pack.ts",
      "--client-id",
      provider.clientId,
      `CLIENT=${provider.clientSecret}`,
      ...route,
    );
    expect(await packsmith("execute", "pack.ts", "GrantedScopes", ...route)).toMatchObject({
      ok: true,
      result: ["profile"],
    });
  },
  service: async (packsmith) => {
    await using service = await startService();
    const route = ["--route", `https://docs.service.example=${new URL(service.url).origin}`];
    await packsmith("auth", "connect", "pack.ts", ...route, `SECRET=${service.token}`);
    const listed = await packsmith(
      "execute",
      "pack.ts",
      "TasksByStatus",
      service.docId,
      "Done",
      ...route,
    );
    expect(listed).toMatchObject({ ok: true, result: { length: 5 } });
  },
};

async function init(template: string) {
  const project = join(folder.path, `my-${template}`);
  await runFile("packsmith", ["init", `my-${template}`, "-t", template], { cwd: folder.path, env });
  const home = { PACKSMITH_HOME: join(folder.path, `home-${template}`) };
  const run = (command: string, ...args: string[]) => runFile(command, args, { cwd: project, env });
  /** `SECRET=…` and `CLIENT=…` go into the environment, as a user would give them. */
  const packsmith: Packsmith = async (...args) => {
    const given = (name: string, as: string) =>
      args
        .filter((arg) => arg.startsWith(`${name}=`))
        .map((arg) => [as, arg.slice(name.length + 1)] as const);
    const secrets = Object.fromEntries([
      ...given("SECRET", "PACKSMITH_SECRET_TOKEN"),
      ...given("CLIENT", "PACKSMITH_CLIENT_SECRET"),
    ]);
    const words = args.filter((arg) => !/^(SECRET|CLIENT)=/.test(arg));
    const { stdout } = await runFile(
      "packsmith",
      words.includes("--json") ? words : [...words, "--json"],
      {
        cwd: project,
        env: { ...env, ...home, ...secrets },
      },
    );
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return { project, run, packsmith };
}

/** Runs each command that a README follows with what it prints, and compares. */
async function expectReadme(project: string): Promise<void> {
  const text = await readFile(join(project, "README.md"), "utf8");
  const shown = [...text.matchAll(/```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, commands = "", printed] of shown) {
    const command = commands.trim().split("\n").at(-1)?.replace("npx ", "") ?? "";
    const { stdout } = await runFile("sh", ["-c", command], { cwd: project, env });
    expect(stdout).toBe(printed);
  }
}

const TASK = { id: "t1", title: "Tea", done: false };

/** The API of the templates, which wants a credential in a header. */
async function startTasksApi(
  header?: string,
  value?: string,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const body = answer(request.method ?? "", request.url ?? "");
    response.writeHead(header === undefined || request.headers[header] === value ? 200 : 401, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(body));
  });
  const answer = (method: string, url: string): unknown => {
    if (url === "/me") return { name: "Ada" };
    if (method === "PATCH") return { ...TASK, done: true };
    return header === undefined ? { tasks: [TASK] } : [TASK];
  };
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => void server.close(() => closed())),
  };
}
