import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { LogEntry, LogOptions, PackLog } from "../../publish/registry/pack-logs.ts";
import { LOG_TYPES } from "../../service/contract/registry/log-types.ts";
import { printEntry } from "../log-lines.ts";
import {
  createClients,
  findPackFiles,
  type ManyFlags,
  type PackTurn,
  printTitle,
  runPacks,
  withManyPacks,
} from "../many-packs.ts";
import { printable } from "../output.ts";
import { parseCount, parseMoment } from "../parse-flags.ts";
import { collect, examples, numberOption, type VerbContext, withCommonOptions } from "../verb.ts";

interface LogsFlags extends ManyFlags {
  doc: string;
  follow?: boolean;
  type?: PackLog["type"][];
  formula?: string;
  request?: string;
  status?: "error" | "ok";
  search?: string;
  since?: string;
  until?: string;
  limit: string;
}

const MAX_LIMIT = 10_000;

export function addLogsVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    withManyPacks(
      program
        .command("logs")
        .summary("Show what Packs did in a document")
        .description(
          "Show the calls, requests, messages and errors of Packs in a document, newest first",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith logs --doc DOC_ID",
            "packsmith logs --doc DOC_ID --status error --since 2h",
            "packsmith logs --doc DOC_ID --follow --formula GetTask",
            'packsmith logs "packs/*/pack.ts" --doc DOC_ID --json',
          ),
        )
        .requiredOption("--doc <id>", "ID of the document")
        .option(
          "-f, --follow",
          "show the oldest calls first, then each new call, until you stop the command",
        )
        .addOption(
          new Option(
            "--status <status>",
            "show only calls that failed, or only calls that succeeded",
          ).choices(["error", "ok"]),
        )
        .option("--formula <name>", "show only calls of this formula")
        .option(
          "--since <time>",
          "show only calls after this time: 30m, 2h or 3d ago, or a date such as 2026-01-31",
        )
        .option("--until <time>", "show only calls before this time")
        .option(
          "--search <query>",
          "show only calls that match a search query of the registry, such as a word",
        )
        .addOption(
          new Option(
            "--type <type>",
            "show log entries of this type instead of calls; can be repeated",
          )
            .choices(LOG_TYPES)
            .argParser(collectType),
        )
        .option("--request <id>", "show only the entries of the call with this request ID")
        .addOption(
          numberOption("--limit <count>", "maximum number of calls to show for each Pack", "100"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).logsOutput,
  ).action((patterns: string[], flags: LogsFlags) => showLogs(patterns, flags, context));
}

function collectType(value: string, previous?: string[]): string[] {
  return collect(value, previous);
}

async function showLogs(patterns: string[], flags: LogsFlags, context: VerbContext): Promise<void> {
  const { output } = context;
  const limit = parseCount("--limit", flags.limit, MAX_LIMIT);
  const moment = (option: "since" | "until") => {
    const text = flags[option];
    return text === undefined ? undefined : parseMoment(`--${option}`, text);
  };
  const { doc: docId, formula, request, status, search, type: types } = flags;
  const question = {
    docId,
    types,
    formula,
    request,
    status,
    search,
    limit,
    since: moment("since"),
    until: moment("until"),
  };
  const show = (file: string, entry: LogEntry): void => {
    // A line for each call, because with --follow there is no last one.
    if (output.json) output.document({ ok: true, file, ...entry });
    else printEntry(entry, output);
  };
  if (flags.follow === true) return await follow(patterns, flags, question, show, context);
  const { readLogs } = await import("../../publish/registry/pack-logs.ts");
  const isOne = (await findPackFiles(patterns, context)).length === 1;
  await runPacks(context, {
    patterns,
    flags,
    async work(turn) {
      const { file } = turn;
      const options = await createLogOptions(turn, context);
      const { entries, hasOlder, isIncomplete } = await readLogs({ ...question, ...options });
      if (!output.json) printTitle(output, file, isOne);
      for (const entry of entries) show(file, entry);
      if (!output.json && entries.length === 0) output.progress("no calls");
      return { file, hasOlder, isIncomplete };
    },
    print({ hasOlder, isIncomplete }) {
      if (hasOlder)
        output.progress(
          "older calls are not shown: pass --limit, --since or --until to see other calls",
        );
      if (isIncomplete) output.progress("the registry left out entries of some calls");
    },
  });
}

type Question = Omit<LogOptions, "client" | "packId" | "mapStack">;

/** @throws the first failure: what cannot be read cannot be followed */
async function follow(
  patterns: readonly string[],
  flags: LogsFlags,
  question: Question,
  show: (file: string, entry: LogEntry) => void,
  context: VerbContext,
): Promise<void> {
  const { streams, signal } = context;
  const { cwd } = streams;
  const { forEachPack } = await import("../../publish/registry/many-packs.ts");
  const { followLogs } = await import("../../publish/registry/pack-logs.ts");
  const files = await findPackFiles(patterns, context);
  const getClient = createClients(context, flags);
  const { results, failures } = await forEachPack(
    files,
    { cwd, getClient, signal },
    async (file, client) => ({ file, ...(await createLogOptions({ file, client }, context)) }),
  );
  if (failures[0] !== undefined) throw failures[0].failure.cause;
  await Promise.all(
    results.map(async ({ file, ...options }) => {
      for await (const entry of followLogs({ ...question, ...options, signal })) show(file, entry);
    }),
  );
}

async function createLogOptions(
  { file, client }: Pick<PackTurn, "file" | "client">,
  { streams, output }: VerbContext,
): Promise<Pick<LogOptions, "client" | "packId" | "mapStack">> {
  const { requirePackId } = await import("../../publish/registry/pack-id-file.ts");
  const { createVersionMapper } = await import("../../publish/registry/version-stacks.ts");
  const { cwd } = streams;
  const packId = requirePackId(dirname(resolve(cwd, file)), client.registry);
  const mapStack = createVersionMapper({
    client,
    packId,
    file,
    cwd,
    onUnmapped: (version) => output.progress(unmappedText(file, version)),
  });
  return { client, packId, mapStack };
}

function unmappedText(file: string, version: string): string {
  return `Errors of version ${printable(version)} show positions in the bundle, because ${printable(file)} is different from the uploaded source. Check out that version to see positions in the source.`;
}
