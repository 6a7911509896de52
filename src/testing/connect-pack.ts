import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAccount } from "../connect/connect-account.ts";
import type { ConnectedAccount } from "../connect/connect-options.ts";
import type { FormulaArguments } from "../execute/arguments/arguments.ts";
import { createRedactor } from "../shared/redact.ts";
import { type ExecuteOptions, executeFormula } from "./test-formula.ts";

export interface ConnectPackOptions {
  /** Client ID and secret. A local provider has those of its default client, and a clock. */
  client?:
    | { clientId: string; clientSecret?: string | undefined; clock?: { now(): number } | undefined }
    | undefined;
  /** Credentials of an account of another type, by name. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Choices for the SetEndpoint steps, by name of the step. */
  choices?: Readonly<Record<string, string>> | undefined;
  /** Declared origin → origin on this machine. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** Endpoint of the account, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /** @default process.cwd() */
  cwd?: string | undefined;
}

/**
 * A connected account for one test. Its vault is in a temporary folder, which is removed when the
 * account is disposed.
 */
export interface PackAccount extends AsyncDisposable {
  /** The label of the account, from `getConnectionName`. */
  readonly connectionName: string | undefined;
  readonly account: ConnectedAccount;
  /** Runs a formula with this account. Arguments are in the order of the parameters. */
  execute(formula: string, args?: FormulaArguments): Promise<unknown>;
  /** Options for the other functions: `executeSyncTable(file, "Tasks", [], account.options)`. */
  readonly options: ExecuteOptions;
}

/**
 * Connects an account of a Pack. OAuth2 runs against a local provider, with the same pages and
 * requests as in a browser but
 * without one. Other types take their credentials from `secrets`.
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
