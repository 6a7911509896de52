import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WantedClient } from "../connect/connect-options.ts";
import { PackError, usageError } from "../errors.ts";
import { clientSecretsOf } from "../oauth/client-key.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import type { Redactor } from "../shared/redact.ts";
import { systemReason } from "../shared/system-failure.ts";
import type { Streams } from "./output.ts";

export interface ClientCredentialFlags {
  clientId?: string | undefined;
  clientSecretEnv?: string | undefined;
  clientSecretStdin?: boolean | undefined;
  clientKeyFile?: string | undefined;
}

const MAX_SECRET_BYTES = 16_384;

/**
 * Reads the client ID from a flag or the environment, and the secret from the environment, stdin or a hidden prompt. A secret
 * is never an argument, because other programs can read arguments. A private key may also be in a file.
 *
 * @returns undefined without any source and without a terminal to ask on: the account may already know them
 * @throws {PackError} OAUTH_CLIENT_MISSING; USAGE_INVALID for a key file that cannot be read
 */
export async function readClientCredentials(
  flags: ClientCredentialFlags,
  wanted: WantedClient,
  streams: Streams,
  redactor: Redactor,
): Promise<ClientCredentials | undefined> {
  const interactive = isInteractive(streams);
  const givenId = flags.clientId ?? present(streams.env["PACKSMITH_CLIENT_ID"]);
  const givenSecret = await readSecret(flags, streams);
  if (givenId === undefined && givenSecret === undefined && !interactive) return undefined;
  const clientId = givenId ?? (interactive ? await ask("Client ID", streams, false) : undefined);
  if (clientId === undefined || clientId === "")
    throw missing("The client ID is missing.", "Pass --client-id, or set PACKSMITH_CLIENT_ID.");
  const clientSecret = givenSecret ?? (interactive ? await askSecret(wanted, streams) : undefined);
  for (const secret of clientSecretsOf(clientSecret)) redactor.add(secret);
  return { clientId, clientSecret: present(clientSecret) };
}

/** Whether there is a person to ask. */
export function isInteractive(streams: Streams): boolean {
  return streams.stdin.isTTY === true && streams.stderr.isTTY === true && !streams.env["CI"];
}

/** A key has several lines, which no prompt takes; it is read from its file. */
async function askSecret({ privateKey }: WantedClient, streams: Streams): Promise<string> {
  if (!privateKey) return await ask("Client secret (empty for a public client)", streams, true);
  return readKeyFile(await ask("File of the private key (PEM or JWK)", streams, false), streams);
}

function readKeyFile(path: string, { cwd }: Streams): string {
  const refused = (reason: string | undefined) =>
    usageError(
      `The private key ${path} cannot be read${reason === undefined ? "" : `: ${reason}`}.`,
      "Give --client-key-file the path of a PEM or JWK file.",
    );
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path.trim()), "utf8");
  } catch (error) {
    throw refused(systemReason(error));
  }
  if (text.length > MAX_SECRET_BYTES) throw refused("it is too large for a key");
  return text.trim();
}

async function readSecret(flags: ClientCredentialFlags, streams: Streams): Promise<string | undefined> {
  if (flags.clientKeyFile !== undefined) return readKeyFile(flags.clientKeyFile, streams);
  if (flags.clientSecretStdin) return (await readAll(streams.stdin)).trim();
  const name = flags.clientSecretEnv ?? "PACKSMITH_CLIENT_SECRET";
  const value = present(streams.env[name]);
  if (value === undefined && flags.clientSecretEnv !== undefined) {
    throw missing(`The environment variable ${name} is not set.`, `Set ${name}, or name another variable with --client-secret-env.`);
  }
  return value;
}

/** @throws {PackError} OAUTH_CLIENT_MISSING when there is more than a secret */
export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length > MAX_SECRET_BYTES) throw missing("Stdin holds more than a client secret.", "Pipe only the secret into packsmith.");
  }
  return text;
}

export async function ask(message: string, streams: Streams, hidden: boolean): Promise<string> {
  const prompts = await import("@clack/prompts");
  const answer = await (hidden ? prompts.password : prompts.text)({ message, output: streams.stderr as NodeJS.WriteStream });
  if (prompts.isCancel(answer)) throw new PackError("INTERRUPTED", "Connecting was interrupted.", { details: undefined });
  return answer ?? "";
}

function present(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

function missing(message: string, hint: string): PackError {
  return new PackError("OAUTH_CLIENT_MISSING", message, { details: undefined, hint });
}
