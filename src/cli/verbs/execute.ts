import { relative } from "node:path";
import { type Command, Option } from "commander";
import type { TimerStrategy } from "../../bundle/run-esbuild.ts";
import { usageError } from "../../errors.ts";
import type { CassetteReport } from "../../execute/cassette/cassette-session.ts";
import type { RunFormulaOptions, RunFormulaResult } from "../../execute/run-formula.ts";
import type { SyncPage, SyncTableResult } from "../../execute/tables/execute-sync-table.ts";
import type { UpdateOutcome } from "../../execute/tables/execute-update.ts";
import { type Output, printable } from "../output.ts";
import { parseCount, TIMER_STRATEGIES } from "../parse-flags.ts";
import { formatRows } from "../row-table.ts";
import { collect, EXIT_CODES, type VerbContext, withCommonOptions } from "../verb.ts";

interface ExecuteFlags {
  account: string;
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
  debug?: boolean;
}

const FORMS = `
What <target> may be:
  Formula                                a formula, with its arguments
  Table                                  a sync table: all pages up to --max-rows
  Table>incremental                      a sync of all rows, then one of what changed since
  Table:update                           edits rows; the last argument is JSON: [{"previousValue":{},"newValue":{},"updatedFields":[]}]
  Table:validateParameters               whether the arguments can be used: '' '{"name":"value"}'
  X:autocomplete:parameter               the choices of a parameter: [search] [JSON of the other parameters]
  Table:options:property                 what a property may hold: [search] [JSON of the row]
  Table:listDynamicUrls                  the tables of a dynamic table: [parent URL]
  Table:searchDynamicUrls                the same by search: [text]
  Table:getName, :getDisplayUrl, :getSchema   of a dynamic table; give --dynamic-url
  Auth:getConnectionName                 the label of the account; SystemAuth: for the Pack's own account
  Auth:postSetup:setEndpoint:step        the endpoints that a step of the set-up offers
  Formats:match                          which column formats are offered for a text: <text>

How arguments are written:
  lists           a,b,c with \\, for a comma inside; or JSON: '["a,b","c"]'
  dates           2026-01-31, 2026-01-31T12:00, today, 7_days_ago; spans for a list of dates: last_30_days
  left out        - in the place of an optional argument, or --arg name=value for those after it

A run that sends requests to packsmith service is counted in its analytics.
`;

export function addExecuteVerb(program: Command, context: VerbContext): void {
  const hidden = (flags: string) => new Option(flags).hideHelp();
  withCommonOptions(
    program
      .command("execute")
      .alias("run")
      .description("run a formula, a sync table or another part of a Pack, as the document service would")
      .argument("<file>", "entry file of the Pack, or a built bundle.js")
      .argument("<target>", "name of the formula or the sync table, or a question; see below")
      .argument("[args...]", "arguments in the order of the parameters; put -- before arguments that begin with a dash")
      .option("--arg <name=value>", "an argument by name; may be repeated", collect)
      .option("--max-rows <count>", "end a sync at this many rows (default: 1000)")
      .option("--max-pages <count>", "end a sync after this many pages (default: 100)")
      .option("--dynamic-url <url>", "which table, when it is dynamic")
      .option("--account <name>", "which connected account to use", "default")
      .option("--route <origin=url>", "send requests for an https origin to a server on this machine; may be repeated", collect)
      .option("--timezone <zone>", "time zone of the document, such as Europe/Berlin")
      .option("--record <dir>", "keep what is sent and received in a cassette, without secrets")
      .option("--replay <dir>", "answer every request from the cassette; nothing is sent, and no account is needed")
      .option("--strict", "with --replay: fail when a recorded request is not sent, or another one is")
      .option("--save-test <file>", "write a vitest test that replays this run and expects the same, with a cassette beside it")
      .addOption(
        new Option(
          "--timer-strategy <strategy>",
          "what a Pack finds for setTimeout: nothing, an error, or callbacks without waiting",
        ).choices(TIMER_STRATEGIES),
      )
      .option("--no-fetch", "let every request fail")
      // What the older command line calls them. Several domains and the isolated run are what always happens here.
      .addOption(hidden("--maxRows <count>"))
      .addOption(hidden("--dynamicUrl <url>"))
      .addOption(hidden("--timerStrategy <strategy>").choices(TIMER_STRATEGIES))
      .addOption(hidden("--fetch").default(true))
      .addOption(hidden("--vm"))
      .addOption(hidden("--no-vm"))
      .addOption(hidden("--allowMultipleNetworkDomains"))
      .addHelpText("after", FORMS),
  ).action((file: string, target: string, args: string[], flags: ExecuteFlags) => execute(context, file, target, args, flags));
}

