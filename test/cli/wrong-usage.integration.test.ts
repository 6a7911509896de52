import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chooseCases } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const folder = makeTemporaryFolder();
const cwd = join(folder.path, "project");
afterAll(() => folder[Symbol.dispose]());

const files: Readonly<Record<string, string>> = {
  "pack.ts": `import * as p from "packsmith";
export const pack = p.newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [p.makeParameter({ type: p.ParameterType.String, name: "name", description: "Who." })],
  resultType: p.ValueType.String,
  execute: async ([name]) => \`Hello \${name}!\`,
});
`,
  "network.ts": `import * as p from "packsmith";
export const pack = p.newPack();
pack.addNetworkDomain("nowhere.invalid");
pack.addFormula({
  name: "Ask",
  description: "Asks.",
  parameters: [],
  resultType: p.ValueType.String,
  execute: async (_, context) =>
    String((await context.fetcher.fetch({ method: "GET", url: "https://nowhere.invalid/" })).status),
});
`,
  "syntax.ts": "export const x = ;",
  "empty.ts": "",
  "five.ts": "export const pack = 5;",
  "bad.json": "not json",
  "notes.md": "# Notes",
  "package.json": '{ "name": "wrong", "private": true }',
};
mkdirSync(join(cwd, "folder"), { recursive: true });
symlinkSync("loop.json", join(cwd, "loop.json"));
for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
writeFileSync(join(cwd, "utf16.ts"), "\ufeffexport const pack = 1;", "utf16le");
execFileSync("mkfifo", [join(cwd, "pipe")]);

const FILE = join(cwd, "bad.json");

/** A command line in words that a space separates, what it ends with, and what it has to say. */
type Row = [line: string, exitCode: number, says: RegExp];

