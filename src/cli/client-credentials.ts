import { resolve } from "node:path";
import type { WantedClient } from "../connect/connect-options.ts";
import { PackError, usageError } from "../errors.ts";
import { readClientCertificate } from "../oauth/client-certificate.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import { systemReason } from "../shared/failures.ts";
import { readRegularFile } from "../shared/files.ts";
import type { Redactor } from "../shared/redact.ts";
import { MAX_SECRET_LENGTH } from "../shared/secret-matcher.ts";
import type { Streams } from "./output.ts";

export interface ClientCredentialFlags {
  clientId?: string | undefined;
  clientSecretEnv?: string | undefined;
  clientSecretStdin?: boolean | undefined;
  clientKeyFile?: string | undefined;
  certificateFile?: string | undefined;
}

/** As long as a secret that can be masked: tokens with groups and roles have tens of kilobytes. */
const MAX_SECRET_BYTES = MAX_SECRET_LENGTH;

/**
 * Reads the client ID from a flag or the environment, and the secret from the environment, stdin or
 * a hidden prompt. A secret
 * is never an argument, because other programs can read arguments. A private key may also be in a
 * file,
 * and a certificate, too.
 *
 * @returns undefined without any source and without a terminal to ask on: the account may already
 *   know them
 * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_CERTIFICATE_INVALID; USAGE_INVALID for a file
 *   that cannot be read
 */
export async function readClientCredentials(
  flags: ClientCredentialFlags,
  wanted: WantedClient,
  streams: Streams,
  redactor: Redactor,
): Promise<ClientCredentials | undefined> {
  const interactive = isInteractive(streams);
  const givenId = flags.clientId ?? skipEmpty(streams.env["PACKSMITH_CLIENT_ID"]);
  const givenSecret = await readSecret(flags, wanted, streams);
  if (givenId === undefined && givenSecret === undefined && !interactive) return undefined;
  if (givenId === undefined && interactive && wanted.redirectUri !== undefined)
    streams.stderr.write(`redirect URI to register with the provider: ${wanted.redirectUri}\n`);
  const clientId = givenId ?? (interactive ? await ask("Client ID", streams, false) : undefined);
  if (clientId === undefined || clientId === "")
    throw createMissingError(
      "The client ID is missing.",
      "Pass --client-id, or set PACKSMITH_CLIENT_ID.",
    );
  const clientSecret = givenSecret ?? (interactive ? await askSecret(wanted, streams) : undefined);
  for (const secret of listClientSecrets(clientSecret)) redactor.add(secret);
  return { clientId, clientSecret: skipEmpty(clientSecret) };
}

/** Whether there is a person to ask. */
export function isInteractive(streams: Streams): boolean {
  return streams.stdin.isTTY === true && streams.stderr.isTTY === true && !streams.env["CI"];
}

/** A key has several lines, which no prompt takes; it is read from its file. */
async function askSecret(
  { privateKey, certificate }: WantedClient,
  streams: Streams,
): Promise<string> {
  if (certificate) {
    const file = await ask("Path of the client certificate (PEM)", streams, false);
    return readCertificateFiles(
      file,
      await ask(
        "Path of the certificate's private key (PEM; leave empty if the certificate file contains the key)",
        streams,
        false,
      ),
      streams,
    );
  }
  if (!privateKey) return await ask("Client secret (empty for a public client)", streams, true);
  return readKeyFile(await ask("Path of the private key (PEM or JWK)", streams, false), streams);
}

/**
 * Certificate and private key as one text, checked, so that an error names the file.
 * @param keyPath empty if the key is in the file of the certificate
 */
