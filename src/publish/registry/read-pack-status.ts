import { isPackError } from "../../errors.ts";
import type { PackFormulaAnalytics } from "../../service/contract/models/analytics.ts";
import type { PackRelease } from "../../service/contract/registry/registry-models.ts";
import type { FormulaHealth, PackStatus } from "../pack-status.ts";
import { compareWithLive } from "./live-difference.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listAll, listReleases } from "./registry-versions.ts";

const MAX_OPEN = 200;

/**
 * Where a Pack stands.
 * @throws {PackError} PACK_INVALID, PACK_ID_MISSING and those of building a Pack and of the client
 */
export async function readPackStatus(
  file: string,
  { cwd, client }: { cwd: string; client: RegistryClient },
): Promise<PackStatus> {
  const live = await compareWithLive(file, { cwd, client });
  const { packId, released, newest, source: findings, nextVersion, changes } = live;
  const path = { packId: String(packId) };
  const { name } = await client.call("getPack", { path });
  const releases = await listReleases(client, packId);
  const [release, before] = releases.sort((one, other) => other.releaseId - one.releaseId);
  const reviews = await listAll(MAX_OPEN, (query) =>
    client.call("listPackReviews", { path, query }),
  ).catch(passOverRefusal);
  // Who may only edit does not see whom the admins have invited.
  const invitations = await listAll(MAX_OPEN, (query) =>
    client.call("listPackInvitations", { path, query }),
  ).catch(passOverRefusal);
  const draft = await client.call("getPackListingDraft", { path }).catch(passOverRefusal);
  return {
    file,
    packId,
    name,
    released,
    releasedAt: release?.createdAt,
    newest,
    findings,
    nextVersion,
    changes,
    class: live.class,
    reviews: (reviews ?? [])
      .filter(({ packReviewStatus }) => packReviewStatus === "pending")
      .map(({ packReviewId, packVersion, submissionTimestamp }) => ({
        id: packReviewId,
        version: packVersion,
        submittedAt: submissionTimestamp,
      })),
    invitations: (invitations ?? []).map(({ inviteeEmail, access, expiresAt }) => ({
      email: inviteeEmail,
      access,
      expiresAt,
    })),
    hasListingDraft: draft?.packListingDraftId !== undefined,
    formulas: release === undefined ? [] : await readHealth(client, packId, release, before),
  };
}

/** @returns undefined when the registry does not show analytics of this Pack */
async function readHealth(
  client: RegistryClient,
  packId: number,
  release: PackRelease,
  before: PackRelease | undefined,
): Promise<FormulaHealth[] | undefined> {
  try {
    const sinceDate = formatDay(before ?? release);
    return judgeFormulas(
      await client.formulaAnalytics(packId, sinceDate),
      formatDay(release),
      before !== undefined,
    );
  } catch (error) {
    return passOverRefusal(error);
  }
}

/** What a registry does not show to this user is left out. @throws any other error */
function passOverRefusal(error: unknown): undefined {
  const isRefused =
    isPackError(error, "REGISTRY_FORBIDDEN") ||
    (isPackError(error, "REGISTRY_FAILED") && error.details.status < 500);
  if (!isRefused) throw error;
  return undefined;
}

function formatDay({ createdAt }: PackRelease): string {
  return createdAt.slice(0, 10);
}

/**
 * Compares the calls since a day with those before it, formula by formula.
 * @param releaseDay analytics count days, so all calls of that day belong to the release
 * @param hasBefore there was a release before, whose calls are among these
 * @returns the formulas that failed since that day, the worst first
 */
export function judgeFormulas(
  items: readonly PackFormulaAnalytics[],
  releaseDay: string,
  hasBefore: boolean,
): FormulaHealth[] {
  const formulas = items.map(({ formula: { name, type }, metrics }): FormulaHealth => {
    const countCalls = (isWanted: (date: string) => boolean) => {
      const days = metrics.filter(({ date }) => isWanted(date));
      const sum = (member: "formulaInvocations" | "errors") =>
        days.reduce((total, day) => total + Number(day[member] ?? 0), 0);
      return { calls: sum("formulaInvocations"), errors: sum("errors") };
    };
    const now = countCalls((date) => date >= releaseDay);
    const before = hasBefore ? countCalls((date) => date < releaseDay) : undefined;
    return { name, type, now, before, isWorse: computeShare(now) > computeShare(before) };
  });
  return formulas
    .filter(({ now }) => now.errors > 0)
    .sort((one, other) => computeShare(other.now) - computeShare(one.now));
}

function computeShare(counted: { calls: number; errors: number } | undefined): number {
  if (counted === undefined || counted.errors === 0) return 0;
  return counted.errors / Math.max(counted.calls, counted.errors);
}