const ROWS: Row[] = [
  ["frobnicate", 2, /no command "frobnicate"/],
  ["biuld pack.ts", 2, /Did you mean packsmith build/],
  ["help nope", 2, /no command "nope"/],

  ["build .", 2, /it is a folder.*entry file in that folder: /],
  ["build folder", 2, /it is a folder/],
  ["build nothing.ts", 2, /there is no such file/],
  ["build packs/*/pack.ts", 2, /No file matches packs/],
  ["build pack.ts --no-types --out-dir pack.ts", 10, /a part of the path is a file, not a folder/],
  ["build pack.ts --outdir x", 2, /Did you mean --out-dir/],
  ["build pack.ts --budget abc", 2, /"abc" is not a valid size/],
  ["build pack.ts --format", 2, /needs a value/],
  ["build syntax.ts --no-types", 10, /syntax\.ts:1:18 /],
  ["build empty.ts --no-types", 1, /empty\.ts:1:1 .*newPack\(\)/],
  ["build five.ts --no-types", 1, /PACK_EXPORT_MISSING/],
  ["build bad.json --no-types", 10, /bad\.json:1:1 /],
  ["build notes.md --no-types", 10, /entry file of a Pack is a script/],
  ["build pipe", 2, /it is a pipe or a device/],
  ["build /dev/zero", 2, /it is a pipe or a device/],
  [`build ${FILE}/pack.ts`, 2, /a part of the path is a file/],
  ["build /", 2, /The Pack file \/ cannot be read: it is a folder/],
  ["build utf16.ts --no-types", 10, /not text in UTF-8/],
  ["build pack.ts --out-dir=", 2, /--out-dir is empty.*such as --out-dir build/],
  ["build pack.ts --json=yes", 2, /option '--json' does not exist, or takes no value/],
  ["validate nothing.ts", 2, /there is no such file/],
  ["validate folder", 2, /it is a folder/],
  ["validate pack.ts --format xml", 2, /"xml" is not a valid output format/],

  ["execute", 2, /argument 'file' is missing/],
  ["execute pack.ts", 2, /argument 'target' is missing/],
  ["execute pack.ts Nope", 2, /The Pack has: Hello/],
  ["execute pack.ts hello", 2, /Did you mean Hello/],
  ["execute pack.ts Hello", 2, /takes 1 argument, not 0.*in this order: name/],
  ["execute pack.ts Hello a b c", 2, /takes 1 argument, not 3/],
  ["execute pack.ts Hello a --timezone Mars", 2, /"Mars" is not a valid time zone/],
  ["execute pack.ts Hello a --strict", 2, /--strict can be used only with --replay/],
  ["execute pack.ts Hello a --record x --replay x", 2, /--record and --replay cannot be used/],
  ["execute pack.ts Hello a --record pack.ts", 10, /or choose another folder/],
  [
    "execute pack.ts Hello a --timer-strategy 5",
    2,
    /'5' is not an allowed value of the option '--timer-strategy'\. Choose one of: none,/,
  ],
  ["execute Hello pack.ts", 2, /Hello cannot be read: there is no such file/],
  ["execute network.ts Ask", 11, /there is no host of this name.*--route/],
  ["execute network.ts Ask --no-fetch", 11, /requests of this run are blocked/],
  ["execute network.ts Ask --route nowhere", 2, /Write a route as https:/],
  [
    "execute network.ts Ask --route http://nowhere.invalid=http://127.0.0.1:1",
    2,
    /request only https/,
  ],
  ["execute network.ts Ask --route https://nowhere.invalid=http://127.0.0.1:1", 11, /was refused/],
  ["execute network.ts Ask --replay nofile.json", 2, /there is no such file/],
  ["execute network.ts Ask --replay bad.json", 2, /it is not JSON/],
  ["execute network.ts Ask --replay folder", 2, /Record the run again with --record/],

  ["auth", 2, /packsmith auth connect pack\.ts/],
  ["auth conect pack.ts", 2, /Did you mean packsmith auth connect/],
  ["auth connect", 2, /argument 'file' is missing/],
  ["auth connect pack.ts", 2, /declares no authentication/],
  ["auth connect nothing.ts", 2, /there is no such file/],
  [
    "auth connect pack.ts --endpoint not%a%url",
    2,
    /The endpoint is not valid: it is not a valid URL/,
  ],
  ["auth connect pack.ts --endpoint ftp://login.example", 2, /it is not https/],
  ["auth connect pack.ts --manual --device", 2, /--device and --manual cannot be used together/],
  ["auth connect pack.ts --var x", 2, /Write --var name=value/],
  ["auth connect pack.ts --choose =x", 2, /Write --choose name=value/],
  ["auth connect pack.ts --max-age abc", 2, /--max-age .*seconds/],
  ["auth connect pack.ts --timeout abc", 2, /--timeout .*seconds/],
  ["auth connect pack.ts --request-timeout 0", 2, /--request-timeout .*seconds/],
  ["auth connect pack.ts --ports 3000,x", 2, /"x" is not a port/],
  ["auth connect pack.ts --redirect-host login.example", 2, /Use 127\.0\.0\.1 or localhost/],
  ["auth connect pack.ts --browser firefox", 2, /Use --browser system/],
  ["auth revoke pack.ts --revocation-url nonsense", 2, /--revocation-url is not a valid URL/],
  ["auth client-metadata pack.ts --redirect-uri nonsense", 2, /--redirect-uri is not a valid URL/],
  [
    "auth discover https://x.example --redirect-uri nonsense",
    2,
    /--redirect-uri is not a valid URL/,
  ],
  ["auth discover https://x.example --request-timeout abc", 2, /--request-timeout .*seconds/],
  ["auth refresh pack.ts --request-timeout 0", 2, /--request-timeout .*seconds/],
  ["auth revoke pack.ts --request-timeout 4000", 2, /--request-timeout .*seconds/],
  ...[
    "auth connect pack.ts",
    "auth refresh pack.ts",
    "auth revoke pack.ts",
    "auth list",
    "auth allow-hosts pack.ts",
    "auth test pack.ts",
    "auth discover https://x.example",
    "execute pack.ts Ask",
    "oauth-config push",
    "service",
  ].map((line): [string, number, RegExp] => [`${line} --account=`, 2, /The account name is empty/]),
  ["auth list --jsn", 2, /Did you mean --json/],
  ["auth list nobody.ts", 2, /does not exist, and no account belongs to this path/],
  ["auth revoke pack.ts", 12, /Run packsmith auth connect pack\.ts/],
  ["auth test pack.ts", 2, /setUserAuthentication/],
  ["auth discover", 2, /argument 'issuer' is missing/],
  ["auth discover nothing", 2, /"nothing" is not an http or https URL/],
  ["auth discover ftp://login.example", 2, /is not an http or https URL/],
  ["auth discover http://login.example", 1, /it is not https/],
  ["auth discover https://127.0.0.1:1", 11, /the connection was refused/],
  ["auth doctor pack.ts", 2, /auth doctor without an argument/],

  ["provider --port abc", 2, /"abc" is not a port/],
  ["provider --port 99999999", 2, /from 0 to 65535/],
  ["provider --options nofile", 2, /there is no such file/],
  ["provider --options bad.json", 2, /is not valid JSON/],
  ["provider --options folder", 2, /it is a folder/],
  ["provider --options loop.json", 2, /its symbolic links lead to each other/],
  ["provider --options empty.ts", 2, /is not valid JSON: Unexpected end/],
  ["provider --public-key nofile", 2, /nofile cannot be read: there is no such file/],
  ["provider --client-certificate folder", 2, /folder cannot be read: it is a folder/],
  ["provider --redirect-uri nonsense", 2, /--redirect-uri is not a valid URL/],
  ["provider --state /proc/x/y", 2, /cannot be written to \/proc\/x\/y: /],
  ["provider --profile nope", 2, /--list-profiles/],
  ["provider --for nothing.ts", 2, /there is no such file/],
  ["service --port abc", 2, /"abc" is not a port/],
  ["service --seed bad.json", 2, /Pass a JSON or YAML file/],
  ["service --seed bad.json", 2, /it is not valid JSON: Unexpected token/],
  ["service --seed folder", 2, /it is a folder/],
  ["service --seed nofile", 2, /there is no such file/],
  ["service --database folder", 1, /it is a folder/],
  ["service --database mysql://x", 2, /no storage engine for "mysql"/],
  ["service --database postgres://127.0.0.1:1/x", 11, /the connection was refused/],
  ["service --certificate x.pem", 2, /Or pass --https/],
  ["service --key x.pem", 2, /Also pass --certificate/],
  ["service --certificate bad.json --key bad.json", 2, /contains no certificate in PEM/],
  ["service --introspection-url nonsense", 2, /--introspection-url is not a valid URL/],
  [
    "service --introspection-url localhost:4000 --introspection-client-id c",
    2,
    /--introspection-url is not an absolute http/,
  ],
  ["service --introspection-url http://127.0.0.1:1/", 2, /--introspection-client-id, and set/],
  ["service --host 0.0.0.0", 2, /would not be encrypted.*--public-url, or.*--certificate/],
  ["service --host 0.0.0.0 --https", 2, /for this machine only.*--certificate/],
  [
    "service --host 192.0.2.1 --public-url https://docs.example",
    2,
    /192\.0\.2\.1 is not an address/,
  ],
  ["service --public-url https://docs.example/path", 2, /Pass an origin/],
  ["service --pack nothing.ts", 2, /there is no such file/],
  ["service import", 2, /option '--from <url>' is missing/],
  ["dev nothing.ts", 2, /there is no such file/],
  ["dev pack.ts --port 70000", 2, /from 0 to 65535/],
  ["dev packs/*/pack.ts", 2, /No file matches/],
  ["dev folder", 2, /it is a folder/],
  ["dev . --no-open", 2, /it is a folder.*entry file in that folder/],

  ["login", 2, /--token-stdin/],
  ["login --registry http://docs.example", 2, /Pass an https address/],
  ["login --registry nonsense", 2, /"nonsense" is not a valid registry address/],
  ["whoami", 12, /packsmith login/],
  ["upload nothing.ts", 2, /there is no such file/],
  ["release --no-types", 1, /newPack\(\{ version: "1\.0\.0" \}\) in pack\.ts/],
  ["release --dry-run --publish", 2, /--dry-run and --publish cannot be used together/],
  ["release --version nope", 2, /Write a version such as "1\.2\.3"/],
  ["create", 12, /packsmith login/],
  ["link", 2, /argument 'pack' is missing/],
  ["link abc", 2, /neither the ID nor the URL/],
  ["clone 99999999999", 2, /neither the ID nor the URL/],
  ["rollback", 2, /argument 'version' is missing/],
  ["status", 12, /packsmith login/],
  ["config plan", 12, /packsmith login/],
  ["config invite pack.ts", 2, /not an email address/],
  ["config submit --pack-version", 2, /needs a value/],
  ["logs", 2, /option '--doc <id>' is missing/],
  ["logs --doc x --since yesterday", 2, /--since 2h/],
  ["logs --doc x --limit 0", 2, /from 1 to 10000/],
  ["setOption pack.ts timerStrategy slow", 2, /Use one of none, error, fake/],

  ["diff", 2, /Pass an older state of the Pack/],
  ["diff pack.ts nothing.ts", 2, /neither a file nor a git revision/],
  ["diff pack.ts bad.json", 2, /is not a build folder/],
  ["explain NOPE", 2, /to list all codes/],
  ["schema nope", 2, /packsmith schema/],
  ["completion", 2, /bash, zsh or fish/],
  ["completion powershell", 2, /bash, zsh, fish/],
  ["docs nothing.ts", 2, /there is no such file/],
  ["docs pack.ts --out folder", 10, /it is a folder/],
  ["init .", 2, /not an empty folder/],
  ["init bad.json", 2, /is a file, not a folder/],
  ["init new --template nope", 2, /Choose one of: blank/],
  ["init new --from bad.json", 2, /OpenAPI description/],
  ["init new --from nofile.yaml", 2, /there is no such file.*OpenAPI description/],
  ["init new --from folder", 2, /description folder: it is a folder/],
  ["trust --list --remove", 2, /--list and --remove cannot be used together/],
  ["trust nothing", 2, /is not a folder/],
  ["trust pack.ts", 2, /is not a folder/],
  ["doctor --frob", 2, /Unknown option '--frob'/],
  ["mcp extra", 2, /mcp without an argument/],
  ["demo extra", 2, /demo without an argument/],

  [`PACKSMITH_HOME=${FILE} auth list`, 12, /is not a folder/],
  [`PACKSMITH_HOME=${FILE}/x auth list`, 12, /a part of the path is a file/],
  ["PACKSMITH_REGISTRY_TOKEN=a\u00a0b whoami", 12, /Copy only the token/],
  ["DATABASE_URL=postgres://127.0.0.1:1/x auth list", 11, /the connection was refused/],
];

