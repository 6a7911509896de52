import {
  type FindingAt,
  type FindingDetail,
  type PackUpload,
  type PackVersionList,
  packUpload,
} from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import { listResponse } from "../../api/list-response.ts";
import { readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import type { Metadata, PackChecks } from "../pack-checks.ts";
import {
  type Db,
  findPart,
  inPackTransaction,
  listParts,
  type Part,
  readFile,
  savePart,
} from "../registry-store.ts";
import { createUpload, receivedUpload } from "../upload-store.ts";
import { compareVersions } from "../version-order.ts";

const MAX_LIMIT = 100;
const VERSION = /^\d{1,10}(?:\.\d{1,10}){0,2}(?:-prerelease\.\d{1,10})?$/;
const MAX_NUMBER = 2_147_483_647;
const FIRST_VERSION = "1";

export async function listPackVersions(call: ServiceCall): Promise<PackVersionList> {
  const pack = await openPack(call);
  const { db } = call.state.storage;
  const versions = (await listParts(db, pack.id, "version")).reverse();
  const releases = await listParts(db, pack.id, "release");
  const users = new Map(
    (await db.selectFrom("users").select(["id", "name", "email"]).execute()).map((user) => [
      user.id,
      user,
    ]),
  );
  const getLogin = ({ value }: Part<"version">) => users.get(value.userId)?.email ?? "";
  const page = await listResponse(call, {
    parameters: () => ({ limit: readLimit(call.query, MAX_LIMIT, 25) }),
    items: () => versions,
    // The newest is first.
    getSortKey: ({ position, id }) => [-position, id],
    render: (part) => {
      const release = releases.find(({ value }) => value.packVersion === part.id)?.value.releaseId;
      return {
        packId: pack.id,
        buildNotes: part.value.notes,
        createdAt: new Date(part.value.createdAtMs).toISOString(),
        creationUserLoginId: getLogin(part),
        ...(release === undefined ? {} : { releaseId: release }),
        packVersion: part.id,
        sdkVersion: part.value.sdkVersion,
        ...(part.value.source === undefined ? {} : { source: part.value.source }),
      };
    },
  });
  const logins = new Set(page.items.map(({ creationUserLoginId }) => creationUserLoginId));
  const creationUsers = [...users.values()].flatMap(({ name, email }) =>
    logins.has(email) ? [{ name, loginId: email, type: "user" as const }] : [],
  );
  return { ...page, creationUsers };
}

export async function getNextPackVersion(call: ServiceCall) {
  const pack = await openPack(call);
  const { proposedMetadata } = getBody<"getNextPackVersion">(call);
  const proposed = parseMetadata(proposedMetadata);
  const last = await findHighest(call.state.storage.db, pack.id);
  if (last === undefined) return { nextVersion: FIRST_VERSION, findings: [], findingDetails: [] };
  const before = { ...(await readVersion(call, last)).metadata, version: last.id };
  const { changes, nextVersion } = await getChecks(call).compare(before, proposed);
  // Versions that are one number each count up, whatever changed.
  const counted = /^\d+$/.test(last.id) ? String(Number(last.id) + 1) : undefined;
  return { nextVersion: counted ?? nextVersion ?? last.id, ...toFindings(changes) };
}

export async function getPackVersionDiff(call: ServiceCall) {
  const pack = await openPack(call);
  const [base, target] = await Promise.all(
    ["basePackVersion", "targetPackVersion"].map(async (name) => {
      const part = await findVersion(call, pack.id, call.params[name] ?? "");
      return (await readVersion(call, part)).metadata;
    }),
  );
  return toFindings((await getChecks(call).compare(base ?? {}, target ?? {})).changes);
}

export async function registerPackVersion(
  call: ServiceCall,
): Promise<{ uploadUrl: string; headers: Record<string, string> }> {
  const pack = await openPack(call);
  const { bundleHash } = getBody<"registerPackVersion">(call);
  const version = call.params["packVersion"] ?? "";
  const numbers = version.match(/\d+/g) ?? [];
  if (!VERSION.test(version) || numbers.some((number) => Number(number) > MAX_NUMBER))
    throw new HttpError(400, `"${version.slice(0, 60)}" is not a valid version.`);
  await requireHigher(call.state.storage.db, pack.id, version);
  const upload = {
    kind: "version",
    sha256: bundleHash,
    mimeType: "application/json",
    filename: version,
  } as const;
  const { uploadUrl, headers } = await createUpload(call, pack.id, upload, parseUploadId(version));
  return { uploadUrl, headers };
}

export async function completePackVersion(
  call: ServiceCall,
): Promise<{ deprecationWarnings?: FindingAt[] }> {
  const pack = await openPack(call);
  const { notes = "", source, allowOlderSdkVersion = false } = getBody<"completePackVersion">(call);
  const version = call.params["packVersion"] ?? "";
  await requireHigher(call.state.storage.db, pack.id, version);
  const { upload, bytes } = await receivedUpload(call, pack.id, parseUploadId(version), "version");
  const content = parseUpload(bytes);
  if (content.metadata["version"] !== version)
    throw invalid([{ path: "version", message: `The version in the metadata is not ${version}.` }]);
  await requireSdk(call, pack.id, content.sdkVersion, allowOlderSdkVersion);
  const { errors, warnings } = await getChecks(call).validate(content);
  if (errors.length > 0) throw invalid(errors);
  await requireApproval(call, pack.id, content.metadata);
  await requireVersionFor(call, pack.id, version, content.metadata);
  await inPackTransaction(call.state.storage, pack.id, async (transaction) => {
    await requireHigher(transaction, pack.id, version);
    await savePart(transaction, pack.id, "version", version, {
      fileId: upload.sha256,
      notes,
      createdAtMs: call.state.clock.now(),
      userId: call.caller.userId,
      sdkVersion: content.sdkVersion,
      source,
    });
  });
  return warnings.length === 0 ? {} : { deprecationWarnings: warnings };
}

/** @throws {HttpError} 404 */
export async function findVersion(
  call: ServiceCall,
  packId: number,
  version: string,
): Promise<Part<"version">> {
  const part = await findPart(call.state.storage.db, packId, "version", version);
  if (part === undefined)
    throw new HttpError(404, `The Pack has no version ${version.slice(0, 60)}.`);
  return part;
}

async function readVersion(
  { state }: ServiceCall,
  { value }: Part<"version">,
): Promise<PackUpload> {
  const bytes = await readFile(state.storage.db, value.fileId);
  if (bytes === undefined)
    throw new HttpError(500, "The version's uploaded file no longer exists.");
  return parseUpload(bytes);
}

async function findHighest(db: Db, packId: number): Promise<Part<"version"> | undefined> {
  const versions = await listParts(db, packId, "version");
  return versions.sort((one, other) => compareVersions(other.id, one.id))[0];
}

async function requireHigher(db: Db, packId: number, version: string): Promise<void> {
  if ((await findPart(db, packId, "version", version)) !== undefined)
    throw new HttpError(400, `Version ${version} of the Pack already exists.`);
  const highest = (await findHighest(db, packId))?.id;
  if (highest !== undefined && compareVersions(version, highest) <= 0)
    throw new HttpError(400, `Version ${version} is not higher than ${highest}, the newest one.`);
}

/**
 * What is new for users needs a higher minor version, and what breaks something a higher major one.
 * @throws {HttpError} 400
 */
async function requireVersionFor(
  call: ServiceCall,
  packId: number,
  version: string,
  metadata: Metadata,
): Promise<void> {
  const last = await findHighest(call.state.storage.db, packId);
  if (last === undefined) return;
  const before = { ...(await readVersion(call, last)).metadata, version: last.id };
  const { changes, nextVersion } = await getChecks(call).compare(before, metadata);
  // What the changes call for has zeros in all lower places, so it is the lowest one that is allowed.
  if (nextVersion === undefined || compareVersions(version, nextVersion) >= 0) return;
  const isPatch = isSameMinor(nextVersion, last.id);
  const [first] = changes;
  if (isPatch || first === undefined) return;
  throw invalid([
    {
      path: first.path,
      message: `${first.finding}. The change requires version ${nextVersion} or higher; ${version} is too low.`,
    },
  ]);
}

/** @throws {HttpError} 400 for what the platform has to approve, until the control plane says so */
async function requireApproval(
  call: ServiceCall,
  packId: number,
  metadata: Metadata,
): Promise<void> {
  const needed = await getChecks(call).findApprovals(metadata);
  if (needed.length === 0) return;
  const { db } = call.state.storage;
  if ((await findPart(db, packId, "approval", "approval")) !== undefined) return;
  throw invalid(
    needed.map(({ path, message }) => ({
      path,
      message: `${message} In this rehearsal, POST {"packId": ${packId}} to approvals below the control URL of the service.`,
    })),
  );
}

function isSameMinor(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.-]/));
  return left?.[0] === right?.[0] && (left?.[1] ?? "0") === (right?.[1] ?? "0");
}

