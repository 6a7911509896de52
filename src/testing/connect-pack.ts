import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAccount } from "../connect/connect-account.ts";
import type { ConnectedAccount } from "../connect/connect-options.ts";
import type { FormulaArguments } from "../execute/arguments/arguments.ts";
import { createRedactor } from "../shared/redact.ts";
import { type ExecuteOptions, executeFormula } from "./test-formula.ts";

export interface ConnectPackOptions {
  /** Client ID and secret; a local provider carries those of its default client, and its clock. */
  client?: { clientId: string; clientSecret?: string | undefined; clock?: { now(): number } | undefined } | undefined;
  /** What an account of another type consists of, by name of the field. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Values for the SetEndpoint steps, by name of the step. */
  choices?: Readonly<Record<string, string>> | undefined;
  /** Declared origin → origin on this machine. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** The account's own endpoint, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /** @default process.cwd() */
  cwd?: string | undefined;
}

/** A connected account for one test. Its vault lives in a temporary folder and is gone afterwards. */
export interface PackAccount extends AsyncDisposable {
  /** The label that the Pack gave the account. */
  readonly connectionName: string | undefined;
  readonly account: ConnectedAccount;
  /** Runs a formula with this account; values in the order of the parameters. */
  execute(formula: string, args?: FormulaArguments): Promise<unknown>;
  /** Runs anything else with this account: `executeSyncTable(file, "Tasks", [], account.options)`. */
  readonly options: ExecuteOptions;
}

/**
 * Connects an account of a Pack: to a local provider, through the same pages and requests as a browser, without one; or, for a
 * type without a provider, with `secrets`.
 */
export async function connectPack(
  file: string,
  { client, secrets, choices, routes = {}, endpoint, cwd = process.cwd() }: ConnectPackOptions,
): Promise<PackAccount> {
  const home = await mkdtemp(join(tmpdir(), "packsmith-account-"));
  const forget = () => rm(home, { recursive: true, force: true });
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
      ...{ endpoint, secrets, choices },
      client: client === undefined ? undefined : { clientId: client.clientId, clientSecret: client.clientSecret },
      browser: "headless",
    });
    return {
      account,
      connectionName: account.connectionName,
      options: common,
      execute: (formula, args = []) => executeFormula(file, formula, args, common),
      [Symbol.asyncDispose]: forget,
    };
  } catch (error) {
    await forget();
    throw error;
  }
}
