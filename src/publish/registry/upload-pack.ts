import { dirname, resolve } from "node:path";
import { eachPack } from "../../build/each-pack.ts";
import { createBuildRecord } from "../../bundle/build-record.ts";
import { findRefusedText } from "../../bundle/refused-text.ts";
import { mostSerious } from "../../compare/change.ts";
import { comparePacks } from "../../compare/compare-packs.ts";
import { PackError } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { invalidPack, placeIssues } from "../../execute/pack-issues.ts";
import type { PackVersionSummary } from "../../service/contract/registry/registry-models.ts";
import type { Issue } from "../../validate/issue.ts";
import { compareVersions } from "../version-order.ts";
import { findContentHash, hashContent, readUploadContent } from "./build-notes.ts";
import { createPackLoop, type ManyPacksOutcome } from "./many-packs.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions } from "./registry-versions.ts";
import { findReleasedState } from "./released-state.ts";
import { SDK_VERSION } from "./sdk-version.ts";
import { findVersion, resolveFailure, sendVersion } from "./send-version.ts";
import { assertSupported } from "./unsupported-members.ts";
import {
  describeExistingVersion,
  describeLargeUpload,
  describeOlderVersion,
} from "./upload-failures.ts";
import { MAX_VERSION_BYTES } from "./upload-limits.ts";
import type { Upload, UploadOptions } from "./upload-options.ts";
import type { UploadResult } from "./upload-result.ts";

export interface UploadReport extends ManyPacksOutcome<UploadResult> {
  /** Problems of the Packs, and those that the registry found, at the author's lines. */
  issues: Issue[];
}

/** Builds, validates and uploads Packs, one after the other, as `createPackLoop` says. */
export async function uploadPacks(
  files: readonly string[],
  options: UploadOptions,
): Promise<UploadReport> {
  const refused: Issue[] = [];
  const { cwd, timerStrategy, types, signal } = options;
  const loop = await createPackLoop<UploadResult>(files, options);
  const { issues, failures } = await eachPack(
    files,
    { cwd, timerStrategy, types, signal, keepSources: true },
    (pack, { file }) =>
      loop.run(file, (client) =>
        uploadPack(pack, file, client, options, (found) => refused.push(...found)),
      ),
  );
  // An interrupted upload is not a problem of the Pack.
  signal?.throwIfAborted();
  // A Pack that did not load was not given to the function above.
  for (const { file, failure } of failures) loop.fail(file, failure);
  const isReplaced = (issue: Issue) =>
    refused.some(
      ({ code, path, file, line }) =>
        code === issue.code && path === issue.path && file === issue.file && line === issue.line,
    );
  return {
    ...loop.outcome(),
    issues: [...issues.filter((issue) => !isReplaced(issue)), ...refused],
  };
}

/** Uploads one Pack. @returns its version. @throws what `uploadPacks` reports */
export async function uploadOnePack(
  file: string,
  client: RegistryClient,
  options: Omit<UploadOptions, "getClient">,
): Promise<string> {
  const getClient = async () => client;
  const { results, failures } = await uploadPacks([file], { ...options, getClient });
  if (failures[0] !== undefined) throw failures[0].failure.cause;
  return results[0]?.version ?? "";
}

async function uploadPack(
  pack: Upload["pack"],
  file: string,
  client: RegistryClient,
  options: UploadOptions,
  onIssues: (issues: Issue[]) => void,
): Promise<UploadResult> {
  const folder = dirname(resolve(options.cwd, file));
  checkPack(pack, file, folder, options.cwd, onIssues);
  const packId = requirePackId(folder, client.registry);
  const content = readUploadContent(pack);
  const contentHash = hashContent(content);
  const { version: own, ...unversioned } = content.metadata;
  const versions = await listVersions(client, packId);
  const effect = options.dryRun ? await compareWithReleased(pack, packId, client) : {};
  const describe = (version: string, facts: Partial<UploadResult>): UploadResult => ({
    file,
    packId,
    version,
    isChosen: typeof own !== "string",
    findings: [],
    bytes: 0,
    state: "uploaded",
    warnings: [],
    ...effect,
    ...facts,
  });
  const present = typeof own === "string" ? findVersion(versions, own) : versions[0];
  if (present !== undefined && findContentHash(present.buildNotes) === contentHash)
    return describe(present.packVersion, { state: "known" });

  const { nextVersion: version, findings } =
    typeof own === "string"
      ? { nextVersion: own, findings: [] }
      : await client.call("getNextPackVersion", {
          path: { packId: String(packId) },
          body: { proposedMetadata: JSON.stringify(unversioned), sdkVersion: SDK_VERSION },
        });
  assertNewVersion(version, versions);
  const metadata = { ...content.metadata, version };
  const { bundle, sourceMap } = content;
  const payload = Buffer.from(
    JSON.stringify({ metadata, sdkVersion: SDK_VERSION, bundle, sourceMap }),
  );
  const bytes = payload.byteLength;
  if (bytes > MAX_VERSION_BYTES) throw describeLargeUpload(bytes, sourceMap);
  if (options.dryRun) return describe(version, { findings, bytes, state: "dry-run" });

  const upload: Upload = { pack, file, client, packId, options, onIssues };
  const warnings = await sendVersion(upload, version, payload, contentHash).catch(
    (error: unknown) => resolveFailure(error, upload, metadata, contentHash),
  );
  return describe(version, { findings, bytes, warnings });
}

/** @throws {PackError} what the registry would refuse, before anything is sent */
function checkPack(
  pack: Upload["pack"],
  file: string,
  folder: string,
  cwd: string,
  onIssues: (issues: Issue[]) => void,
): void {
  const invalid = invalidPack(pack.issues, file);
  if (invalid !== undefined) throw invalid;
  assertSupported(pack);
  assertAccepted(pack, folder, cwd, onIssues);
}

/** @throws {PackError} VERSION_EXISTS, VERSION_OLDER */
function assertNewVersion(version: string, versions: readonly PackVersionSummary[]): void {
  if (findVersion(versions, version) !== undefined) throw describeExistingVersion(version);
  const newest = findHighest(versions);
  if (newest !== undefined && compareVersions(version, newest) < 0)
    throw describeOlderVersion(version, newest);
}

async function compareWithReleased(
  pack: Pick<Pack, "bundle" | "definition" | "compiled">,
  packId: number,
  client: RegistryClient,
): Promise<Pick<UploadResult, "released" | "changes" | "class">> {
  const { release, state } = await findReleasedState(pack, packId, client);
  const released = release?.packVersion;
  if (state === undefined) return { released };
  const changes = comparePacks(state, createBuildRecord(pack.bundle, pack.compiled));
  return { released, changes, class: mostSerious(changes) };
}

/** @throws {PackError} UPLOAD_REFUSED with the places of code that is made from text */
function assertAccepted(
  pack: Pick<Pack, "bundle">,
  folder: string,
  cwd: string,
  onIssues: (issues: Issue[]) => void,
): void {
  const issues = placeIssues(findRefusedText(pack.bundle), folder, cwd);
  const [first] = issues;
  if (first === undefined) return;
  onIssues(issues);
  throw new PackError("UPLOAD_REFUSED", `The registry would refuse the Pack: ${first.message}`, {
    details: { problems: issues.map(({ message }) => message) },
    hint: first.hint,
  });
}

function findHighest(versions: readonly PackVersionSummary[]): string | undefined {
  const names = versions.map(({ packVersion }) => packVersion);
  return names.sort((one, other) => compareVersions(other, one))[0];
}
