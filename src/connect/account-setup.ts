import type { AccountKey } from "../accounts/account.ts";
import type { Vault } from "../accounts/vault.ts";
import type { BaseAuthentication } from "../define/oauth.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError } from "../errors.ts";
import { getConnectionName, getPostSetupOptions } from "../execute/metadata/execute-metadata.ts";
import type { RunOptions } from "../execute/run.ts";
import { checkAnswers, isSecretVariable, listVariables } from "../oauth/connection-answers.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import { checkEnteredEndpoint } from "../oauth/endpoint.ts";
import type { Redactor } from "../shared/redact.ts";
import type { ConnectAccountOptions, EndpointOption } from "./connect-options.ts";

export interface AnswerSources {
  /** From the command line. Never a secret. */
  given: Readonly<Record<string, string>>;
  /** The answers of the earlier connection. */
  previous: Readonly<Record<string, string>> | undefined;
  /** Asks the user; undefined if no user can be asked. */
  ask: ((variable: ConnectionVariable) => Promise<string | undefined>) | undefined;
  redactor: Redactor;
}

/**
 * Collects the answers to a definition's connection variables: from the command line, the user, the
 * earlier connection or the
 * defaults, in this order.
 * @throws {PackError} CONNECTION_VARIABLE_MISSING, CONNECTION_VARIABLE_INVALID
 */
export async function collectAnswers(
  definition: OAuthDefinition,
  sources: AnswerSources,
): Promise<Record<string, string>> {
  const { given, previous = {}, ask, redactor } = sources;
  const answers: Record<string, string> = { ...given };
  for (const variable of listVariables(definition)) {
    const { name } = variable;
    if (isSecretVariable(variable) && given[name] !== undefined) throw secretGiven(name);
    const answer = given[name] ?? (await ask?.(variable)) ?? previous[name];
    if (answer !== undefined && answer !== "") answers[name] = answer;
    if (isSecretVariable(variable)) redactor.add(answer);
  }
  return checkAnswers(definition, answers);
}

/** Every program can read the arguments of a process, so a secret must not be among them. */
function secretGiven(name: string): PackError<"CONNECTION_VARIABLE_INVALID"> {
  return new PackError(
    "CONNECTION_VARIABLE_INVALID",
    `The value of ${name} is a secret, so it cannot be an argument.`,
    {
      details: { name, reason: "it was given as an argument" },
      hint: "Set the environment variable PACKSMITH_VAR_<NAME>, or run the command in a terminal and enter the value.",
    },
  );
}

/** Reads the result of a SetEndpoint step's `getOptions`: a string is its own display text. */
function readEndpointOptions(value: unknown): EndpointOption[] {
  return (Array.isArray(value) ? value : []).flatMap((option: unknown) => {
    if (typeof option === "string") return [{ display: option, value: option }];
    if (
      typeof option !== "object" ||
      option === null ||
      !("value" in option) ||
      typeof option.value !== "string"
    )
      return [];
    return [
      { display: "display" in option ? String(option.display) : option.value, value: option.value },
    ];
  });
}

/** The error for a step without a valid choice. */
function choiceMissing(
  step: string,
  options: readonly EndpointOption[],
): PackError<"POST_SETUP_CHOICE"> {
  const values = options.map(({ value }) => value);
  const message =
    values.length === 0
      ? `The step ${step} returned no endpoint for this account.`
      : `Choose an endpoint in the step ${step}: ${values.join(", ")}.`;
  return new PackError("POST_SETUP_CHOICE", message, {
    details: { step, options: values },
    hint:
      values.length === 0
        ? "Check the result of getOptions in this step."
        : `Connect again with --choose ${step}=VALUE.`,
  });
}

export interface AccountSetup {
  options: Pick<ConnectAccountOptions, "choices" | "choose" | "onProgress" | "redactor">;
  key: AccountKey;
  vault: Vault;
  definition: BaseAuthentication;
  networkDomains: readonly string[];
  /** Options to run a function of the Pack with the account as it is stored now. */
  runOptions(): Promise<RunOptions>;
  note?: ((step: "endpoint" | "label", facts: Record<string, string>) => void) | undefined;
}

/**
 * Sets up a stored account: runs the SetEndpoint steps, then gets its display name.
 * @throws {PackError} POST_SETUP_CHOICE, ENDPOINT_INVALID, ENDPOINT_OUTSIDE_DOMAIN, and errors of
 *   the Pack's functions
 */
export async function setUpAccount(setup: AccountSetup): Promise<void> {
  const { options, key, vault, note } = setup;
  await chooseEndpoint(setup);
  const connectionName = await findLabel(setup);
  if (connectionName === undefined) return;
  note?.("label", { name: connectionName });
  // Redacted now, because commands that show it do not read the account's secrets.
  await vault.saveConnectionName(key, options.redactor.text(connectionName));
}

/** Runs the SetEndpoint steps. The chosen endpoint becomes the account's. */
async function chooseEndpoint({
  options,
  vault,
  key,
  definition,
  networkDomains,
  runOptions,
  note,
}: AccountSetup): Promise<void> {
  for (const step of definition.postSetup ?? []) {
    const offered = readEndpointOptions(
      await getPostSetupOptions({ ...(await runOptions()), slot: key.slot, step: step.name }),
    );
    const [only] = offered;
    const chosen =
      options.choices?.[step.name] ??
      (offered.length === 1 && only !== undefined
        ? only.value
        : offered.length === 0
          ? undefined
          : await options.choose?.({ name: step.name, description: step.description }, offered));
    if (chosen === undefined || !offered.some(({ value }) => value === chosen))
      throw choiceMissing(step.name, offered);
    const endpoint = checkEnteredEndpoint(chosen, definition, networkDomains);
    await vault.saveEndpoint(key, endpoint);
    note?.("endpoint", { step: step.name, endpoint });
    options.onProgress?.(`endpoint: ${endpoint}`);
  }
}

async function findLabel({
  options,
  key,
  definition,
  runOptions,
}: AccountSetup): Promise<string | undefined> {
  if (definition.getConnectionName === undefined) return undefined;
  try {
    return await getConnectionName({ ...(await runOptions()), slot: key.slot });
  } catch (error) {
    options.onProgress?.(
      `warning: getConnectionName failed, so the account has no display name: ${error instanceof Error ? error.message : "unknown error"}`,
    );
    return undefined;
  }
}
