import { dirname, resolve } from "node:path";
import { eachPack } from "../../build/each-pack.ts";
import { createBuildRecord } from "../../bundle/build-record.ts";
import { sizeText } from "../../bundle/bundle-size.ts";
import { findRefusedText } from "../../bundle/refused-text.ts";
import type { TimerStrategy } from "../../bundle/run-esbuild.ts";
import { mostSerious } from "../../compare/change.ts";
import { comparePacks } from "../../compare/compare-packs.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { invalidPack, placeIssues } from "../../execute/pack-issues.ts";
import type {
  FindingAt,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import { sha256 } from "../../shared/crypto.ts";
import type { Issue } from "../../validate/issue.ts";
import { createLocator } from "../../validate/positions.ts";
import { compareVersions } from "../version-order.ts";
import { contentHashOf, hashContent, readUploadContent, withContentHash } from "./build-notes.ts";
import { readProblems } from "./error-detail.ts";
import { createPackLoop, type ManyPacksOptions, type ManyPacksOutcome } from "./many-packs.ts";
import { authorPath } from "./metadata-path.ts";
import { requirePackId } from "./pack-id-file.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions } from "./registry-versions.ts";
import { findReleasedState } from "./released-state.ts";
import { SDK_VERSION } from "./sdk-version.ts";
import { assertSupported } from "./unsupported-members.ts";
import { MAX_VERSION_BYTES } from "./upload-limits.ts";
import type { UploadResult } from "./upload-result.ts";

export interface UploadOptions extends ManyPacksOptions {
  notes?: string | undefined;
  /** Sends nothing but questions. @default false */
  dryRun?: boolean | undefined;
  /** @default false */
  allowOlderSdkVersion?: boolean | undefined;
  /** @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  onProgress?: ((step: UploadStep) => void) | undefined;
}

export interface UploadStep {
  file: string;
  sentBytes: number;
  totalBytes: number;
  /** Counts from 1: the bytes are sent again when the store fails. */
  attempt: number;
}

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
  options: Omit<UploadOptions, "clientOf">,
): Promise<string> {
  const clientOf = async () => client;
  const { results, failures } = await uploadPacks([file], { ...options, clientOf });
  if (failures[0] !== undefined) throw failures[0].failure.cause;
  return results[0]?.version ?? "";
}

