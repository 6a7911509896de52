import { relative } from "node:path";
import { type Command, Option } from "commander";
import type { TimerStrategy } from "../../bundle/run-esbuild.ts";
import { TIMER_STRATEGIES } from "../../bundle/timer-strategy.ts";
import { usageError } from "../../errors.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { NetworkMode, RunFormulaOptions, RunResult } from "../../execute/run-target.ts";
import type { UpdateOutcome } from "../../execute/tables/execute-update.ts";
import { INSPECT_DESCRIPTION, parseInspect } from "../inspect-option.ts";
import {
  chooseAccount,
  type LocalFlags,
  localConnection,
  withLocalOptions,
} from "../local-option.ts";
import type { Output } from "../output.ts";
import { parseCount } from "../parse-flags.ts";
import { createRunPrinter, printResult } from "../print-run.ts";
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
  const command = program
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
    .addHelpText("after", FORMS)
    .argument("<file>", "entry file of the Pack, or a built bundle.js")
    .argument("<target>", "formula, sync table or other part to run; see below")
    .argument(
      "[args...]",
      "arguments in the order of the parameters; put -- before arguments that start with a dash",
    );
  addRunOptions(command);
  addCassetteOptions(command);
  addSandboxOptions(command);
  withCommonOptions(
    withLocalOptions(command),
    async () => (await import("../../execute/run-document.ts")).runDocument,
    "runFormula",
  ).action((file: string, target: string, args: string[], flags: ExecuteFlags) =>
    execute(context, { file, target, args }, flags),
  );
}

function addRunOptions(command: Command): void {
  command
    .option("--arg <name=value>", "pass an argument by parameter name; can be repeated", collect)
    .option("--max-rows <count>", "stop a sync after this number of rows (default: 1000)")
    .option("--max-pages <count>", "stop a sync after this number of pages (default: 100)")
    .option("--dynamic-url <url>", "URL of the table, for a dynamic table")
    .option(
      "--route <origin=url>",
      "route requests for an https origin to a local server; can be repeated",
      collect,
    )
    .option("--timezone <zone>", "time zone of the document, such as Europe/Berlin");
}

function addCassetteOptions(command: Command): void {
  command
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
    );
}

function addSandboxOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--timer-strategy <strategy>",
        "behavior of setTimeout: do nothing, throw an error, or run the callback without waiting",
      ).choices(TIMER_STRATEGIES),
    )
    .option("--no-fetch", "block all requests during the run")
    .option("--block-actions", "block all requests if the target is an action")
    .option("--exchanges", "with --json: include each request and response, without secrets")
    .option("--inspect [port]", INSPECT_DESCRIPTION);
}

/** What the user asks to run. */
interface Wish {
  file: string;
  target: string;
  args: readonly string[];
}

async function execute(context: VerbContext, wish: Wish, flags: ExecuteFlags): Promise<void> {
  const { streams, output, redactor, signal, end } = context;
  checkFlags(flags);
  const { file, target } = wish;
  if (target.includes("::"))
    output.progress(
      "warning: Namespace::Formula is deprecated; write only the name of the formula",
    );
  const local = await localConnection(file, flags, streams);
  const routes = [...(local?.routes ?? []), ...(flags.route ?? [])];
  const exchanges: ExchangeDetail[] | undefined = flags.exchanges === true ? [] : undefined;
  const printer = createRunPrinter(output, streams.cwd);
  const options: RunFormulaOptions = {
    ...(await readRunOptions(context, wish, flags)),
    routes,
    onPage: printer.printPage,
    onToolLog: printer.printToolLog,
    onExchange: exchanges && ((detail) => exchanges.push(detail)),
  };
  const runOnce = () => {
    printer.restart();
    return startRun(options, flags.saveTest, output);
  };
  let run = await runOnce();
  const { isInteractive } = await import("../client-credentials.ts");
  if (!run.ok && !output.json && flags.replay === undefined && isInteractive(streams)) {
    const { createTerminalOffer, stepUp } = await import("../step-up.ts");
    const offer = createTerminalOffer({ file, streams, output, redactor, signal, routes });
    run = await stepUp(run, offer, runOnce);
  }
  end(chooseExitCode(run));
  if (output.json) return output.document({ ...toDocument(run), exchanges });
  printer.printRest(run);
  if (run.ok) printResult(run, output);
  else output.error(run.failure.cause, flags.debug === true);
}

