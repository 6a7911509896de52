import { resolve } from "node:path";
import type { Command } from "commander";
import type { PackState } from "../../dev/session/pack-session.ts";
import { isPackError, PackError } from "../../errors.ts";
import { countText } from "../../shared/count-text.ts";
import { INSPECT_DESCRIPTION, parseInspect } from "../inspect-option.ts";

import { parsePort } from "../parse-flags.ts";
import {
  collect,
  examples,
  trustOption,
  untilInterrupted,
  type VerbContext,
  withCommonOptions,
} from "../verb.ts";

interface DevFlags {
  port?: string;
  open: boolean;
  route?: string[];
  seed?: string;
  inspect?: true | string;
}

const DEFAULT_PORT = 4_000;
/** How many ports after the default one are tried. */
const FURTHER_PORTS = 50;

export function addDevVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    program
      .command("dev")
      .summary("Work on a Pack in the browser")
      .description("Work on a Pack in the browser: run it, connect accounts and watch its requests")
      .addHelpText(
        "after",
        examples(
          "packsmith dev",
          "packsmith dev packs/tasks/pack.ts --port 4100",
          "packsmith dev --no-open",
          "packsmith dev --seed seed.yaml --inspect",
        ),
      )
      .argument("[file]", "entry file of the Pack", "pack.ts")
      .option(
        "--port <number>",
        `listen on this port on 127.0.0.1; 0 selects a free port (default: ${DEFAULT_PORT}, or the next free port)`,
      )
      .option("--no-open", "print the link, and do not open a browser")
      .option(
        "--route <origin=url>",
        "route requests for an https origin to a local server; can be repeated",
        collect,
      )
      .option(
        "--seed <file>",
        "start the local document service with the documents in this JSON or YAML file",
      )
      .option("--inspect [port]", `for each run, ${INSPECT_DESCRIPTION}`)
      .addOption(trustOption()),
    async () => (await import("../outputs/pack-outputs.ts")).devOutput,
  ).action((file: string, flags: DevFlags) => dev(context, file, flags));
}

async function dev(
  { streams, output, redactor, signal }: VerbContext,
  file: string,
  flags: DevFlags,
): Promise<void> {
  const [{ startDevServer }, { findInstance, noteInstance }, { portInUse }, { vaultLocation }] =
    await Promise.all([
      import("../../dev/dev-server.ts"),
      import("../../dev/running-instance.ts"),
      import("../../shared/loopback-server.ts"),
      import("../../accounts/vault-location.ts"),
    ]);
  const location = vaultLocation(streams.env);
  const entry = resolve(streams.cwd, file);
  const running = await findInstance(location.home, entry);
  if (running !== undefined) throw devRunning(file, running);
  const wanted = flags.port === undefined ? undefined : parsePort(flags.port);
  const seed =
    flags.seed === undefined ? undefined : await readSeed(resolve(streams.cwd, flags.seed));
  const inspect =
    flags.inspect === undefined ? undefined : await parseInspect(flags.inspect, file, output);
  await using server = await startDevServer({
    file,
    cwd: streams.cwd,
    redactor,
    routes: flags.route,
    env: streams.env,
    seed,
    inspect,
    ...location,
    editorUrl: streams.env["PACKSMITH_EDITOR_URL"] || undefined,
    ...(wanted === undefined
      ? { port: DEFAULT_PORT, furtherPorts: FURTHER_PORTS }
      : { port: wanted }),
  }).catch((error: unknown) => {
    throw isPackError(error, "PORT_IN_USE")
      ? portInUse({ ...error.details, hint: OTHER_PORT }, error)
      : error;
  });
  const { port, origin, session } = server;
  const url = server.createLink();
  await using _note = await noteInstance(location.home, entry, {
    origin,
    key: server.instanceKey,
  });
  if (wanted === undefined && port !== DEFAULT_PORT)
    output.progress(
      `port ${DEFAULT_PORT} is in use${await byWhom(DEFAULT_PORT, streams.env)}; took ${port}`,
    );
  const { name, status } = session.state();
  if (output.json) output.document({ ok: true, url, origin, port, name, status });
  else output.data(`dev  ${url}   ${formatSummary(session.state())}`);
  using _file =
    flags.open && !output.json && streams.env["CI"] === undefined
      ? await (await import("../../connect/open-browser.ts")).openLocalServer(
          location.home,
          server,
          (line) => output.progress(line),
        )
      : undefined;
  await untilInterrupted(signal);
}

async function readSeed(path: string) {
  const { readSeedFile } = await import("../../service/local/store/seed-file.ts");
  return await readSeedFile(path);
}

/** What the Pack has, or that it has errors: the page says which. */
function formatSummary({ definition, issues }: PackState): string {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  if (errors > 0)
    return `${countText(errors, "error")}; the page shows ${errors === 1 ? "it" : "them"}`;
  const {
    formulas = [],
    syncTables = [],
    defaultAuthentication,
    systemConnectionAuthentication,
  } = definition ?? {};
  const type = (defaultAuthentication ?? systemConnectionAuthentication)?.type;
  const account = type === undefined || type === "None" ? "" : `   auth: ${type}`;
  return `${countText(formulas.length, "formula")}, ${countText(syncTables.length, "table")}${account}`;
}

async function byWhom(port: number, env: NodeJS.ProcessEnv): Promise<string> {
  const { findPortHolder } = await import("../../shared/port-holder.ts");
  const holder = await findPortHolder(port, { env });
  return holder === undefined ? "" : ` by ${holder.name} (process ${holder.pid})`;
}

const OTHER_PORT =
  "Stop that program, or pass another port with --port. Without --port, packsmith uses the next free port.";

function devRunning(
  file: string,
  { url, pid }: { url: string; pid: number },
): PackError<"DEV_RUNNING"> {
  return new PackError(
    "DEV_RUNNING",
    `packsmith dev runs for ${file} already, as process ${pid}: ${url}`,
    {
      details: { url },
      hint: "Open the link, or stop the other process first.",
    },
  );
}
