import { dirname } from "node:path";
import * as z from "zod";
import { PackError } from "../../errors.ts";
import type { LiveDifference } from "../../publish/difference.ts";
import { compareWithLive } from "../../publish/registry/live-difference.ts";
import { requirePackId } from "../../publish/registry/pack-id-file.ts";
import { publishRelease } from "../../publish/registry/publish-release.ts";
import { findCurrentRelease } from "../../publish/registry/registry-versions.ts";
import { rollBack } from "../../publish/registry/roll-back.ts";
import { type UploadReport, uploadPacks } from "../../publish/registry/upload-pack.ts";
import { compareVersions } from "../../publish/version-order.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { ReleaseChangesView } from "../wire/publish.ts";
import { describeRegistry, openDevRegistry } from "./dev-registry.ts";
import { createPublishJobs, type JobReport } from "./publish-job.ts";

const notes = z
  .string()
  .max(10_000)
  .transform((text) => text || undefined)
  .optional();
const uploadRequest = z.object({ notes });
const releaseRequest = z.object({
  version: z.string(),
  /** The version that users had when the page asked. */
  released: z.string().optional(),
  notes,
});

/** The routes of the view Publish. They call the functions of the commands. */
export function addPublishRoutes(router: DevRouter, session: DevSession): AsyncDisposable {
  const { entry, options } = session;
  const { file, cwd } = options;
  const jobs = createPublishJobs(session.events);
  const open = async (signal: AbortSignal) => {
    const client = await openDevRegistry(session, signal);
    return { client, packId: requirePackId(dirname(entry), client.registry) };
  };

  router.get("/api/publish", ({ signal }) => describeRegistry(session, signal));
  router.get("/api/publish/job", () => jobs.current());
  router.get("/api/publish/difference", async ({ signal }): Promise<LiveDifference> => {
    const { client } = await open(signal);
    return await compareWithLive(file, { cwd, client });
  });
  router.get("/api/publish/changes", async ({ query, signal }): Promise<ReleaseChangesView> => {
    const [base, target] = [query.get("from"), query.get("to")];
    if (base === null || target === null) throw badRequest("The request needs two versions.");
    const { client, packId } = await open(signal);
    const path = { packId: String(packId), basePackVersion: base, targetPackVersion: target };
    return { findings: (await client.call("getPackVersionDiff", { path })).findings };
  });

  router.post("/api/publish/upload", ({ body }) => {
    const { notes } = parseBody(uploadRequest, body);
    return jobs.start("upload", async (report, signal) => {
      const { client } = await open(signal);
      return formatResult(
        await uploadPacks([file], {
          cwd,
          notes,
          signal,
          getClient: async () => client,
          onProgress: ({ sentBytes, totalBytes, attempt }) =>
            report.sent(sentBytes, totalBytes, attempt),
        }),
        report,
      );
    });
  });
  router.post("/api/publish/release", ({ body }) => {
    const { version, released: seen, notes } = parseBody(releaseRequest, body);
    return jobs.start("release", async (_report, signal) => {
      const { client, packId } = await open(signal);
      const current = await findCurrentRelease(client, packId);
      if (current !== undefined && current.packVersion !== seen)
        throw changedMeanwhile(current.packVersion);
      const options = { cwd, client, version, notes, signal };
      const isOlder = current !== undefined && compareVersions(version, current.packVersion) < 0;
      const { release, isCurrent } = isOlder
        ? await rollBack(file, options)
        : await publishRelease(file, options);
      const source = isOlder ? `the source of ${version} as ` : "";
      return isCurrent
        ? `Users already have ${version}.`
        : `Users have ${source}${release.packVersion} now. This is release ${release.releaseId}.`;
    });
  });
  router.post("/api/publish/stop", () => jobs.stop());
  return jobs;
}

/** @throws the failure of the Pack */
function formatResult({ results, failures, issues }: UploadReport, report: JobReport): string {
  const [failure] = failures;
  // A build that failed is both; the failure is shown anyway.
  const others = issues.filter(({ message }) => message !== failure?.failure.error.message);
  report.issues(others);
  if (failure !== undefined) throw failure.failure.cause;
  const [result] = results;
  if (result === undefined) throw new TypeError("An upload without a failure has a result.");
  const { version, state } = result;
  return state === "known"
    ? `The registry already has this source as version ${version}. Nothing was sent.`
    : `Version ${version} is uploaded.`;
}

/** What was confirmed on the page was a step from another version. */
function changedMeanwhile(version: string): PackError<"USAGE_INVALID"> {
  return new PackError(
    "USAGE_INVALID",
    `Someone released version ${version} after this page was loaded.`,
    {
      details: undefined,
      hint: "Check the versions again before you release.",
    },
  );
}