/** @throws {PackError} USAGE_INVALID */
function checkFlags({ record, replay, strict }: ExecuteFlags): void {
  if (record !== undefined && replay !== undefined)
    throw usageError(
      "--record and --replay cannot be used together.",
      "Remove one of the two options.",
    );
  if (strict === true && replay === undefined)
    throw usageError(
      "--strict can be used only with --replay.",
      "Add --replay with the folder of the cassette, or remove --strict.",
    );
}

/** Everything that is not printed. @throws {PackError} USAGE_INVALID */
async function readRunOptions(
  { streams, output, redactor, signal }: VerbContext,
  { file, target, args }: Wish,
  flags: ExecuteFlags,
): Promise<RunFormulaOptions> {
  const { vaultLocation } = await import("../../accounts/vault-location.ts");
  const { createElicitation } = await import("../elicitation-prompts.ts");
  const { timezone, timerStrategy, record, replay, strict, inspect } = flags;
  const location = vaultLocation(streams.env);
  // A recording holds no answers of a person, so a replay could not repeat them.
  const isTaped = [record, replay, flags.saveTest].some((given) => given !== undefined);
  return {
    file,
    formula: target,
    args: { text: args, named: namedArguments(flags.arg ?? []) },
    dynamicUrl: flags.dynamicUrl,
    maxRows: parseMost("--max-rows", flags.maxRows),
    maxPages: parseMost("--max-pages", flags.maxPages),
    account: chooseAccount(flags),
    timezone,
    timerStrategy,
    inspect: inspect === undefined ? undefined : await parseInspect(inspect, file, output),
    network: chooseNetwork(flags),
    record,
    replay,
    strict,
    onNetworkRun: async (pack, run, routes) => {
      const { feedAnalytics } = await import("../../service/packs/feed-analytics.ts");
      await feedAnalytics(pack, target, run, { routes, home: location.home });
    },
    elicit: isTaped || output.json ? undefined : createElicitation(streams),
    signal,
    cwd: streams.cwd,
    ...location,
    redactor,
  };
}

function parseMost(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseCount(option, text, 100_000_000);
}

async function startRun(
  options: RunFormulaOptions,
  testFile: string | undefined,
  output: Output,
): Promise<RunResult> {
  if (testFile === undefined) {
    const { runFormula } = await import("../../execute/run-target.ts");
    return await runFormula(options);
  }
  const { saveTest } = await import("../../testing/save-test.ts");
  const { run, path } = await saveTest({ ...options, testFile });
  if (run.cassette !== undefined)
    output.progress(output.style("quiet", `wrote  ${relative(options.cwd, path)}`));
  return run;
}

/** An update of which one row fails has failed. */
function chooseExitCode(run: RunResult): number {
  if (!run.ok) return EXIT_CODES[run.failure.exitClass];
  const hasError =
    run.kind === "update" &&
    (run.result as UpdateOutcome[]).some(({ outcome }) => outcome === "error");
  return hasError ? EXIT_CODES.problem : 0;
}

function chooseNetwork({ fetch, blockActions }: ExecuteFlags): NetworkMode {
  if (!fetch) return "blocked";
  return blockActions === true ? "blockedForActions" : "live";
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

function toDocument(run: RunResult): object {
  const { logs, requests, durationMs, cassette } = run;
  return run.ok
    ? { ok: true, kind: run.kind, result: run.result ?? null, logs, requests, durationMs, cassette }
    : { ok: false, error: run.failure.error, logs, requests, durationMs, cassette };
}
