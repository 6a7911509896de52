import type { ConnectionAnswers } from "../../define/connection-values.ts";
import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";

/** A recorded run: its requests and responses in order, without secrets. */
export interface Cassette {
  /** Version of this format. */
  packsmithCassette: 1;
  /** What ran: a formula, a table or a metadata formula. */
  target: string;
  accounts: Partial<Record<"user" | "system", RecordedAccount>>;
  exchanges: RecordedExchange[];
}

/** The parts of an account that a replay needs. Its secrets are made up. */
export interface RecordedAccount {
  type: string;
  clientId: string;
  /** The kind of key, when the client signs instead of sending a secret. */
  clientKey?: ClientKeyKind | undefined;
  endpoint?: string | undefined;
  answers?: ConnectionAnswers | undefined;
  /** Names of the credentials that the user entered. */
  fields?: string[] | undefined;
  /** Absent before the first token request. */
  token?:
    | {
        expiresInMs?: number | undefined;
        lifetimeMs?: number | undefined;
        isRenewable: boolean;
        scopes?: string[] | undefined;
        clientAuthentication: string;
      }
    | undefined;
}

/** Kinds of private keys that a replay can make. */
export const CLIENT_KEY_KINDS = ["rsa", "P-256", "P-384", "P-521", "ed25519"] as const;
export type ClientKeyKind = (typeof CLIENT_KEY_KINDS)[number];

export interface RecordedExchange {
  purpose: "pack" | "token";
  request: { method: string; url: string; body?: RecordedBody | undefined };
  /** Absent when there was no answer. */
  response?:
    | { status: number; headers: Record<string, string>; body?: RecordedBody | undefined }
    | undefined;
  failure?: { code: string; message: string } | undefined;
}

/** Text, or bytes in base64 when they are not text. */
export type RecordedBody = string | { base64: string };

const FORMAT = 1;
export const MAX_CASSETTE_BYTES = 256 * 1024 * 1024;

/** The text of a cassette's file: the same run gives the same text. */
export function serializeCassette(cassette: Cassette): string {
  return `${JSON.stringify(cassette, undefined, 2)}\n`;
}

/**
 * Reads the text of a cassette. It is untrusted: the file may have been edited.
 * @param path for messages
 * @throws {PackError} CASSETTE_INVALID with the first problem
 */
export function parseCassette(text: string, path: string): Cassette {
  const refuse = (reason: string): never => {
    throw invalidCassette(path, reason);
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refuse("it is not JSON");
  }
  if (!isRecord(parsed) || parsed["packsmithCassette"] === undefined)
    return refuse("it is not a cassette");
  const { packsmithCassette: format, target, accounts, exchanges } = parsed;
  if (format !== FORMAT)
    return refuse(
      `its format is ${JSON.stringify(format)?.slice(0, 40)}, and this version reads ${FORMAT}`,
    );
  if (typeof target !== "string") return refuse("target is not text");
  if (!isRecord(accounts)) return refuse("accounts is not an object");
  for (const slot of Object.keys(accounts)) {
    if ((slot !== "user" && slot !== "system") || !isAccount(accounts[slot]))
      return refuse(`accounts.${slot.slice(0, 40)} cannot be read`);
  }
  if (!Array.isArray(exchanges)) return refuse("exchanges is not a list");
  const broken = exchanges.findIndex((exchange) => !isExchange(exchange));
  if (broken >= 0) return refuse(`exchanges[${broken}] cannot be read`);
  return {
    packsmithCassette: 1,
    target,
    accounts: accounts as Cassette["accounts"],
    exchanges: exchanges as RecordedExchange[],
  };
}

/** @returns a body for the cassette; `undefined` when it is empty */
export function recordBody(bytes: Uint8Array): RecordedBody | undefined {
  if (bytes.byteLength === 0) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // Control characters mean that the bytes are not text, even if they are valid UTF-8.
    if (!/[\0-\x08\x0e-\x1f]/.test(text)) return text;
  } catch {
    // Not UTF-8: bytes.
  }
  return { base64: Buffer.from(bytes).toString("base64") };
}

/** @returns the bytes of a recorded body */
export function bytesOfBody(body: RecordedBody | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array();
  return typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body.base64, "base64");
}

export function invalidCassette(
  path: string,
  reason: string,
  cause?: unknown,
): PackError<"CASSETTE_INVALID"> {
  return new PackError("CASSETTE_INVALID", `The cassette ${path} cannot be used: ${reason}.`, {
    details: { path, reason },
    hint: "Record it again with --record.",
    cause,
  });
}

function isAccount(value: unknown): boolean {
  if (
    !isRecord(value) ||
    typeof value["type"] !== "string" ||
    typeof value["clientId"] !== "string"
  )
    return false;
  const { endpoint, answers, fields, token, clientKey } = value;
  return (
    (clientKey === undefined || (CLIENT_KEY_KINDS as readonly unknown[]).includes(clientKey)) &&
    (endpoint === undefined || (typeof endpoint === "string" && URL.canParse(endpoint))) &&
    (answers === undefined ||
      (isRecord(answers) && isTexts(answers["variables"]) && isTexts(answers["callbackParams"]))) &&
    (fields === undefined || isList(fields)) &&
    (token === undefined || isToken(token))
  );
}

function isToken(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { expiresInMs, lifetimeMs, isRenewable, scopes, clientAuthentication } = value;
  return (
    [expiresInMs, lifetimeMs].every((time) => time === undefined || typeof time === "number") &&
    typeof isRenewable === "boolean" &&
    (scopes === undefined || isList(scopes)) &&
    typeof clientAuthentication === "string"
  );
}

function isExchange(value: unknown): boolean {
  if (!isRecord(value) || !["pack", "token"].includes(value["purpose"] as string)) return false;
  const { request, response, failure } = value;
  if (
    !isRecord(request) ||
    typeof request["method"] !== "string" ||
    typeof request["url"] !== "string"
  )
    return false;
  if (!URL.canParse(request["url"]) || !isBody(request["body"])) return false;
  if (response === undefined)
    return (
      isRecord(failure) &&
      typeof failure["code"] === "string" &&
      typeof failure["message"] === "string"
    );
  if (!isRecord(response) || !isBody(response["body"])) return false;
  const { status, headers } = response;
  return (
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    isHeaders(headers)
  );
}

function isBody(value: unknown): boolean {
  if (value === undefined || typeof value === "string") return true;
  return (
    isRecord(value) &&
    typeof value["base64"] === "string" &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(value["base64"])
  );
}

function isHeaders(value: unknown): boolean {
  if (!isTexts(value)) return false;
  return Object.entries(value as Record<string, string>).every(
    ([name, text]) =>
      /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(text),
  );
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
