import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAccount } from "../connect/connect-account.ts";
import type { ConnectedAccount } from "../connect/connect-options.ts";
import type { FormulaArguments } from "../execute/arguments/arguments.ts";
import { createRedactor } from "../shared/redact.ts";
import { type ExecuteOptions, executeFormula } from "./test-formula.ts";

export interface ConnectPackOptions {
  /**
   * The client ID and the client secret. You can pass a local provider: packsmith then uses the
   * default client and the clock of this provider.
   */
  client?:
    | { clientId: string; clientSecret?: string | undefined; clock?: { now(): number } | undefined }
    | undefined;
  /** The credentials for an authentication without OAuth2, by name. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** The choices for the SetEndpoint steps, by step name. */
  choices?: Readonly<Record<string, string>> | undefined;
  /** The local origin for each declared origin. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** The endpoint of the account, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /** @default process.cwd() */
  cwd?: string | undefined;
}

/**
 * A connected account for a test. The vault of the account is in a temporary folder. If you dispose
 * of the account, packsmith removes this folder.
 */
export interface PackAccount extends AsyncDisposable {
  /** The name of the account, from `getConnectionName`. */
  readonly connectionName: string | undefined;
  readonly account: ConnectedAccount;
  /** Runs a formula with this account. Pass the arguments in the order of the parameters. */
  execute(formula: string, args?: FormulaArguments): Promise<unknown>;
  /** Options for the other functions: `executeSyncTable(file, "Tasks", [], account.options)`. */
  readonly options: ExecuteOptions;
}

/**
 * Connects an account of a Pack. For OAuth2, packsmith logs in to a local provider with the same
 * pages and requests as a browser. For other types of authentication, pass the credentials in
 * `secrets`.
 */
export async function connectPack(
  file: string,
  { client, secrets, choices, routes = {}, endpoint, cwd = process.cwd() }: ConnectPackOptions,
): Promise<PackAccount> {
  const home = await mkdtemp(join(tmpdir(), "packsmith-account-"));
  const removeVault = () => rm(home, { recursive: true, force: true });
  const clock = client?.clock;
  const common = {
    cwd,
    home,
    redactor: createRedactor(),
    routes: Object.entries(routes).map(([from, to]) => `${from}=${to}`),
    now: clock === undefined ? undefined : () => clock.now(),
  };
  try {
    const account = await connectAccount({
      ...common,
      file,
      endpoint,
      secrets,
      choices,
      client:
        client === undefined
          ? undefined
          : { clientId: client.clientId, clientSecret: client.clientSecret },
      browser: "headless",
    });
    return {
      account,
      connectionName: account.connectionName,
      options: common,
      execute: (formula, args = []) => executeFormula(file, formula, args, common),
      [Symbol.asyncDispose]: removeVault,
    };
  } catch (error) {
    await removeVault();
    throw error;
  }
}