async function execute(
  { streams, output, redactor, signal, end }: VerbContext,
  file: string,
  target: string,
  args: string[],
  flags: ExecuteFlags,
): Promise<void> {
  const { runFormula } = await import("../../execute/run-formula.ts");
  const { vaultLocation } = await import("../../accounts/vault-location.ts");
  if (target.includes("::")) output.progress("warning: a name without the namespace is enough; Namespace::Formula is the older form");
  let rowCount = 0;
  const options: RunFormulaOptions = {
    file,
    formula: target,
    args: { text: args, named: namedArguments(flags.arg ?? []) },
    dynamicUrl: flags.dynamicUrl,
    maxRows: flags.maxRows === undefined ? undefined : parseCount("--max-rows", flags.maxRows, 100_000_000),
    maxPages: flags.maxPages === undefined ? undefined : parseCount("--max-pages", flags.maxPages, 100_000_000),
    onPage(page) {
      rowCount += page.rows.length;
      if (page.end === undefined) output.progress(output.style("quiet", pageLine(page, rowCount)));
    },
    account: flags.account,
    routes: flags.route,
    timezone: flags.timezone,
    timerStrategy: flags.timerStrategy,
    network: flags.fetch,
    record: flags.record,
    replay: flags.replay,
    strict: flags.strict,
    onNetworkRun: async (pack, run, routes) => {
      const { feedAnalytics } = await import("../../service/packs/feed-analytics.ts");
      await feedAnalytics(pack, target, run, routes);
    },
    signal,
    cwd: streams.cwd,
    ...vaultLocation(streams.env),
    redactor,
  };
  const run = flags.saveTest === undefined ? await runFormula(options) : await runAndSave(options, flags.saveTest, output);
  if (!run.ok) end(EXIT_CODES[run.failure.exitClass]);
  else if (run.kind === "update" && (run.result as UpdateOutcome[]).some(({ outcome }) => outcome === "error")) end(EXIT_CODES.problem);
  if (output.json) return output.document(documentOf(run));
  for (const { level, message } of run.logs) output.progress(output.style("quiet", `${level}: ${printable(message)}`));
  if (run.cassette !== undefined) output.progress(output.style("quiet", cassetteLine(run.cassette, streams.cwd)));
  if (run.ok) print(output, run);
  else output.error(run.failure.cause, flags.debug === true);
}

async function runAndSave(options: RunFormulaOptions, testFile: string, output: Output): Promise<RunFormulaResult> {
  const { saveTest } = await import("../../testing/save-test.ts");
  const { run, path } = await saveTest({ ...options, testFile });
  if (run.cassette !== undefined) output.progress(output.style("quiet", `wrote  ${relative(options.cwd, path)}`));
  return run;
}

/** @throws {PackError} USAGE_INVALID */
function namedArguments(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
      throw usageError("--arg takes the name of a parameter and its value.", "Write --arg limit=5, for example.");
    }),
  );
}

function cassetteLine({ mode, path, requests, secrets }: CassetteReport, cwd: string): string {
  const count = `${requests} request${requests === 1 ? "" : "s"}`;
  const replaced = secrets === 0 ? "" : `  (${secrets} secret${secrets === 1 ? "" : "s"} replaced)`;
  return `${mode}  ${count}  ${mode === "recorded" ? "→" : "←"}  ${relative(cwd, path)}${replaced}`;
}

function documentOf(run: RunFormulaResult): object {
  const { logs, requests, durationMs, cassette } = run;
  return run.ok
    ? { ok: true, kind: run.kind, result: run.result ?? null, logs, requests, durationMs, cassette }
    : { ok: false, error: run.failure.error, logs, requests, durationMs, cassette };
}

function print(output: Output, run: RunFormulaResult & { ok: true }): void {
  switch (run.kind) {
    case "sync":
      printSync(output, run.result as SyncTableResult);
      return;
    case "incremental": {
      const { full, incremental } = run.result as { full: SyncTableResult; incremental: SyncTableResult };
      output.progress(output.style("quiet", `full sync: ${summaryOf(full)}; what changed since:`));
      printSync(output, incremental);
      return;
    }
    default:
      output.data(typeof run.result === "string" ? printable(run.result) : (JSON.stringify(run.result, undefined, 2) ?? ""));
  }
}

function printSync(output: Output, result: SyncTableResult): void {
  if (result.rows.length > 0) for (const line of formatRows(result.rows)) output.data(printable(line));
  if (result.deletedRowIds.length > 0) output.progress(`deleted: ${printable(result.deletedRowIds.join(", "))}`);
  output.progress(output.style("quiet", summaryOf(result)));
  if (result.end === "maxRows") output.progress("there may be more rows; --max-rows gets them");
  if (result.end === "maxPages") output.progress("the table gave another continuation; --max-pages goes on");
}

function summaryOf({ rows, pages }: SyncTableResult): string {
  return `${rows.length} row${rows.length === 1 ? "" : "s"} in ${pages} page${pages === 1 ? "" : "s"}`;
}

function pageLine({ page, rows }: SyncPage, rowCount: number): string {
  return `page ${page}: ${rows.length} rows, ${rowCount} in all`;
}
