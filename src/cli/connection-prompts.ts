import type {
  BrowserObstacle,
  ConnectAccountOptions,
  EndpointOption,
} from "../connect/connect-options.ts";
import type { SecretField } from "../define/authentication.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import { PackError, usageError } from "../errors.ts";
import type { Redactor } from "../shared/redact.ts";
import { ask, checkSecretLength, isInteractive, readAll } from "./client-credentials.ts";
import { printable, type Streams } from "./output.ts";

const MAX_LINE_LENGTH = 16_384;

/**
 * Asks for connection variables: the environment first (`PACKSMITH_VAR_TENANT_ID` for `tenantId`),
 * then a person. A secret
 * never comes from an argument, because other programs can read arguments.
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
    const answer = await ask(
      fallback === undefined ? variable.label : `${variable.label} (${fallback})`,
      streams,
      isSecret,
    );
    return answer === "" ? undefined : answer;
  };
}

/**
 * Asks for the credentials of an account without a provider: the environment first
 * (`PACKSMITH_SECRET_X_API_KEY` for
 * `X-Api-Key`), then a person, hidden. They never come from an argument, because other programs can
 * read arguments.
 */
export function createSecretQuestion(
  streams: Streams,
  redactor: Redactor,
): (field: SecretField) => Promise<string | undefined> {
  return async ({ name, label, isHidden, isOptional }) => {
    const given = streams.env[secretEnvironmentName(name)];
    const isGiven = given !== undefined && given !== "";
    if (!isGiven && !isInteractive(streams)) return undefined;
    const answer = isGiven
      ? given
      : await ask(isOptional ? `${label} (optional)` : label, streams, isHidden);
    if (isHidden) redactor.add(answer);
    return answer === "" ? undefined : answer;
  };
}

/** Why a browser could not come back to this machine; undefined if it probably can. */
export async function findObstacle(streams: Streams): Promise<BrowserObstacle | undefined> {
  const { findBrowserObstacle } = await import("../shared/browser-obstacle.ts");
  const reason = findBrowserObstacle({ env: streams.env, platform: process.platform });
  return reason === undefined
    ? undefined
    : { reason, paste: isInteractive(streams) ? createPaste(streams) : undefined };
}

/**
 * Asks whether a stored client secret may be sent to another host; undefined if no one can be
 * asked.
 */
export function createSecretHostQuestion(
  streams: Streams,
): ((host: string) => Promise<boolean>) | undefined {
  if (!isInteractive(streams)) return undefined;
  return (host) =>
    confirm(
      `The Pack's authentication has changed. Allow packsmith to send the stored client secret to ${printable(host)}?`,
      streams,
    );
}

/** `X-Api-Key` → `PACKSMITH_SECRET_X_API_KEY` */
export function secretEnvironmentName(name: string): string {
  return `PACKSMITH_SECRET_${name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase()}`;
}

/**
 * Reads values from stdin: a JSON object by name of the field, or one text, which is called
 * `token`.
 * @throws {PackError} USAGE_INVALID
 */
export async function readSecrets(
  streams: Streams,
  redactor: Redactor,
): Promise<Record<string, string>> {
  const text = (await readAll(streams.stdin)).trim();
  if (!text.startsWith("{")) {
    redactor.add(checkSecretLength(text));
    return { token: text };
  }
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    values = undefined;
  }
  const isTexts =
    typeof values === "object" &&
    values !== null &&
    Object.values(values).every((value) => typeof value === "string");
  if (!isTexts) {
    throw usageError(
      "Stdin does not contain a JSON object with string values.",
      'Pass a JSON object on stdin. Use the names of the fields as keys, such as {"token":"…"}.',
    );
  }
  for (const value of Object.values(values as Record<string, string>))
    redactor.add(checkSecretLength(value));
  return values as Record<string, string>;
}

/** Lets the user choose an endpoint; undefined without a terminal. */
export function createChoice(streams: Streams) {
  if (!isInteractive(streams)) return undefined;
  return (step: { description: string }, options: readonly EndpointOption[]) =>
    select(step.description, options, streams);
}

/**
 * Prints the link and reads the address that comes back: from a prompt, or as lines of stdin. After
 * a wrong one it asks for another.
 */
export function createPaste(streams: Streams): NonNullable<ConnectAccountOptions["paste"]> {
  const nextLine = createLineReader(streams.stdin);
  return async (authorizationUrl, problem) => {
    const say = (line: string) => streams.stderr.write(`${line}\n`);
    if (problem !== undefined) say(`${printable(problem.message)} ${problem.hint ?? ""}`);
    else {
      say(`open this link in a browser on any machine:\n${authorizationUrl}`);
      say(
        "After you approve, the browser shows a page that cannot load. This error is expected. Copy the complete address of the page.",
      );
    }
    if (isInteractive(streams))
      return await ask("The address of the page that did not load", streams, false);
    say("paste the address of the page that did not load, then press Enter:");
    return await nextLine();
  };
}

/**
 * Reads one line at a time; an empty text at the end. A stream that waits for more lines does not
 * keep the process running.
 */
function createLineReader(
  stream: NodeJS.ReadableStream & { ref?: () => void; unref?: () => void },
): () => Promise<string> {
  let chunks: AsyncIterator<string | Buffer> | undefined;
  let text = "";
  return async () => {
    chunks ??= stream[Symbol.asyncIterator]();
    stream.ref?.();
    while (!text.includes("\n") && text.length <= MAX_LINE_LENGTH) {
      const { done, value } = await chunks.next();
      if (done === true) break;
      text += String(value);
    }
    stream.unref?.();
    const [line = ""] = text.split("\n");
    text = text.slice(line.length + 1);
    return line;
  };
}

/** `tenantId` → `PACKSMITH_VAR_TENANT_ID` */
export function environmentName(name: string): string {
  return `PACKSMITH_VAR_${name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase()}`;
}

async function confirm(message: string, streams: Streams): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  return (
    (await prompts.confirm({
      message,
      initialValue: false,
      output: streams.stderr as NodeJS.WriteStream,
    })) === true
  );
}

async function select(
  message: string,
  options: readonly EndpointOption[],
  streams: Streams,
): Promise<string> {
  const prompts = await import("@clack/prompts");
  const answer = await prompts.select({
    message,
    options: options.map(({ display, value }) => ({ label: display, value })),
    output: streams.stderr as NodeJS.WriteStream,
  });
  if (prompts.isCancel(answer))
    throw new PackError("INTERRUPTED", "Connecting was interrupted.", { details: undefined });
  return answer;
}