function readCertificateFiles(path: string, keyPath: string, streams: Streams): string {
  const hint = "Set --certificate-file to the path of a PEM file.";
  const certificate = readPrivateFile(path, "client certificate", hint, streams);
  if (keyPath === "") {
    readClientCertificate(certificate, Date.now(), { certificate: path, key: path });
    return certificate;
  }
  const key = readPrivateFile(
    keyPath,
    "private key",
    "Set --client-key-file to the path of the PEM file that contains the private key.",
    streams,
  );
  const both = `${certificate}\n${key}`;
  readClientCertificate(both, Date.now(), { certificate: path, key: keyPath });
  return both;
}

function readKeyFile(path: string, streams: Streams): string {
  return readPrivateFile(
    path,
    "private key",
    "Set --client-key-file to the path of a PEM or JWK file.",
    streams,
  );
}

function readPrivateFile(path: string, kind: string, hint: string, { cwd }: Streams): string {
  const createRefusal = (reason: string | undefined) =>
    usageError(
      `The ${kind} ${path} cannot be read${reason === undefined ? "" : `: ${reason}`}.`,
      hint,
    );
  let text: string;
  try {
    text = readRegularFile(resolve(cwd, path.trim())).toString();
  } catch (error) {
    throw createRefusal(systemReason(error));
  }
  if (text.length > MAX_SECRET_BYTES) throw createRefusal(`it is too large for a ${kind}`);
  return text.trim();
}

async function readSecret(
  flags: ClientCredentialFlags,
  wanted: WantedClient,
  streams: Streams,
): Promise<string | undefined> {
  if (wanted.certificate && flags.certificateFile !== undefined)
    return readCertificateFiles(flags.certificateFile, flags.clientKeyFile ?? "", streams);
  if (flags.certificateFile !== undefined) {
    throw usageError(
      "The Pack's authentication does not use a client certificate.",
      'Remove --certificate-file, or set clientAuthentication: "tls_client_auth" in the authentication definition.',
    );
  }
  if (wanted.certificate && flags.clientKeyFile !== undefined) {
    throw usageError(
      "--client-key-file is set, but the certificate is missing.",
      "Also pass --certificate-file.",
    );
  }
  if (flags.clientKeyFile !== undefined) return readKeyFile(flags.clientKeyFile, streams);
  if (flags.clientSecretStdin) return checkSecretLength((await readAll(streams.stdin)).trim());
  const name = flags.clientSecretEnv ?? "PACKSMITH_CLIENT_SECRET";
  const value = skipEmpty(streams.env[name]);
  if (value === undefined && flags.clientSecretEnv !== undefined) {
    throw createMissingError(
      `The environment variable ${name} is not set.`,
      `Set ${name}, or pass the name of another variable with --client-secret-env.`,
    );
  }
  return value;
}

/** Room for several secrets, and for JSON around them. */
const MAX_STDIN_BYTES = 4 * MAX_SECRET_BYTES;

/** @throws {PackError} OAUTH_CLIENT_MISSING when there is more than secrets */
export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_STDIN_BYTES) throw tooLong();
  }
  // A chunk may end in the middle of a character.
  return Buffer.concat(chunks).toString();
}

/** @throws {PackError} OAUTH_CLIENT_MISSING for a secret that is longer than any */
export function checkSecretLength(secret: string): string {
  if (secret.length > MAX_SECRET_BYTES) throw tooLong();
  return secret;
}

function tooLong(): PackError {
  return createMissingError(
    "The secret on stdin is longer than 64 kB.",
    "Pass only the secret on stdin.",
  );
}

export async function ask(message: string, streams: Streams, hidden: boolean): Promise<string> {
  const prompts = await import("@clack/prompts");
  const answer = await (hidden ? prompts.password : prompts.text)({
    message,
    input: streams.stdin as NodeJS.ReadStream,
    output: streams.stderr as NodeJS.WriteStream,
  });
  if (prompts.isCancel(answer))
    throw new PackError("INTERRUPTED", "Connecting was interrupted.", { details: undefined });
  return answer ?? "";
}

function skipEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

function createMissingError(message: string, hint: string): PackError {
  return new PackError("OAUTH_CLIENT_MISSING", message, { details: undefined, hint });
}
