import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import {
  type AccountKey,
  createStoredAccount,
  isoTime,
  type StoredAccount,
} from "../../accounts/account.ts";
import { accountKey } from "../../accounts/pack-account.ts";
import { PackError } from "../../errors.ts";
import type { Tape } from "../../oauth/tape.ts";
import { createTokenSet, type TokenSet } from "../../oauth/token-set.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { notWritable, systemReason } from "../../shared/failures.ts";
import { readRegularText } from "../../shared/files.ts";
import { makeFolder } from "../../shared/folders.ts";
import { requireInProject } from "../../shared/project-boundary.ts";
import type { ConnectionOptions } from "../open-connections.ts";
import type { CassetteReport } from "../run-document.ts";
import {
  type Cassette,
  type ClientKeyKind,
  invalidCassette,
  MAX_CASSETTE_BYTES,
  parseCassette,
  type RecordedAccount,
  serializeCassette,
} from "./cassette-format.ts";
import { createRecordingTape } from "./record-tape.ts";
import { createReplayTape } from "./replay-tape.ts";
import { madeUpSecret } from "./secret-placeholders.ts";

export interface CassetteOptions {
  /** Folder, or `.json` file, for the recording. */
  record?: string | undefined;
  /** Folder, or `.json` file, of a recording that answers the requests. Nothing is sent. */
  replay?: string | undefined;
  /**
   * A replay must send every recorded request exactly once, and no other request. @default false
   */
  strict?: boolean | undefined;
}

/** The cassette of one run. */
export interface CassetteSession extends AsyncDisposable {
  readonly tape: Tape;
  /** Folder of a temporary vault with the recorded accounts, for a replay. */
  readonly home: string | undefined;
  /**
   * Ends the run: writes the recording, or checks a strict replay.
   * @throws {PackError} CASSETTE_UNMATCHED, CASSETTE_UNUSED, OUTPUT_NOT_WRITABLE
   */
  finish(accounts: Cassette["accounts"]): Promise<CassetteReport>;
}

export interface CassetteRun
  extends CassetteOptions,
    Pick<ConnectionOptions, "file" | "cwd" | "account" | "redactor" | "now"> {
  /** What runs. Names the file of the cassette. */
  target: string;
}

/**
 * Opens the cassette of a run.
 * @returns undefined when neither `record` nor `replay` is given
 * @throws {PackError} USAGE_INVALID for both at once, OUTSIDE_PROJECT, CASSETTE_INVALID
 */
export async function openCassette(run: CassetteRun): Promise<CassetteSession | undefined> {
  const { record, replay } = run;
  if (record !== undefined && replay !== undefined) {
    throw new PackError("USAGE_INVALID", "You cannot combine the options record and replay.", {
      details: undefined,
      hint: "Remove record or replay.",
    });
  }
  const place = record ?? replay;
  if (place === undefined) return undefined;
  const path = cassettePath(place, run);
  requireInProject(path);
  return record === undefined ? await replayFrom(path, run) : recordTo(path, run);
}

/** One file for each formula, table or metadata formula, named after it. */
function cassettePath(place: string, { cwd, target }: CassetteRun): string {
  return resolve(
    cwd,
    place.endsWith(".json") ? place : join(place, `${target.replace(/[^\w.-]+/g, "_")}.json`),
  );
}

function recordTo(path: string, { redactor, now, target }: CassetteRun): CassetteSession {
  const tape = createRecordingTape({ redactor, now });
  return {
    tape,
    home: undefined,
    async finish(accounts) {
      const cassette = tape.cassette(target, accounts);
      await writeCassette(path, serializeCassette(cassette));
      return {
        path,
        mode: "recorded",
        requests: cassette.exchanges.length,
        secrets: tape.secretCount,
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function replayFrom(path: string, run: CassetteRun): Promise<CassetteSession> {
  const cassette = parseCassette(await readCassette(path), path);
  const tape = createReplayTape(cassette, { path, isStrict: run.strict, now: run.now });
  const home = await mkdtemp(join(tmpdir(), "packsmith-replay-"));
  const removeFolder = () => rm(home, { recursive: true, force: true });
  try {
    await keepAccounts(home, cassette, run);
  } catch (error) {
    await removeFolder();
    throw error;
  }
  return {
    tape,
    home,
    async finish() {
      tape.finish();
      return { path, mode: "replayed", requests: cassette.exchanges.length, secrets: 0 };
    },
    [Symbol.asyncDispose]: removeFolder,
  };
}

/** A replay runs like any other run, so its accounts are in a vault, with made-up secrets. */
async function keepAccounts(home: string, { accounts }: Cassette, run: CassetteRun): Promise<void> {
  const slots = (["user", "system"] as const).filter((slot) => accounts[slot] !== undefined);
  if (slots.length === 0) return;
  const { openVault } = await import("../../accounts/vault.ts");
  await using vault = await openVault({ directory: home, now: run.now });
  for (const slot of slots) {
    const account = accounts[slot];
    if (account === undefined) continue;
    const key = await accountKey({ ...run, slot, account: run.account ?? "default" });
    await vault.save(replayedAccount(account, key, (run.now ?? Date.now)()));
  }
}

function replayedAccount(recorded: RecordedAccount, key: AccountKey, nowMs: number): StoredAccount {
  const { type, clientId, clientKey, endpoint, answers, fields, token } = recorded;
  const tokenSet =
    token === undefined
      ? undefined
      : createTokenSet({
          accessToken: madeUpSecret("access_token"),
          tokenType: "Bearer",
          expiresAtMs: token.expiresInMs === undefined ? undefined : nowMs + token.expiresInMs,
          ...(token.lifetimeMs === undefined ? {} : { lifetimeMs: token.lifetimeMs }),
          refreshToken: token.isRenewable ? madeUpSecret("refresh_token") : undefined,
          scopes: token.scopes,
          endpoint,
          extra: {},
          clientAuthentication: token.clientAuthentication as TokenSet["clientAuthentication"],
        });
  return createStoredAccount({
    key,
    pack: "replay",
    type: type,
    client: {
      clientId,
      clientSecret: clientKey === undefined ? madeUpSecret("client_secret") : madeUpKey(clientKey),
    },
    tokenSet,
    ...(fields === undefined
      ? {}
      : { secrets: Object.fromEntries(fields.map((name) => [name, madeUpSecret(name)])) }),
    ...(answers === undefined ? {} : { answers }),
    hosts: "any",
    endpoint,
    connectionName: undefined,
    requestedScopes: [],
    scopes: token?.scopes,
    status: "connected",
    createdAt: isoTime(nowMs),
    updatedAt: isoTime(nowMs),
  });
}

/** A replayed client signs with a key of the same kind. Nothing checks the signature. */
function madeUpKey(kind: ClientKeyKind): string {
  const pair =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2_048 })
      : kind === "ed25519"
        ? generateKeyPairSync("ed25519")
        : generateKeyPairSync("ec", { namedCurve: kind });
  return String(pair.privateKey.export({ type: "pkcs8", format: "pem" }));
}

async function readCassette(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_CASSETTE_BYTES)
      throw invalidCassette(path, `it is larger than ${MAX_CASSETTE_BYTES / 1024 / 1024} MiB`);
    return await readRegularText(path);
  } catch (error) {
    if (error instanceof PackError) throw error;
    throw invalidCassette(path, systemReason(error) ?? "the file cannot be read", error);
  }
}

async function writeCassette(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeAtomically(path, text);
  } catch (cause) {
    throw notWritable(
      "The cassette",
      path,
      "Check the permissions of the folder, or choose another folder.",
      cause,
    );
  }
}