describe("a wrong command line", () => {
  it.each([
    ["/proc/none", /cannot cache builds in \/proc\/none: .*--cache-dir/],
    ["pack.ts", /cannot cache builds in .*pack\.ts: a part of the path is a file/],
  ])("with the cache folder %s builds without a cache", async (cacheDir, says) => {
    const env = { PACKSMITH_HOME: join(folder.path, "home") };
    const run = await runCli(
      ["build", "pack.ts", "--no-types", "--cache-dir", cacheDir, "--out-dir", "uncached"],
      { cwd, env },
    );
    expect(run.stderr.replace(/\s+/g, " ")).toMatch(says);
    expect(run.code).toBe(0);
  });

  it.each(chooseCases(ROWS, 2))(
    "%s ends with %i, and says what to do",
    async (line, exitCode, says) => {
      const words = line.split(" ");
      const settings = words
        .filter((word) => /^[A-Z_]+=/.test(word))
        .map((word) => word.split("="));
      const args = words.slice(settings.length);
      const env = {
        PACKSMITH_HOME: join(folder.path, "home"),
        PACKSMITH_KEY_STORE: "file",
        ...Object.fromEntries(settings),
      };
      const run = await runCli(args, { cwd, env });
      const text = (run.stdout + run.stderr).replace(/\s+/g, " ");
      expect(text).toMatch(says);
      expect(text).toContain("→");
      expect(text).not.toMatch(/\bINTERNAL\b|\bE[A-Z]{5,}\b|\bERR_|\bat \S+:\d+:\d+/);
      expect(run.code).toBe(exitCode);
    },
  );

  it("a cache that cannot be written costs time, and fails nothing", async () => {
    const env = { PACKSMITH_CACHE: join(FILE, "cache") };
    const run = await runCli(["build", "pack.ts", "--no-types"], { cwd, env });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(
      /packsmith cannot cache builds.*a part of the path is a file.*--cache-dir/,
    );
  });

  it("a folder with a space is one word of the next command", async () => {
    const run = await runCli(["init", "two words", "--template", "blank"], { cwd: folder.path });
    expect(run.stdout).toContain("cd 'two words' && ");
  });
});