async function uploadPack(
  pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">,
  file: string,
  client: RegistryClient,
  options: UploadOptions,
  onIssues: (issues: Issue[]) => void,
): Promise<UploadResult> {
  const { cwd, notes, dryRun = false, allowOlderSdkVersion = false } = options;
  const invalid = invalidPack(pack.issues, file);
  if (invalid !== undefined) throw invalid;
  assertSupported(pack);
  const folder = dirname(resolve(cwd, file));
  assertAccepted(pack, folder, cwd, onIssues);
  const { registry } = client;
  const packId = requirePackId(folder, registry);
  const path = { packId: String(packId) };

  const content = readUploadContent(pack);
  const { metadata, bundle, sourceMap } = content;
  const { version: own, ...unversioned } = metadata;
  const contentHash = hashContent(content);
  const versions = await listVersions(client, packId);
  const find = (version: string) => versions.find(({ packVersion }) => packVersion === version);
  const effect = dryRun ? await compareWithReleased(pack, packId, client) : {};
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
  const present = typeof own === "string" ? find(own) : versions[0];
  if (present !== undefined && contentHashOf(present.buildNotes) === contentHash)
    return describe(present.packVersion, { state: "known" });

  const next =
    typeof own === "string"
      ? { nextVersion: own, findings: [] }
      : await client.call("getNextPackVersion", {
          path,
          body: { proposedMetadata: JSON.stringify(unversioned), sdkVersion: SDK_VERSION },
        });
  const version = next.nextVersion;
  if (find(version) !== undefined) throw versionExists(version);
  const newest = findHighest(versions);
  if (newest !== undefined && compareVersions(version, newest) < 0)
    throw versionOlder(version, newest);
  const payload = Buffer.from(
    JSON.stringify({
      metadata: { ...metadata, version },
      sdkVersion: SDK_VERSION,
      bundle,
      sourceMap,
    }),
  );
  const bytes = payload.byteLength;
  if (bytes > MAX_VERSION_BYTES) throw tooLarge(bytes, sourceMap);
  const facts = { findings: next.findings, bytes };
  if (dryRun) return describe(version, { ...facts, state: "dry-run" });

  const versionPath = { ...path, packVersion: version };
  const body = {
    notes: withContentHash(notes, contentHash),
    source: "cli",
    allowOlderSdkVersion,
  } as const;
  const send = async () => {
    const target = await client.call("registerPackVersion", {
      path: versionPath,
      body: { bundleHash: sha256(payload, "hex") },
    });
    options.signal?.throwIfAborted();
    await client.put(target, payload, (sentBytes, attempt) =>
      options.onProgress?.({ file, sentBytes, totalBytes: bytes, attempt }),
    );
    options.signal?.throwIfAborted();
    return await client.call("completePackVersion", { path: versionPath, body });
  };
  const completed = await send().catch(async (error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    if (!allowOlderSdkVersion && isOlderSdk(error)) throw olderSdk(error);
    const problems = problemsOf(error);
    if (problems.length > 0) {
      onIssues(refusedIssues(problems, pack, { ...metadata, version }, folder, cwd));
      throw uploadRefused(version, problems);
    }
    // The answer may be lost after the version was kept, or someone else was faster.
    const kept = (await listVersions(client, packId).catch(() => [])).find(
      ({ packVersion }) => packVersion === version,
    );
    if (kept === undefined) throw error;
    if (contentHashOf(kept.buildNotes) !== contentHash) throw versionExists(version);
    return { deprecationWarnings: [] };
  });
  return describe(version, { ...facts, warnings: completed.deprecationWarnings ?? [] });
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

function problemsOf(error: unknown): FindingAt[] {
  const body = isPackError(error, "REGISTRY_FAILED")
    ? (error.cause as { body?: unknown } | undefined)?.body
    : undefined;
  return readProblems(body);
}

/** The registry names paths of the metadata; the author wrote other names, in files. */
function refusedIssues(
  problems: readonly FindingAt[],
  pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">,
  metadata: object,
  folder: string,
  cwd: string,
): Issue[] {
  const locator = createLocator(pack.definition, pack.bundle.sources);
  const issues = problems.map(
    ({ path, message }): Issue => ({
      code: "UPLOAD_REFUSED",
      severity: "error",
      message,
      path,
      hint: "Change it, and upload again: the version is still free.",
      ...locator.position(authorPath(metadata, path)),
    }),
  );
  return placeIssues(issues, folder, cwd);
}

function uploadRefused(
  version: string,
  problems: readonly FindingAt[],
): PackError<"UPLOAD_REFUSED"> {
  const [first] = problems;
  const message =
    problems.length === 1
      ? `The registry refuses version ${version}: ${first?.message}`
      : `The registry found ${problems.length} problems in version ${version}. The first: ${first?.message}`;
  const details = { problems: problems.map((problem) => `${problem.path}: ${problem.message}`) };
  return new PackError("UPLOAD_REFUSED", message, {
    details,
    hint: "Fix them and upload again: the version is still free.",
  });
}

function findHighest(versions: readonly PackVersionSummary[]): string | undefined {
  const names = versions.map(({ packVersion }) => packVersion);
  return names.sort((one, other) => compareVersions(other, one))[0];
}

/** A registry says in its own words that a version was built with an older SDK. */
function isOlderSdk(error: unknown): error is PackError<"REGISTRY_FAILED"> {
  return (
    isPackError(error, "REGISTRY_FAILED") &&
    error.details.operation === "completePackVersion" &&
    error.details.status < 500 &&
    /\bsdk\b/i.test(error.message)
  );
}

function olderSdk(cause: PackError<"REGISTRY_FAILED">): PackError<"REGISTRY_FAILED"> {
  return new PackError("REGISTRY_FAILED", cause.message, {
    details: cause.details,
    hint: "Update packsmith. If the Pack does not use new features of the SDK, pass --allow-older-sdk-version.",
    cause,
  });
}

function versionExists(version: string): PackError<"VERSION_EXISTS"> {
  return new PackError(
    "VERSION_EXISTS",
    `The Pack has a version ${version} already, with other content.`,
    {
      details: { version },
      hint: "Raise the version in the source, or remove it: then the registry chooses the next one.",
    },
  );
}

function versionOlder(version: string, newest: string): PackError<"VERSION_OLDER"> {
  return new PackError(
    "VERSION_OLDER",
    `Version ${version} is older than ${newest}, the newest version of the Pack.`,
    {
      details: { version, newest },
      hint: `Raise the version in the source above ${newest}. To release an older version again, run packsmith rollback.`,
    },
  );
}

function tooLarge(bytes: number, sourceMap: string): PackError<"UPLOAD_TOO_LARGE"> {
  const map = sizeText(Buffer.byteLength(sourceMap));
  return new PackError(
    "UPLOAD_TOO_LARGE",
    `The upload has ${sizeText(bytes)}, ${map} of it the source map: ${(bytes - MAX_VERSION_BYTES).toLocaleString("en")} bytes above the limit of ${sizeText(MAX_VERSION_BYTES)}.`,
    {
      details: { bytes, limitBytes: MAX_VERSION_BYTES },
      hint: "Run packsmith build to see which packages are large, and import less of them.",
    },
  );
}
