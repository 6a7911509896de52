import * as z from "zod";
import { change } from "../../compare/change-schema.ts";
import { listingChange } from "../../publish/listing/listing-change.ts";
import { uploadResult } from "../../publish/registry/upload-result.ts";
import { releaseResult } from "../../publish/release-result.ts";
import { releaseModel, versionModel } from "../../service/contract/registry/registry-models.ts";
import { reportedError } from "../../shared/reported-error.ts";
import { absolutePath, fine, issues, optionalText, packId, text } from "./parts.ts";

/** What the registry answers may have more members than this version knows. */
const packRelease = z.looseObject(releaseModel.shape);
const packVersion = z.looseObject(versionModel.shape);
const log = z.looseObject({ type: text });

const registry = text.describe("Origin of the registry.");

export const loginOutput = z.strictObject({ ok: fine, registry, name: text, loginId: text });
export const whoamiOutput = z.strictObject({
  ok: fine,
  registry,
  name: text,
  loginId: text,
  tokenName: text,
  scoped: z.boolean(),
  workspace: z.looseObject({ id: text, name: optionalText }),
  source: text.describe("Where the token was found."),
});
export const logoutOutput = z.strictObject({ ok: fine, registry, removed: z.boolean() });

const link = { ok: fine, registry, packId, name: text, file: absolutePath };
export const createOutput = z.strictObject({ ...link, isFound: z.boolean() });
export const linkOutput = z.strictObject(link);
export const cloneOutput = z.strictObject({
  ok: fine,
  packId,
  name: text,
  version: text,
  files: z.array(text),
});

export const uploadOutput = z.strictObject({
  ok: z.boolean(),
  results: z.array(uploadResult),
  failures: z.array(z.strictObject({ file: text, error: reportedError })),
  issues,
});

export const versionsOutput = z.strictObject({ ok: fine, packId, versions: z.array(packVersion) });
export const releasesOutput = z.strictObject({ ok: fine, packId, releases: z.array(packRelease) });
export const rollbackOutput = z.strictObject({
  ok: fine,
  packId,
  release: packRelease,
  isCurrent: z.boolean(),
  previous: text,
  changes: z.array(change).optional(),
});

const changes = z.array(listingChange);
export const configPlanOutput = z.strictObject({
  ok: z.boolean().describe("False when something would change."),
  changes,
});
export const configApplyOutput = z.strictObject({ ok: fine, changes });
export const configPullOutput = z.strictObject({ ok: fine, files: z.array(text) });

export const oauthConfigOutput = z.looseObject({
  ok: fine,
  packId,
  maskedClientId: text,
  maskedClientSecret: text,
  redirectUri: text,
});

export const logsOutput = z
  .looseObject({ ok: fine, type: z.enum(["invocation", "auth"]), relatedLogs: z.array(log) })
  .describe("One line for each call.");

export const releaseOutput = z.union([
  z.strictObject({ ok: fine, dryRun: z.boolean(), ...releaseResult.shape }),
  z
    .strictObject({
      ok: fine,
      packId,
      release: packRelease,
      isCurrent: z.boolean(),
      made: releaseResult.optional(),
      tag: z.strictObject({ name: text, isNew: z.boolean() }).optional(),
    })
    .describe("With --publish."),
]);
