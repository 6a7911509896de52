import type { AccountKey } from "../accounts/account.ts";
import type { Vault } from "../accounts/vault.ts";
import type { BaseAuthentication } from "../define/oauth.ts";
import { getConnectionName, getPostSetupOptions } from "../execute/metadata/execute-metadata.ts";
import type { RunOptions } from "../execute/run.ts";
import { checkEnteredEndpoint } from "../oauth/endpoint.ts";
import type { ConnectAccountOptions } from "./connect-options.ts";
import { choiceMissing, readEndpointOptions } from "./connection-questions.ts";

export interface AccountSetup {
  options: Pick<ConnectAccountOptions, "choices" | "choose" | "onProgress" | "redactor">;
  key: AccountKey;
  vault: Vault;
  definition: BaseAuthentication;
  networkDomains: readonly string[];
  /** What a function of the Pack runs with, with the account as it is now. */
  runOptions(): Promise<RunOptions>;
  note?: ((step: "endpoint" | "label", facts: Record<string, string>) => void) | undefined;
}

/**
 * What follows once an account is stored: the SetEndpoint steps, then its label.
 * @throws {PackError} POST_SETUP_CHOICE, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, and what a step of the Pack throws
 */
export async function setUpAccount(setup: AccountSetup): Promise<void> {
  const { options, key, vault, note } = setup;
  await chooseEndpoint(setup);
  const connectionName = await labelOf(setup);
  if (connectionName === undefined) return;
  note?.("label", { name: connectionName });
  // It is shown by commands that do not read the account's secrets.
  await vault.saveConnectionName(key, options.redactor.text(connectionName));
}

/** Runs the SetEndpoint steps: what is chosen becomes the account's endpoint. */
async function chooseEndpoint({ options, vault, key, definition, networkDomains, runOptions, note }: AccountSetup): Promise<void> {
  for (const step of definition.postSetup ?? []) {
    const offered = readEndpointOptions(await getPostSetupOptions({ ...(await runOptions()), slot: key.slot, step: step.name }));
    const [only] = offered;
    const chosen =
      options.choices?.[step.name] ??
      (offered.length === 1 && only !== undefined
        ? only.value
        : offered.length === 0
          ? undefined
          : await options.choose?.({ name: step.name, description: step.description }, offered));
    if (chosen === undefined || !offered.some(({ value }) => value === chosen)) throw choiceMissing(step.name, offered);
    const endpoint = checkEnteredEndpoint(chosen, definition, networkDomains);
    await vault.saveEndpoint(key, endpoint);
    note?.("endpoint", { step: step.name, endpoint });
    options.onProgress?.(`endpoint: ${endpoint}`);
  }
}

async function labelOf({ options, key, definition, runOptions }: AccountSetup): Promise<string | undefined> {
  if (definition.getConnectionName === undefined) return undefined;
  try {
    return await getConnectionName({ ...(await runOptions()), slot: key.slot });
  } catch (error) {
    options.onProgress?.(
      `warning: getConnectionName failed, so the account keeps its plain name: ${error instanceof Error ? error.message : "unknown error"}`,
    );
    return undefined;
  }
}
