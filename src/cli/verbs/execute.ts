import { relative } from "node:path";
import { type Command, Option } from "commander";
import type { TimerStrategy } from "../../bundle/run-esbuild.ts";
import { TIMER_STRATEGIES } from "../../bundle/timer-strategy.ts";
import { usageError } from "../../errors.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { CassetteReport } from "../../execute/run-document.ts";
import type { NetworkMode, RunFormulaOptions, RunResult } from "../../execute/run-target.ts";
import type { SyncPage, SyncTableResult } from "../../execute/tables/execute-sync-table.ts";
import type { UpdateOutcome } from "../../execute/tables/execute-update.ts";
import { countText } from "../../shared/count-text.ts";
import { INSPECT_DESCRIPTION, parseInspect } from "../inspect-option.ts";
import {
  chooseAccount,
  type LocalFlags,
  localConnection,
  withLocalOptions,
} from "../local-option.ts";
import { type Output, printable } from "../output.ts";
import { parseCount } from "../parse-flags.ts";
import { formatRows } from "../row-table.ts";
import { collect, EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface ExecuteFlags extends LocalFlags {
  arg?: string[];
  dynamicUrl?: string;
  maxRows?: string;
  maxPages?: string;
  route?: string[];
  timezone?: string;
  timerStrategy?: TimerStrategy;
  record?: string;
  replay?: string;
  strict?: boolean;
  saveTest?: string;
  fetch: boolean;
  blockActions?: boolean;
  exchanges?: boolean;
  inspect?: true | string;
  debug?: boolean;
}

const FORMS = `
What <target> may be:
  Formula                    a formula, with its arguments
  Table                      a sync table: all pages up to --max-rows
  "Table>incremental"        a sync of all rows, then a sync of later changes;
                             the shell needs the quotes
  Table:update               edit rows; the last argument is JSON:
      [{"previousValue":{},"newValue":{},"updatedFields":[]}]
  Table:validateParameters   check arguments: '' '{"name":"value"}'
  X:autocomplete:parameter   choices of a parameter: [search] [others as JSON]
  Table:options:property     choices of a property: [search] [row as JSON]
  Table:listDynamicUrls      tables of a dynamic table: [parent URL]
  Table:searchDynamicUrls    tables of a dynamic table by search: [text]
  Table:getName, Table:getDisplayUrl, Table:getSchema
                             details of a dynamic table; pass --dynamic-url
  Auth:getConnectionName     label of the account
  SystemAuth:getConnectionName
                             label of the Pack's own account
  Auth:postSetup:setEndpoint:step
                             endpoints that a set-up step offers
  Formats:match              column formats that match a text: <text>
  Mcp:tools                  tools of the Pack's MCP server
  Mcp:call:tool              call a tool: '{"name":"value"}' or --arg name=value

How to write arguments:
  lists      a,b,c with \\, for a comma inside; or JSON: '["a,b","c"]'
  dates      2026-01-31, 2026-01-31T12:00, today, 7_days_ago
             last_30_days and other spans for a list of dates
  left out   - in place of an optional argument, or --arg name=value for the
             arguments after it

If a run sends requests to packsmith service, the service counts the run in
its analytics.
`;

export function addExecuteVerb(program: Command, context: VerbContext): void {
  const command = withLocalOptions(
    program
      .command("execute")
      .alias("run")
      .description("Run a formula, a sync table or another part of a Pack")
      .addHelpText(
        "after",
        examples(
          "packsmith execute pack.ts Hello World",
          "packsmith execute pack.ts Tasks --max-rows 50 --account work",
          "packsmith execute pack.ts Search --arg query=tea --record cassettes",
          "packsmith execute build/tasks/bundle.js Hello World",
        ),
      )
      .argument("<file>", "entry file of the Pack, or a built bundle.js")
      .argument("<target>", "formula, sync table or other part to run; see below")
      .argument(
        "[args...]",
        "arguments in the order of the parameters; put -- before arguments that start with a dash",
      )
      .option("--arg <name=value>", "pass an argument by parameter name; can be repeated", collect)
      .option("--max-rows <count>", "stop a sync after this number of rows (default: 1000)")
      .option("--max-pages <count>", "stop a sync after this number of pages (default: 100)")
      .option("--dynamic-url <url>", "URL of the table, for a dynamic table")
      .option(
        "--route <origin=url>",
        "route requests for an https origin to a local server; can be repeated",
        collect,
      )
      .option("--timezone <zone>", "time zone of the document, such as Europe/Berlin")
      .option(
        "--record <dir>",
        "record the requests and responses, without secrets, in a cassette in this folder",
      )
      .option(
        "--replay <dir>",
        "replay the responses from a cassette in this folder, without an account and without sending requests",
      )
      .option(
        "--strict",
        "with --replay: fail if the run does not send exactly the recorded requests",
      )
      .option(
        "--save-test <file>",
        "write a vitest test that replays this run and expects the same result; a cassette is saved next to the test",
      )
      .addOption(
        new Option(
          "--timer-strategy <strategy>",
          "behavior of setTimeout: do nothing, throw an error, or run the callback without waiting",
        ).choices(TIMER_STRATEGIES),
      )
      .option("--no-fetch", "block all requests during the run")
      .option("--block-actions", "block all requests if the target is an action")
      .option("--exchanges", "with --json: include each request and response, without secrets")
      .option("--inspect [port]", INSPECT_DESCRIPTION)
      .addHelpText("after", FORMS),
  );
  withCommonOptions(
    command,
    async () => (await import("../../execute/run-document.ts")).runDocument,
    "runFormula",
  ).action((file: string, target: string, args: string[], flags: ExecuteFlags) =>
    execute(context, file, target, args, flags),
  );
}

async function execute(
  { streams, output, redactor, signal, end }: VerbContext,
  file: string,
  target: string,
  args: string[],
  flags: ExecuteFlags,
): Promise<void> {
  if (flags.record !== undefined && flags.replay !== undefined)
    throw usageError(
      "--record and --replay cannot be used together.",
      "Remove one of the two options.",
    );
  if (flags.strict === true && flags.replay === undefined)
    throw usageError(
      "--strict can be used only with --replay.",
      "Add --replay with the folder of the cassette, or remove --strict.",
    );
  const { runFormula } = await import("../../execute/run-target.ts");
  const { vaultLocation } = await import("../../accounts/vault-location.ts");
  const { createElicitation } = await import("../elicitation-prompts.ts");
  const { isInteractive } = await import("../client-credentials.ts");
  if (target.includes("::"))
    output.progress(
      "warning: Namespace::Formula is deprecated; write only the name of the formula",
    );
  const local = await localConnection(file, flags, streams);
  const routes = [...(local?.routes ?? []), ...(flags.route ?? [])];
  // A recording holds no answers of a person, so a replay could not repeat them.
  const isTaped = [flags.record, flags.replay, flags.saveTest].some((given) => given !== undefined);
  const elicit = isTaped || output.json ? undefined : createElicitation(streams);
  const exchanges: ExchangeDetail[] | undefined = flags.exchanges === true ? [] : undefined;
  let rowCount = 0;
  let shownLogs = 0;
  const options: RunFormulaOptions = {
    file,
    formula: target,
    args: { text: args, named: namedArguments(flags.arg ?? []) },
    dynamicUrl: flags.dynamicUrl,
    maxRows:
      flags.maxRows === undefined
        ? undefined
        : parseCount("--max-rows", flags.maxRows, 100_000_000),
    maxPages:
      flags.maxPages === undefined
        ? undefined
        : parseCount("--max-pages", flags.maxPages, 100_000_000),
    onPage(page) {
      rowCount += page.rows.length;
      if (page.end === undefined) output.progress(output.style("quiet", pageLine(page, rowCount)));
    },
    account: chooseAccount(flags),
    routes,
    timezone: flags.timezone,
    timerStrategy: flags.timerStrategy,
    inspect:
      flags.inspect === undefined ? undefined : await parseInspect(flags.inspect, file, output),
    network: chooseNetwork(flags),
    record: flags.record,
    replay: flags.replay,
    strict: flags.strict,
    onNetworkRun: async (pack, run, routes) => {
      const { feedAnalytics } = await import("../../service/packs/feed-analytics.ts");
      await feedAnalytics(pack, target, run, { routes, home: vaultLocation(streams.env).home });
    },
    elicit,
    // The logs of a Pack are there when it has ended; a tool may run for minutes.
    onToolLog(entry) {
      shownLogs += 1;
      if (!output.json) printLog(entry, output);
    },
    onExchange: exchanges && ((detail) => exchanges.push(detail)),
    signal,
    cwd: streams.cwd,
    ...vaultLocation(streams.env),
    redactor,
  };
  const { saveTest } = flags;
  const runOnce = () => {
    shownLogs = 0;
    return saveTest === undefined ? runFormula(options) : runAndSave(options, saveTest, output);
  };
  let run = await runOnce();
  if (!run.ok && !output.json && flags.replay === undefined && isInteractive(streams)) {
    const { createTerminalOffer, stepUp } = await import("../step-up.ts");
    run = await stepUp(
      run,
      createTerminalOffer({ file, streams, output, redactor, signal, routes }),
      runOnce,
    );
  }
  if (!run.ok) end(EXIT_CODES[run.failure.exitClass]);
  else if (
    run.kind === "update" &&
    (run.result as UpdateOutcome[]).some(({ outcome }) => outcome === "error")
  )
    end(EXIT_CODES.problem);
  if (output.json) return output.document({ ...toDocument(run), exchanges });
  for (const entry of run.logs.slice(shownLogs)) printLog(entry, output);
  if (run.cassette !== undefined)
    output.progress(output.style("quiet", cassetteLine(run.cassette, streams.cwd)));
  if (run.ok) print(output, run);
  else output.error(run.failure.cause, flags.debug === true);
}

function printLog({ level, message }: RunResult["logs"][number], output: Output): void {
  output.progress(output.style("quiet", `${level}: ${printable(message)}`));
}

function chooseNetwork({ fetch, blockActions }: ExecuteFlags): NetworkMode {
  if (!fetch) return "blocked";
  return blockActions === true ? "blockedForActions" : "live";
}

async function runAndSave(
  options: RunFormulaOptions,
  testFile: string,
  output: Output,
): Promise<RunResult> {
  const { saveTest } = await import("../../testing/save-test.ts");
  const { run, path } = await saveTest({ ...options, testFile });
  if (run.cassette !== undefined)
    output.progress(output.style("quiet", `wrote  ${relative(options.cwd, path)}`));
  return run;
}

/** @throws {PackError} USAGE_INVALID */
function namedArguments(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
      throw usageError(
        "--arg needs the name of a parameter and its value.",
        "Write --arg limit=5, for example.",
      );
    }),
  );
}

