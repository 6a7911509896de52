import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentPack } from "../../src/build/document-pack.ts";
import { isPackError } from "../../src/errors.ts";
import { openCassette } from "../../src/execute/cassette/cassette-session.ts";
import { readDescription } from "../../src/init/openapi/description.ts";
import { readSeedFile } from "../../src/service/local/store/seed-file.ts";
import { projectRoot, requireInProject } from "../../src/shared/project-boundary.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "planted-5d0c2e";
const PACK = `import { newPack } from "packsmith";\nexport const pack = newPack({ version: "1" });\n`;
const SEED = JSON.stringify({ users: [{ name: "Ada", email: "ada@tasks.example" }], docs: [] });

/**
 * A machine with a vault, a private file, someone's other project, and a project that may be
 * hostile.
 */
let machine: ReturnType<typeof makeTemporaryFolder>;

beforeEach(() => {
  machine = makeTemporaryFolder();
  write("home/vault.key", `v1:${SECRET}`);
  write("private/data.json", JSON.stringify({ SECRET }));
  write("other/package.json", "{}");
  write("other/data.json", JSON.stringify({ SECRET }));
  write("project/package.json", "{}");
  write("project/pack.ts", PACK);
  vi.stubEnv("PACKSMITH_HOME", at("home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  machine[Symbol.dispose]();
});

function at(path: string): string {
  return join(machine.path, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/** @param target as it is written in the link */
function link(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

const cassette = (use: object) => ({
  ...use,
  file: at("project/pack.ts"),
  cwd: at("project"),
  target: "Run",
  redactor: createRedactor(),
});

/** What reads or writes a file that an author names. */
const COMMANDS: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ["the seed of a service", readSeedFile],
  ["a cassette to replay", (path) => openCassette(cassette({ replay: path }))],
  ["a cassette to record", (path) => openCassette(cassette({ record: path }))],
  ["the description of an API", (path) => readDescription(path, at("project"))],
  ["the page of docs", (path) => documentPack("pack.ts", { cwd: at("project"), out: path })],
];

/** Each makes `project/data.json` or a file under it, and returns its path. */
const LINKS: readonly (readonly [string, () => string])[] = [
  ["an absolute path", () => made("project/data.json", at("private/data.json"))],
  ["a path with ..", () => made("project/data.json", "../private/data.json")],
  [
    "a path with .. after a folder of the project",
    () => made("project/data.json", "./node_modules/../../private/data.json"),
  ],
  ["a file of another project", () => made("project/data.json", at("other/data.json"))],
  [
    "a folder whose name begins with that of the project",
    () => {
      write("project-2/data.json", JSON.stringify({ SECRET }));
      return made("project/data.json", "../project-2/data.json");
    },
  ],
  ["the key of the vault", () => made("project/data.json", at("home/vault.key"))],
  [
    "a link that leaves the project",
    () => {
      link("project/first.json", "../private/data.json");
      return made("project/data.json", "first.json");
    },
  ],
  ["a file that does not exist yet", () => made("project/data.json", "../private/new.json")],
  [
    "a link to a link to a file that does not exist yet",
    () => {
      link("project/data", "../private/new");
      return made("project/data.json", "data/data.json");
    },
  ],
  [
    "a folder that is a link",
    () => {
      link("project/data", at("private"));
      return at("project/data/data.json");
    },
  ],
];
const LINUX_LINKS: typeof LINKS = [
  ["the variables of the process", () => made("project/data.json", "/proc/self/environ")],
  [
    "a path through the root of the process",
    () => made("project/data.json", `/proc/self/root${at("private/data.json")}`),
  ],
  ["an open file of the process", () => made("project/data.json", "/proc/self/fd/0")],
  ["a device that never ends", () => made("project/data.json", "/dev/zero")],
];

function made(path: string, target: string): string {
  mkdirSync(at("project/node_modules"), { recursive: true });
  link(path, target);
  return at(path);
}

describe.each(COMMANDS)("%s", (_, use) => {
  it.each(process.platform === "linux" ? [...LINKS, ...LINUX_LINKS] : LINKS)(
    "is not read or written through %s",
    async (_name, make) => {
      const path = make();
      const error = await use(path).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (!isPackError(error, "OUTSIDE_PROJECT")) throw error ?? new Error("The file was used.");
      expect(error.details).toEqual({ path });
      expect(error.hint).toContain("Copy the file into");
      expect(
        JSON.stringify([error.message, error.details, error.hint, String(error.cause)]),
      ).not.toContain(SECRET);
      expect(readdirSync(at("private"))).toEqual(["data.json"]);
      for (const file of ["private/data.json", "other/data.json", "home/vault.key"])
        expect(readFileSync(at(file), "utf8")).toContain(SECRET);
    },
  );
});

describe("what stays allowed", () => {
  it("a link to a file of the same project, and one through a folder of it", async () => {
    write("project/data/seed.json", SEED);
    link("project/seed.json", "data/seed.json");
    link("project/seeds", at("project/data"));
    expect(await readSeedFile(at("project/seed.json"))).toMatchObject({ docs: [] });
    expect(await readSeedFile(at("project/seeds/seed.json"))).toMatchObject({ docs: [] });
  });

  it("a file of another place that the user names directly", async () => {
    write("elsewhere/seed.json", SEED);
    expect(await readSeedFile(at("project/../elsewhere/seed.json"))).toMatchObject({ docs: [] });
  });

  it("a new file in a new folder", async () => {
    await using session = await openCassette(cassette({ record: at("project/cassettes") }));
    expect(await session?.finish({})).toMatchObject({ path: at("project/cassettes/Run.json") });
  });
});

it("the vault's files are no part of the project that they are in", () => {
  vi.stubEnv("PACKSMITH_HOME", at("project/.packsmith"));
  write("project/.packsmith/vault.key", SECRET);
  link("project/seed.json", ".packsmith/vault.key");
  for (const path of ["project/seed.json", "project/.packsmith/vault.key"])
    expect(() => requireInProject(at(path))).toThrow(
      expect.objectContaining({ code: "OUTSIDE_PROJECT" }),
    );
});

it("links that lead to each other end in an error, not in a search without end", () => {
  link("project/first.json", "second.json");
  link("project/second.json", "first.json");
  expect(() => requireInProject(at("project/first.json"))).not.toThrow();
});

it("a file that another file names belongs to the project of that file", () => {
  const listing = at("project/packsmith.config.json");
  write("project/images/logo.png", "");
  expect(() => requireInProject(at("project/images/logo.png"), listing)).not.toThrow();
  for (const path of [
    at("other/data.json"),
    at("project/../private/data.json"),
    at("home/vault.key"),
  ])
    expect(() => requireInProject(path, listing)).toThrow(
      expect.objectContaining({ code: "OUTSIDE_PROJECT" }),
    );
});

describe("the root of a project without a package.json", () => {
  beforeEach(() => {
    write("plain/packs/one/src/pack.ts", PACK);
    write("plain/packs/one/.coda-pack.json", "{}");
  });

  it("is the working directory, if it is above", () => {
    const folder = at("plain/packs/one/src");
    expect(projectRoot(folder, at("plain"))).toBe(at("plain"));
    expect(projectRoot(folder, at("plain/packs"))).toBe(at("plain/packs"));
  });

  it("is the folder with the id of the Pack when the command runs elsewhere, else its own", () => {
    expect(projectRoot(at("plain/packs/one/src"), at("other"))).toBe(at("plain/packs/one"));
    expect(projectRoot(at("plain/packs"), at("other"))).toBe(at("plain/packs"));
  });

  it("is nearer than the working directory where a folder has a package.json", () => {
    write("plain/packs/package.json", "{}");
    expect(projectRoot(at("plain/packs/one/src"), at("plain"))).toBe(at("plain/packs"));
  });

  it("is never a folder that contains the user's home", () => {
    vi.stubEnv("HOME", at("plain/packs/one"));
    expect(projectRoot(at("plain/packs/one/src"), at("plain"))).toBe(at("plain/packs/one/src"));
  });
});
