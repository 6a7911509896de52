import type { AccountSession } from "../accounts/account-session.ts";
import type { KeyStore } from "../accounts/key-file.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { executeFormula } from "../execute/execute-formula.ts";
import { ExecutionFailure, type LogEntry, type RequestRecord } from "../execute/execution-result.ts";
import { parseRoutes, type Routes } from "../oauth/routes.ts";
import type { Redactor } from "../redact.ts";
import { loadValidPack } from "./load-pack.ts";
import { type Failure, toFailure } from "./outcome.ts";
import { accountKey, accountMissing, authenticationOf, oauthOf } from "./pack-account.ts";

export interface RunFormulaOptions {
  file: string;
  formula: string;
  /** As text, coerced by the parameters' types; or as values. */
  args: { text: readonly string[] } | readonly unknown[];
  /** Which connected account of the Pack's user authentication to use. @default "default" */
  account?: string | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** IANA time zone of the document. */
  timezone?: string | undefined;
  cwd: string;
  /** Folder of the vault. Without one no account is connected. */
  home?: string | undefined;
  /** A `postgres://` URL that keeps the vault's records on a server. @default the folder holds them */
  databaseUrl?: string | undefined;
  /** Where the key of a new vault goes. @default a key file */
  keyStore?: KeyStore | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

interface RunTrace {
  logs: readonly LogEntry[];
  requests: readonly RequestRecord[];
  durationMs: number;
}

export type RunFormulaResult = RunTrace & ({ ok: true; result: unknown } | { ok: false; failure: Failure });

/** Builds, validates and runs a Pack's formula in its sandbox, with the account's credentials when the Pack declares any. */
export async function runFormula(options: RunFormulaOptions): Promise<RunFormulaResult> {
  const started = performance.now();
  try {
    await using pack = await loadValidPack(options.file, { cwd: options.cwd });
    const routes = parseRoutes(options.routes ?? []);
    await using connection = await openConnection(options, pack.definition, routes);
    const { result, logs, requests, durationMs } = await executeFormula({
      isolate: pack.isolate,
      formula: options.formula,
      args: options.args,
      account: connection.session,
      routes,
      timezone: options.timezone,
      now: options.now,
      redactor: options.redactor,
    });
    return { ok: true, result, logs, requests, durationMs };
  } catch (error) {
    const trace: RunTrace = error instanceof ExecutionFailure ? error : { logs: [], requests: [], durationMs: performance.now() - started };
    const { logs, requests, durationMs } = trace;
    return { ok: false, failure: toFailure(error), logs, requests, durationMs };
  }
}

interface Connection extends AsyncDisposable {
  session: AccountSession | undefined;
}

/** The account that the formula needs. The vault is opened only for a Pack that declares authentication. */
async function openConnection(options: RunFormulaOptions, definition: PackVersionDefinition, routes: Routes): Promise<Connection> {
  const authentication = authenticationOf(definition, "user");
  const requirement = definition.formulas.find(({ name }) => name === options.formula)?.connectionRequirement ?? "none";
  const { account = "default", home } = options;
  if (home === undefined && authentication !== undefined && requirement === "required") throw accountMissing(options.file, account);
  if (home === undefined || authentication === undefined || requirement === "none") {
    return { session: undefined, [Symbol.asyncDispose]: async () => {} };
  }
  // A Pack without authentication must not wait for the database to load.
  const [{ openVault }, { openAccountSession }] = await Promise.all([
    import("../accounts/vault.ts"),
    import("../accounts/account-session.ts"),
  ]);
  const vault = await openVault({ directory: home, databaseUrl: options.databaseUrl, keyStore: options.keyStore, now: options.now });
  try {
    const key = await accountKey({ ...options, slot: "user", account });
    const known = (await vault.get(key)) !== undefined;
    if (!known && requirement === "required") throw accountMissing(options.file, account);
    const session = known
      ? await openAccountSession({
          vault,
          key,
          definition: oauthOf(definition, "user"),
          networkDomains: definition.networkDomains,
          routes,
          now: options.now,
          redactor: options.redactor,
        })
      : undefined;
    return { session, [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose]() };
  } catch (error) {
    await vault[Symbol.asyncDispose]();
    throw error;
  }
}
