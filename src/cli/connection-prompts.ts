import type { EndpointOption } from "../commands/connection-questions.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError } from "../errors.ts";
import type { Redactor } from "../redact.ts";
import { ask, isInteractive } from "./client-credentials.ts";
import type { Streams } from "./output.ts";

const MAX_LINE_LENGTH = 16_384;

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

/** Prints the link and reads the address that comes back: from a prompt, or as one line of stdin. */
export function createPaste(streams: Streams): (authorizationUrl: string) => Promise<string> {
  return async (authorizationUrl) => {
    streams.stderr.write(`open this link in a browser on any machine:\n${authorizationUrl}\n`);
    if (isInteractive(streams)) return await ask("The address to which the browser was sent", streams, false);
    streams.stderr.write("paste the address to which the browser was sent, then press Enter:\n");
    return await readLine(streams.stdin);
  };
}

async function readLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes("\n") || text.length > MAX_LINE_LENGTH) break;
  }
  return text.split("\n")[0] ?? "";
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
