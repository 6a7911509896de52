/** A command line that reads a folder. */
export interface FolderCommand {
  args: readonly string[];
  stdin?: string;
  /** A server: it is interrupted when it has printed its first line. */
  serves?: true;
  /** It reads the stdin of its process: it runs as a process of its own. */
  isChild?: true;
  /** Programs of the folder may run. All else holds as without trust. */
  isTrusted?: true;
}

const call = (id: number, name: string, input: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: input },
  });

const ASSISTANT = [
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }),
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  call(2, "list_targets"),
  call(3, "validate"),
  call(4, "build"),
  call(5, "execute", { target: "Hello" }),
  "",
].join("\n");

const line = (words: string): FolderCommand => ({ args: words.split(" ") });
const server = (words: string): FolderCommand => ({
  args: [...words.split(" "), "--json"],
  serves: true,
});

/** Every command that reads or writes files of the folder in which it runs. */
export const COMMANDS: readonly FolderCommand[] = [
  ...[
    "validate",
    "validate --no-types --fix",
    "build pack.ts",
    "build --no-types --no-cache",
    "build **/pack.ts --no-types --metafile --compare last",
    "build . --no-types",
    "execute pack.ts Hello",
    "execute pack.ts Hello --replay cassettes",
    "execute pack.ts Hello --record cassettes",
    "upload --dry-run --no-types",
    "upload --no-types",
    "release --no-types --allow-dirty --dry-run",
    "release --no-types --allow-dirty --commit",
    "rollback 1.0.0",
    "diff HEAD",
    "diff HEAD pack.ts --write",
    "diff --live",
    "init .",
    "init packs/more --yes",
    "init from-description --from openapi.json",
    "init . --snippets",
    "auth list pack.ts",
    "auth test pack.ts",
    "auth client-metadata pack.ts",
    "auth allow-hosts pack.ts",
    "auth refresh pack.ts",
    "auth revoke pack.ts",
    "auth explain",
    "config plan",
    "config pull",
    "config apply",
    "oauth-config push",
    "docs pack.ts --out page.md",
    "status",
    "versions",
    "releases",
    "create",
    "logs --doc DOC",
    "link 1000 --force",
    "service types --doc DOC --out tables.ts",
    "doctor",
    "explain PARAMETER_ORDER",
    "trust --list",
  ].map(line),
  { args: ["validate", "--trust"], isTrusted: true },
  { args: ["build", "pack.ts", "--no-cache", "--trust"], isTrusted: true },
  { args: ["auth", "connect", "pack.ts", "--secrets-stdin"], stdin: "token-of-a-test\n" },
  { args: ["mcp"], stdin: ASSISTANT, isChild: true },
  server("dev --no-open --port 0 --seed seed.json"),
  server("service --seed seed.json --pack pack.ts"),
  server("provider --for pack.ts"),
  server("provider --options options.json"),
  server("provider --state state.json"),
];
