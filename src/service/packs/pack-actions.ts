import type { Formula } from "../../define/formula.ts";
import { isPackError, PackError } from "../../errors.ts";
import { cellArguments } from "../../execute/arguments/arguments.ts";
import { openValidPack, type Pack } from "../../execute/open-pack.ts";
import { type RunResult, type RunTargetOptions, runTarget } from "../../execute/run-target.ts";
import { inParallel } from "../../shared/concurrency.ts";
import type { Redactor } from "../../shared/redact.ts";
import type { PackRun } from "../local/control/pack-runs.ts";
import type { ActionCall, ActionRunner } from "../local/edits/edit.ts";
import type { PackRunLog } from "../local/registry/run-log.ts";
import { createInstalledPacks, type InstalledPack, type PackOfFile } from "./installed-packs.ts";
import { toPackRun } from "./pack-run.ts";

export interface PackActionsOptions
  extends Pick<
    RunTargetOptions,
    | "cwd"
    | "account"
    | "routes"
    | "home"
    | "databaseUrl"
    | "keyStore"
    | "redactor"
    | "signal"
    | "onExchange"
  > {
  /** Entry files of Packs, or built `bundle.js` files. */
  files: readonly string[];
  /** Packs in the registry of the service: their released versions run. @default none */
  installed?: readonly InstalledPack[] | undefined;
  /** Learns of every run before the button's edit is complete. What it throws changes nothing. */
  onRun?: ((run: PackRun) => Promise<void>) | undefined;
}

/** Packs whose actions the buttons of a local service run. */
export interface PackActions extends AsyncDisposable {
  /** The `actions` of `startService`. */
  readonly run: ActionRunner;
  /** What there is to run. */
  readonly known: readonly { pack: string; formula: string }[];
}

/**
 * Builds Packs and keeps their sandboxes for the buttons of a local service. Each action runs as
 * `execute` runs it.
 * @throws {PackError} PACK_NAME_CONFLICT and those of `openValidPack`
 */
export async function openPackActions(options: PackActionsOptions): Promise<PackActions> {
  const opened: PackOfFile[] = [];
  const close = async () =>
    void (await Promise.all(opened.map(({ pack }) => pack[Symbol.asyncDispose]())));
  try {
    await inParallel(options.files, async (file) =>
      opened.push({ file, pack: await openValidPack(file, { cwd: options.cwd }) }),
    );
    assertDistinctNames(opened);
  } catch (error) {
    await close();
    throw error;
  }
  const installed = createInstalledPacks(options.installed ?? []);
  return {
    known: opened.flatMap(({ pack }) =>
      listActions(pack).map(({ name }) => ({ pack: pack.bundle.name, formula: name })),
    ),
    run: async (call, released) => {
      const packs = [...opened, ...(await installed.open(released, call.pack))];
      return await runPackAction(options, packs, call);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([close(), installed[Symbol.asyncDispose]()]);
    },
  };
}

/**
 * Runs the action that a button of a local service names. What it throws becomes the warning of the
 * edit.
 */
export async function runPackAction(
  options: Omit<PackActionsOptions, "files">,
  packs: readonly PackOfFile[],
  call: ActionCall,
): Promise<unknown> {
  const { file, pack, release, action } = findAction(packs, call);
  const args = cellArguments(action, call.args);
  const accountsFile = release === undefined ? file : release.findAccounts();
  await using actionRun = runTarget(
    pack,
    { target: action.name, args },
    { ...options, file: accountsFile ?? file, docId: call.docId },
  );
  const run = await actionRun.finish();
  const counted = toPackRun(pack, action.name, run);
  const installed =
    release === undefined
      ? {}
      : {
          pack: { id: release.id, name: pack.bundle.name },
          log: toLog(run, call, release.version, options.redactor),
        };
  await options.onRun?.({ ...counted, ...installed }).catch(() => {});
  if (run.ok) return run.result;
  const isUnlinked = release !== undefined && accountsFile === undefined;
  if (isUnlinked && isPackError(run.failure.cause, "ACCOUNT_MISSING"))
    throw new Error(noAccounts(release.id));
  // It becomes the warning of the edit, which everybody who knows its id can read.
  throw new Error(options.redactor.text(run.failure.error.message));
}

function noAccounts(id: number): string {
  return `Pack ${id} needs an account. Start the service in the folder that is linked to the Pack, or with --pack ${id}=FILE to use the accounts of FILE.`;
}

function toLog(
  { logs, requests, ...run }: RunResult,
  { docId, rowId }: ActionCall,
  packVersion: string,
  redactor: Redactor,
): PackRunLog {
  return {
    docId,
    rowId,
    packVersion,
    messages: logs.map(({ level, message }) => ({ level, message: redactor.text(message) })),
    requests: requests.map(
      ({ method, url, status, requestBytes, responseBytes, durationMs, fromCache }) => ({
        method,
        url,
        status,
        requestBytes,
        responseBytes,
        durationMs,
        fromCache,
      }),
    ),
    error: run.ok
      ? undefined
      : { message: redactor.text(run.failure.error.message), stack: findStack(run.failure.cause) },
  };
}

/** A button names a Pack of the registry by its id or by its name. */
function findAction(
  packs: readonly PackOfFile[],
  { pack: name, formula }: ActionCall,
): PackOfFile & { action: Formula } {
  const found = packs
    .filter(
      ({ pack, release }) =>
        name === undefined || pack.bundle.name === name || String(release?.id) === name,
    )
    .flatMap((each) =>
      listActions(each.pack).flatMap((action) =>
        action.name === formula ? [{ ...each, action }] : [],
      ),
    );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const known = packs.flatMap(({ pack }) =>
    listActions(pack).map((action) => `${pack.bundle.name} ${action.name}`),
  );
  const where = name === undefined ? "" : ` in ${name}`;
  throw new PackError(
    "FORMULA_UNKNOWN",
    `There is ${only === undefined ? "no" : "more than one"} action ${formula}${where}.`,
    {
      details: { name: formula, known },
      hint:
        known.length === 0
          ? "Add a formula with isAction: true to the Pack."
          : `Use one of these actions: ${known.join(", ")}.`,
    },
  );
}

function findStack(cause: unknown): string | undefined {
  return isPackError(cause, "FORMULA_FAILED") ? cause.details.stack : undefined;
}

function listActions({ definition }: Pack): Formula[] {
  return definition.formulas.filter(({ isAction }) => isAction === true);
}

function assertDistinctNames(packs: readonly PackOfFile[]): void {
  const files = new Map<string, string>();
  for (const { file, pack } of packs) {
    const other = files.get(pack.bundle.name);
    if (other !== undefined) {
      throw new PackError(
        "PACK_NAME_CONFLICT",
        `${other} and ${file} are both named "${pack.bundle.name}", so a button cannot distinguish the two Packs.`,
        {
          details: { name: pack.bundle.name, files: [other, file] },
          hint: "Give one of the two Packs another name: the name in its package.json, or the name of its folder or file.",
        },
      );
    }
    files.set(pack.bundle.name, file);
  }
}
