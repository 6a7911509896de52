import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError } from "../errors.ts";
import { checkAnswers, isSecretVariable, variablesOf } from "../oauth/connection-answers.ts";
import type { OAuthDefinition } from "../oauth/token-response.ts";
import type { Redactor } from "../shared/redact.ts";

export interface AnswerSources {
  /** Given with the command; never a secret. */
  given: Readonly<Record<string, string>>;
  /** What the account was connected with before. */
  previous: Readonly<Record<string, string>> | undefined;
  /** Asks a person; undefined when there is nobody to ask. */
  ask: ((variable: ConnectionVariable) => Promise<string | undefined>) | undefined;
  redactor: Redactor;
}

/**
 * The answers to a definition's connection variables: from the command, from a person, from the connection before, from the
 * defaults, in this order.
 * @throws {PackError} CONNECTION_VARIABLE_MISSING, CONNECTION_VARIABLE_INVALID
 */
export async function collectAnswers(definition: OAuthDefinition, sources: AnswerSources): Promise<Record<string, string>> {
  const { given, previous = {}, ask, redactor } = sources;
  const answers: Record<string, string> = { ...given };
  for (const variable of variablesOf(definition)) {
    const { name } = variable;
    if (isSecretVariable(variable) && given[name] !== undefined) throw secretGiven(name);
    const answer = given[name] ?? (await ask?.(variable)) ?? previous[name];
    if (answer !== undefined && answer !== "") answers[name] = answer;
    if (isSecretVariable(variable)) redactor.add(answer);
  }
  return checkAnswers(definition, answers);
}

/** Rule 29: what stands among the arguments of a process can be read by every other one. */
function secretGiven(name: string): PackError<"CONNECTION_VARIABLE_INVALID"> {
  return new PackError("CONNECTION_VARIABLE_INVALID", `The answer for ${name} is a secret, and an argument is visible to every process.`, {
    details: { name, reason: "it was given as an argument" },
    hint: "Set it in the environment, or run the command in a terminal and type it.",
  });
}

/** An endpoint that a step of the set-up offers. */
export interface EndpointOption {
  display: string;
  value: string;
}

/** Reads what `getOptions` of a SetEndpoint step returned: texts show themselves. */
export function readEndpointOptions(value: unknown): EndpointOption[] {
  return (Array.isArray(value) ? value : []).flatMap((option: unknown) => {
    if (typeof option === "string") return [{ display: option, value: option }];
    if (typeof option !== "object" || option === null || !("value" in option) || typeof option.value !== "string") return [];
    return [{ display: "display" in option ? String(option.display) : option.value, value: option.value }];
  });
}

/** The error of a step that nobody has answered. */
export function choiceMissing(step: string, options: readonly EndpointOption[]): PackError<"POST_SETUP_CHOICE"> {
  const values = options.map(({ value }) => value);
  const message =
    values.length === 0
      ? `The step ${step} offers no endpoint for this account.`
      : `The step ${step} needs a choice: ${values.join(", ")}.`;
  return new PackError("POST_SETUP_CHOICE", message, {
    details: { step, options: values },
    hint:
      values.length === 0 ? "Check what getOptions of the step returns for this account." : `Connect again with --choose ${step}=VALUE.`,
  });
}
