import type { Formula } from "../../define/formula.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { SyncTable } from "../../define/sync-table.ts";
import type { BlobStore } from "../../execute/blob-store.ts";
import type { ExchangeDetail } from "../../execute/execution-result.ts";
import type { ResponseCache } from "../../execute/fetch/fetch-cache.ts";
import { connectionNeeds, openConnections } from "../../execute/open-connections.ts";
import type { OpenPack } from "../../execute/open-pack.ts";
import type { RunOptions } from "../../execute/run.ts";
import type { RunAccount } from "../../execute/step-up.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { listOf } from "../../shared/members.ts";
import type { PackSession } from "../session/pack-session.ts";
import { requestOfExchange } from "../timeline/traffic.ts";

export interface OpenRunOptions {
  /** A formula, a table or a metadata formula, as named on the command line. */
  target: string;
  /** Id of the run in the timeline. @default requests are not recorded */
  id?: string | undefined;
  account?: string | undefined;
  signal: AbortSignal;
  blobs: BlobStore;
  cache?: ResponseCache | undefined;
}

/** What the `execute` functions need from the session. Dispose of it afterwards. */
export interface OpenRun extends AsyncDisposable {
  options: RunOptions;
  /** The account that requests use by default. */
  runAccount: RunAccount;
  /** Scopes that the target declares in addition to those of the authentication. */
  extraScopes: readonly string[];
}

/** Opens the accounts that a run may use. @throws {PackError} the codes of `openConnections` */
export async function openRun(
  session: PackSession,
  pack: OpenPack,
  run: OpenRunOptions,
): Promise<OpenRun> {
  const { redactor, home, databaseUrl, keyStore, file, cwd } = session.options;
  const { now } = session;
  const { target, id, account, signal, blobs, cache } = run;
  const routes = parseRoutes(session.routes());
  const record = (detail: ExchangeDetail): void => {
    if (id !== undefined) session.traffic.record({ kind: "run", id, target }, detail);
  };
  const needs = connectionNeeds(pack.definition, target);
  const connections = await openConnections(
    {
      file,
      cwd,
      home,
      databaseUrl,
      keyStore,
      account,
      redactor,
      now,
      onTokenExchange: (token) => record(requestOfExchange(token)),
    },
    pack.definition,
    needs,
    routes,
  );
  return {
    options: {
      isolate: pack.isolate,
      account: connections.account ?? connections.systemAccount,
      systemAccount: connections.systemAccount,
      routes,
      signal,
      blobs,
      cache,
      redactor,
      now,
      lookup: session.options.lookup,
      onExchange: record,
    },
    runAccount: { file, account: account ?? "default", slot: connections.slot },
    extraScopes: needs.scopes ?? [],
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  };
}

/** The formula with this name. A definition is untrusted: `formulas` may have any type. */
export function formulaIn({ formulas }: PackVersionDefinition, name: string): Formula | undefined {
  return listOf(formulas).find((formula) => formula?.name === name);
}

/** The table with this name, unless a formula has the same name. */
export function tableIn(definition: PackVersionDefinition, name: string): SyncTable | undefined {
  if (formulaIn(definition, name) !== undefined) return undefined;
  return listOf(definition.syncTables).find((table) => table?.name === name);
}
