import { dirname, resolve } from "node:path";
import { isPackError, type PackError } from "../../errors.ts";
import { placeIssues } from "../../execute/pack-issues.ts";
import type {
  FindingAt,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import { sha256 } from "../../shared/crypto.ts";
import { isRecord } from "../../shared/values.ts";
import type { Issue } from "../../validate/issue.ts";
import { createLocator } from "../../validate/positions.ts";
import { findContentHash, withContentHash } from "./build-notes.ts";
import { readProblems } from "./error-detail.ts";
import { listVersions } from "./registry-versions.ts";
import {
  describeExistingVersion,
  describeOlderSdk,
  describeRefusedUpload,
} from "./upload-failures.ts";
import type { Upload } from "./upload-options.ts";

/** @returns the warnings of the registry */
export async function sendVersion(
  { file, client, packId, options }: Upload,
  packVersion: string,
  payload: Buffer,
  contentHash: string,
): Promise<FindingAt[]> {
  const { signal, onProgress, notes, allowOlderSdkVersion = false } = options;
  const path = { packId: String(packId), packVersion };
  const target = await client.call("registerPackVersion", {
    path,
    body: { bundleHash: sha256(payload, "hex") },
  });
  signal?.throwIfAborted();
  await client.put(target, payload, (sentBytes, attempt) =>
    onProgress?.({ file, sentBytes, totalBytes: payload.byteLength, attempt }),
  );
  signal?.throwIfAborted();
  const { deprecationWarnings = [] } = await client.call("completePackVersion", {
    path,
    body: { notes: withContentHash(notes, contentHash), source: "cli", allowOlderSdkVersion },
  });
  return deprecationWarnings;
}

/**
 * The answer may be lost after the version was kept, or someone else was faster.
 * @returns no warnings
 * @throws {PackError} why the version is not there
 */
export async function resolveFailure(
  error: unknown,
  upload: Upload,
  metadata: { version: string },
  contentHash: string,
): Promise<FindingAt[]> {
  const { client, packId, options, onIssues } = upload;
  const { version } = metadata;
  if (options.signal?.aborted === true) throw error;
  if (options.allowOlderSdkVersion !== true && isOlderSdk(error)) throw describeOlderSdk(error);
  const problems = listRegistryProblems(error);
  if (problems.length > 0) {
    onIssues(refusedIssues(problems, upload, metadata));
    throw describeRefusedUpload(version, problems);
  }
  const kept = findVersion(await listVersions(client, packId).catch(() => []), version);
  if (kept === undefined) throw error;
  if (findContentHash(kept.buildNotes) !== contentHash) throw describeExistingVersion(version);
  return [];
}

export function findVersion(
  versions: readonly PackVersionSummary[],
  version: string,
): PackVersionSummary | undefined {
  return versions.find(({ packVersion }) => packVersion === version);
}

function listRegistryProblems(error: unknown): FindingAt[] {
  const body = isPackError(error, "REGISTRY_FAILED")
    ? (error.cause as { body?: unknown } | undefined)?.body
    : undefined;
  return readProblems(body);
}

/** The registry names paths of the metadata; the author wrote other names, in files. */
function refusedIssues(
  problems: readonly FindingAt[],
  { pack, file, options: { cwd } }: Upload,
  metadata: object,
): Issue[] {
  const locator = createLocator(pack.definition, pack.bundle.sources);
  const issues = problems.map(
    ({ path, message }): Issue => ({
      code: "UPLOAD_REFUSED",
      severity: "error",
      message,
      path,
      hint: "Correct the value, and upload the Pack again. You can use the same version number.",
      ...locator.position(authorPath(metadata, path)),
    }),
  );
  return placeIssues(issues, dirname(resolve(cwd, file)), cwd);
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

/**
 * Turns a path of an upload's metadata, such as `formulas[0].schema.properties.DueDate`, into the
 * path of the author's definition:
 * properties have the names there that the author wrote.
 */
function authorPath(metadata: unknown, path: string): (string | number)[] {
  const parts = [...path.matchAll(/[^.[\]]+/g)].map(([text]) =>
    /^\d+$/.test(text) ? Number(text) : text,
  );
  const result: (string | number)[] = [];
  let value: unknown = metadata;
  for (const [at, part] of parts.entries()) {
    const next: unknown =
      isRecord(value) || Array.isArray(value)
        ? (value as Record<string | number, unknown>)[part]
        : undefined;
    const isProperty =
      parts[at - 1] === "properties" && isRecord(next) && typeof next["originalKey"] === "string";
    result.push(isProperty ? String((next as Record<string, unknown>)["originalKey"]) : part);
    value = next;
  }
  return result;
}