async function requireSdk(
  { state }: ServiceCall,
  packId: number,
  sdkVersion: string,
  isOlderAllowed: boolean,
): Promise<void> {
  const newest = (await findHighest(state.storage.db, packId))?.value.sdkVersion;
  if (newest === undefined || isOlderAllowed || compareVersions(sdkVersion, newest) >= 0) return;
  throw new HttpError(
    400,
    `The SDK version ${sdkVersion} is older than ${newest}, the SDK version of the newest version of the Pack.`,
  );
}

function parseUploadId(version: string): string {
  return `version-${version}`;
}

function parseUpload(bytes: Buffer): PackUpload {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalid([{ path: "", message: "The upload is not JSON." }]);
  }
  const parsed = packUpload.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.slice(0, 5).map(({ path, message }) => ({ path: path.join("."), message })),
  );
}

function parseMetadata(text: string): Metadata {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Metadata;
  } catch {
    // Answered below, like every other text that is not an object.
  }
  throw new HttpError(400, "proposedMetadata must be a string that contains a JSON object.");
}

function invalid(validationErrors: FindingAt[]): HttpError {
  return new HttpError(400, "The Pack is not valid.", { codaDetail: { validationErrors } });
}

function toFindings(changes: FindingDetail[]) {
  return { findings: changes.map(({ finding }) => finding), findingDetails: changes };
}

function getChecks({ state }: ServiceCall): PackChecks {
  if (state.packChecks === undefined)
    throw new HttpError(501, "This service was started without checks for Packs.");
  return state.packChecks;
}
