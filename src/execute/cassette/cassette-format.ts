import * as z from "zod";
import type { ConnectionAnswers } from "../../define/connection-values.ts";
import { PackError } from "../../errors.ts";
import { canParseUrl } from "../../shared/urls.ts";

/** Kinds of private keys that a replay can make. */
export const CLIENT_KEY_KINDS = ["rsa", "P-256", "P-384", "P-521", "ed25519"] as const;
export type ClientKeyKind = (typeof CLIENT_KEY_KINDS)[number];

const text = z.string();
const texts = z.record(text, text);
const url = text.refine((value) => canParseUrl(value));

const answers: z.ZodType<ConnectionAnswers> = z.object({
  variables: texts,
  callbackParams: texts,
});

const recordedAccount = z.object({
  type: text,
  clientId: text,
  /** The kind of key, when the client signs instead of sending a secret. */
  clientKey: z.enum(CLIENT_KEY_KINDS).optional(),
  endpoint: url.optional(),
  answers: answers.optional(),
  /** Names of the credentials that the user entered. */
  fields: z.array(text).optional(),
  /** Absent before the first token request. */
  token: z
    .object({
      expiresInMs: z.number().optional(),
      lifetimeMs: z.number().optional(),
      isRenewable: z.boolean(),
      scopes: z.array(text).optional(),
      clientAuthentication: text,
    })
    .optional(),
});

/** The parts of an account that a replay needs. Its secrets are made up. */
export type RecordedAccount = z.output<typeof recordedAccount>;

const recordedBody = z.union([text, z.object({ base64: text.regex(/^[A-Za-z0-9+/]*={0,2}$/) })]);

/** Text, or bytes in base64 when they are not text. */
export type RecordedBody = z.output<typeof recordedBody>;

const headers = z.record(
  text.regex(/^[!#$%&'*+.^_`|~0-9a-z-]+$/),
  text.regex(/^[\t\x20-\x7e\x80-\xff]*$/),
);

const recordedExchange = z
  .object({
    purpose: z.enum(["pack", "token"]),
    request: z.object({ method: text, url, body: recordedBody.optional() }),
    /** Absent when there was no answer. */
    response: z
      .object({ status: z.int().min(200).max(599), headers, body: recordedBody.optional() })
      .optional(),
    failure: z.object({ code: text, message: text }).optional(),
  })
  .refine(({ response, failure }) => response !== undefined || failure !== undefined);

export type RecordedExchange = z.output<typeof recordedExchange>;

const FORMAT = 1;

const cassette = z.object({
  /** Version of this format. */
  packsmithCassette: z.literal(FORMAT),
  /** What ran: a formula, a table or a metadata formula. */
  target: z.string("is not text"),
  accounts: z.strictObject(
    { user: recordedAccount.optional(), system: recordedAccount.optional() },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `has the unknown field ${issue.keys[0]?.slice(0, 40)}`
          : "is not an object",
    },
  ),
  exchanges: z.array(recordedExchange, "is not a list"),
});

/** A recorded run: its requests and responses in order, without secrets. */
export type Cassette = z.output<typeof cassette>;

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
  const format = readFormat(parsed);
  if (format === undefined) return refuse("it is not a cassette");
  if (format !== FORMAT)
    return refuse(
      `its format is ${JSON.stringify(format)?.slice(0, 40)}, and this version reads ${FORMAT}`,
    );
  const { data, error } = cassette.safeParse(parsed);
  if (error === undefined) return data;
  const [issue] = error.issues;
  // The account or the exchange: what is wrong inside of it was not written by a person.
  const place = z.core.toDotPath(issue?.path.slice(0, 2) ?? []);
  return refuse(
    `${place.slice(0, 60)} ${issue?.path.length === 1 ? issue.message : "cannot be read"}`,
  );
}

function readFormat(parsed: unknown): unknown {
  return (parsed as { packsmithCassette?: unknown } | null)?.packsmithCassette;
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
    hint: "Record the run again with --record.",
    cause,
  });
}
