import type { EndpointOption } from "../commands/connection-questions.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError } from "../errors.ts";
import type { Redactor } from "../redact.ts";
import { ask, isInteractive } from "./client-credentials.ts";
import type { Streams } from "./output.ts";

/**
 * Asks for connection variables: the environment first (`PACKSMITH_VAR_TENANT_ID` for `tenantId`), then a person. A secret
 * never comes from an argument (rule 29).
 */
export function createVariableQuestion(
  streams: Streams,
  redactor: Redactor,
): (variable: ConnectionVariable) => Promise<string | undefined> {
  return async (variable) => {
    const isSecret = variable.kind === "text" && variable.secret === true;
    const given = streams.env[environmentName(variable.name)];
    if (given !== undefined && given !== "") {
      if (isSecret) redactor.add(given);
      return given;
    }
    if (!isInteractive(streams)) return undefined;
    if (variable.kind === "choice") {
      return await select(
        variable.label,
        variable.options.map(({ label, value }) => ({ display: label, value })),
        streams,
      );
    }
    const fallback = "default" in variable ? variable.default : undefined;
    const answer = await ask(fallback === undefined ? variable.label : `${variable.label} (${fallback})`, streams, isSecret);
    return answer === "" ? undefined : answer;
  };
}

/** Lets a person choose an endpoint; without one there is nobody who could. */
export function createChoice(streams: Streams) {
  if (!isInteractive(streams)) return undefined;
  return (step: { description: string }, options: readonly EndpointOption[]) => select(step.description, options, streams);
}

/** `tenantId` → `PACKSMITH_VAR_TENANT_ID` */
export function environmentName(name: string): string {
  return `PACKSMITH_VAR_${name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase()}`;
}

async function select(message: string, options: readonly EndpointOption[], streams: Streams): Promise<string> {
  const prompts = await import("@clack/prompts");
  const answer = await prompts.select({
    message,
    options: options.map(({ display, value }) => ({ label: display, value })),
    output: streams.stderr as NodeJS.WriteStream,
  });
  if (prompts.isCancel(answer)) throw new PackError("INTERRUPTED", "Connecting was interrupted.", { details: undefined });
  return answer;
}
