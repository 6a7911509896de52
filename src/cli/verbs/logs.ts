import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { GroupedPackLog, PackLog } from "../../publish/registry/pack-logs.ts";
import { type Output, printable } from "../output.ts";
import { openRegistryPack, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface LogsFlags extends RegistryFlags {
  doc: string;
  follow?: boolean;
  type?: PackLog["type"];
  formula?: string;
  request?: string;
}

export function addLogsVerb(program: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("logs")
        .summary("Show what a Pack did in a document")
        .description("Show what a Pack did in a document: its calls, requests, messages and errors")
        .addHelpText(
          "after",
          examples(
            "packsmith logs --doc DOC_ID",
            "packsmith logs --doc DOC_ID --follow --formula GetTask",
            "packsmith logs --doc DOC_ID --json",
          ),
        )
        .argument("[file]", "entry file of the Pack", "pack.ts")
        .requiredOption("--doc <id>", "id of the document")
        .option("-f, --follow", "go on with what is new, until you stop it")
        .addOption(
          new Option("--type <type>", "only calls with such an entry").choices([
            "custom",
            "invocation",
            "fetcher",
            "auth",
            "internal",
            "mcp",
          ]),
        )
        .option("--formula <name>", "only calls of this formula")
        .option("--request <id>", "only the call with this request id"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).logsOutput,
  ).action(async (file: string, flags: LogsFlags) => {
    const { client, packId } = await openRegistryPack(
      context,
      flags,
      dirname(resolve(streams.cwd, file)),
    );
    const { createVersionMapper, readLogs } = await import("../../publish/registry/pack-logs.ts");
    const mapStack = createVersionMapper({
      client,
      packId,
      file,
      cwd: streams.cwd,
      onUnmapped: (version) => output.progress(unmappedText(file, version)),
    });
    const types = flags.type === undefined ? undefined : [flags.type];
    const { doc: docId, formula, request, follow } = flags;
    let isEmpty = true;
    for await (const group of readLogs({
      client,
      packId,
      docId,
      types,
      formula,
      request,
      follow,
      signal,
      mapStack,
    })) {
      isEmpty = false;
      // A line for each call, because with --follow there is no last one.
      if (output.json) output.document({ ok: true, ...group });
      else printGroup(group, output);
    }
    if (isEmpty && !output.json) output.progress("no calls");
  });
}

function unmappedText(file: string, version: string): string {
  return `Errors of version ${printable(version)} show places in the bundle, because ${printable(file)} is not what was uploaded. Check out that version to see places in the source.`;
}

function printGroup(group: GroupedPackLog, output: Output): void {
  const { relatedLogs } = group;
  if (group.type === "invocation") {
    const { context, duration, error } = group.invocationLog;
    const end = error === undefined ? output.style("good", "ok") : output.style("bad", "failed");
    output.data(
      `${context.createdAt.replace("T", " ").slice(0, 23)}  ${context.formulaName}  ${context.packVersion}  ${end}${duration === undefined ? "" : `  ${Math.round(duration * 1_000)} ms`}  ${context.requestId}`,
    );
    for (const log of relatedLogs) output.data(`  ${lineOf(log)}`);
    if (error !== undefined) {
      output.data(`  ${printable(error.message)}`);
      for (const frame of error.stack?.split("\n") ?? [])
        output.data(`    ${printable(frame.trim())}`);
    }
    return;
  }
  const { context, path, errorMessage } = group.authLog;
  output.data(
    `${context.createdAt.replace("T", " ").slice(0, 23)}  auth ${printable(path)}  ${errorMessage === undefined ? "ok" : printable(errorMessage)}`,
  );
  for (const log of relatedLogs) output.data(`  ${lineOf(log)}`);
}

function lineOf(log: PackLog): string {
  switch (log.type) {
    case "custom":
    case "internal":
      return `${log.level}  ${printable(log.message)}`;
    case "fetcher":
      return `${log.method ?? "GET"} ${printable(log.baseUrl ?? "")}  ${log.responseCode ?? "no answer"}${log.cacheHit === true ? "  cached" : ""}`;
    case "mcp":
      return `mcp  ${printable(log.message ?? log.error ?? "")}`;
    default:
      return log.type;
  }
}
