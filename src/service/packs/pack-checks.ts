import { isPackError } from "../../errors.ts";
import { toMembers } from "../../shared/values.ts";
import type { FindingAt, FindingDetail, PackUpload } from "../contract/registry/registry-models.ts";
import type { Metadata, PackChecks } from "../local/registry/pack-checks.ts";

/**
 * The checks of a registry: the rules of `packsmith validate`, and the comparison of
 * `packsmith diff`. They are loaded when needed.
 */
export function createPackChecks(): PackChecks {
  return { validate: validateUpload, compare: compareMetadata, findApprovals };
}

/** Larger responses need an approval as well, but no version says that it wants them. */
async function findApprovals({
  networkDomains,
  defaultAuthentication,
  systemConnectionAuthentication,
}: Metadata): Promise<FindingAt[]> {
  const { readSite } = await import("../../validate/network-rules.ts");
  const found: FindingAt[] = [];
  if (Array.isArray(networkDomains) && networkDomains.length > 1)
    found.push({ path: "networkDomains", message: "Several network domains need an approval." });
  const connections = { defaultAuthentication, systemConnectionAuthentication };
  for (const [path, authentication] of Object.entries(connections)) {
    const { type, authorizationUrl, tokenUrl } = toMembers(authentication);
    if (type === "Custom")
      found.push({ path, message: "Custom authentication needs an approval." });
    const [one, other] = [authorizationUrl, tokenUrl].map((url) => readSite(String(url)));
    if (type === "OAuth2" && one !== undefined && other !== undefined && one !== other)
      found.push({
        path,
        message: `OAuth2 URLs on two domains (${one} and ${other}) need an approval.`,
      });
  }
  return found;
}

async function validateUpload({
  bundle,
  sourceMap,
}: PackUpload): Promise<{ errors: FindingAt[]; warnings: FindingAt[] }> {
  const { createIsolate } = await import("../../sandbox/host/isolate.ts");
  const { validateDefinition } = await import("../../validate/validate-definition.ts");
  const { findRefusedText } = await import("../../bundle/refused-text.ts");
  const [refused] = findRefusedText({ code: bundle, entry: "bundle.js", issues: [] });
  if (refused !== undefined) return createFailure(refused.message);
  try {
    await using isolate = await createIsolate({ code: bundle, sourceMap, fileName: "bundle.js" });
    const { loaded, lostParts } = isolate;
    // The older rules apply: a bundle does not show what it was written for.
    const issues = validateDefinition(loaded, { plain: true, lostParts, compatibility: true });
    const listFindings = (wanted: "error" | "warning") =>
      issues
        .filter(({ severity }) => severity === wanted)
        .map(({ path, message }) => ({ path, message }));
    return { errors: listFindings("error"), warnings: listFindings("warning") };
  } catch (error) {
    if (isPackError(error)) return createFailure(error.message);
    throw error;
  }
}

function createFailure(message: string): { errors: FindingAt[]; warnings: FindingAt[] } {
  return { errors: [{ path: "", message }], warnings: [] };
}

async function compareMetadata(
  before: Metadata,
  after: Metadata,
): Promise<{ changes: FindingDetail[]; nextVersion: string | undefined }> {
  const { comparePacks } = await import("../../compare/compare-packs.ts");
  const { adviseVersion } = await import("../../compare/change.ts");
  const withoutCode = (metadata: Metadata) => ({
    metadata: { ...metadata },
    bundle: { sha256: "" },
  });
  const changes = comparePacks(withoutCode(before), withoutCode(after));
  const version = String(before["version"] ?? "").replace(/-.*$/, "");
  return {
    changes: changes.map(({ subject, message }) => ({
      finding: `${subject}: ${message}`,
      path: findPath(subject, before, after),
    })),
    // Only the code changed: a patch.
    nextVersion: adviseVersion(version, changes) ?? adviseVersion(version, [CODE_CHANGED]),
  };
}

const CODE_CHANGED = {
  class: "safe",
  code: "CODE_CHANGED",
  subject: "code",
  message: "",
} as const;

const LISTS: Readonly<Record<string, string>> = {
  formula: "formulas",
  table: "syncTables",
  skill: "skills",
};

/** `formula Report: parameter "id"` is in `formulas[2]`. */
function findPath(subject: string, before: Metadata, after: Metadata): string {
  const [, kind = "", name = ""] = /^(\w+) ([^:]+)/.exec(subject) ?? [];
  const list = LISTS[kind];
  if (list === undefined) return "";
  for (const metadata of [after, before]) {
    const parts = metadata[list];
    const at = Array.isArray(parts) ? parts.findIndex((part) => part?.name === name) : -1;
    if (at >= 0) return `${list}[${at}]`;
  }
  return list;
}