function cassetteLine({ mode, path, requests, secrets }: CassetteReport, cwd: string): string {
  const replaced = secrets === 0 ? "" : `  (${countText(secrets, "secret")} replaced)`;
  return `${mode}  ${countText(requests, "request")}  ${mode === "recorded" ? "→" : "←"}  ${relative(cwd, path)}${replaced}`;
}

function toDocument(run: RunResult): object {
  const { logs, requests, durationMs, cassette } = run;
  return run.ok
    ? { ok: true, kind: run.kind, result: run.result ?? null, logs, requests, durationMs, cassette }
    : { ok: false, error: run.failure.error, logs, requests, durationMs, cassette };
}

function print(output: Output, run: RunResult & { ok: true }): void {
  switch (run.kind) {
    case "sync":
      printSync(output, run.result as SyncTableResult);
      return;
    case "incremental": {
      const { full, incremental } = run.result as {
        full: SyncTableResult;
        incremental: SyncTableResult;
      };
      output.progress(
        output.style("quiet", `full sync: ${formatSummary(full)}; what changed since:`),
      );
      printSync(output, incremental);
      return;
    }
    default:
      output.data(
        typeof run.result === "string"
          ? printable(run.result)
          : (JSON.stringify(run.result, undefined, 2) ?? ""),
      );
  }
}

function printSync(output: Output, result: SyncTableResult): void {
  if (result.rows.length > 0)
    for (const line of formatRows(result.rows)) output.data(printable(line));
  if (result.deletedRowIds.length > 0)
    output.progress(`deleted: ${printable(result.deletedRowIds.join(", "))}`);
  output.progress(output.style("quiet", formatSummary(result)));
  if (result.end === "maxRows")
    output.progress("the table may have more rows; pass a higher --max-rows to get them");
  if (result.end === "maxPages")
    output.progress("the table has more pages; pass a higher --max-pages to get them");
}

function formatSummary({ rows, pages }: SyncTableResult): string {
  return `${countText(rows.length, "row")} in ${countText(pages, "page")}`;
}

function pageLine({ page, rows }: SyncPage, rowCount: number): string {
  return `page ${page}: ${rows.length} rows, ${rowCount} in all`;
}
