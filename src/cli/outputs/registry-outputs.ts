import * as z from "zod";
import { change, changeClass } from "../../compare/change-schema.ts";
import type { UploadResult } from "../../publish/registry/upload-pack.ts";
import type { ReleaseResult } from "../../publish/release-pack.ts";
import { reportedError, sourcePlace } from "../../shared/reported-error.ts";
import {
  absolutePath,
  count,
  fine,
  issues,
  optionalText,
  packId,
  type ShapeOf,
  text,
} from "./parts.ts";

/** What the registry answers may have more members than this version knows. */
const packRelease = z.looseObject({
  releaseId: count,
  packVersion: text,
  createdAt: text,
  releaseNotes: text,
});
const packVersion = z.looseObject({
  packVersion: text,
  buildNotes: text,
  createdAt: text,
  creationUserLoginId: text,
  releaseId: count.optional(),
});
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

const uploaded = z.strictObject({
  file: text,
  packId,
  version: text,
  isChosen: z.boolean().describe("The registry chose the version."),
  findings: z.array(text),
  bytes: count,
  state: z.enum(["uploaded", "known", "dry-run"]),
  warnings: z.array(z.looseObject({ path: text, message: text })),
} satisfies ShapeOf<UploadResult>);

export const uploadOutput = z.strictObject({
  ok: z.boolean(),
  results: z.array(uploaded),
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
});

const listingChange = z.strictObject({ member: text, from: text, to: text });
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

const made = {
  name: text,
  version: text,
  previous: optionalText,
  class: changeClass.optional(),
  changes: z.array(change),
  edited: sourcePlace.optional(),
  changelog: absolutePath.optional(),
  commit: optionalText,
} satisfies ShapeOf<ReleaseResult>;

export const releaseOutput = z.union([
  z.strictObject({ ok: fine, dryRun: z.boolean(), ...made }),
  z
    .strictObject({
      ok: fine,
      packId,
      release: packRelease,
      isCurrent: z.boolean(),
      made: z.strictObject(made).optional(),
      tag: z.strictObject({ name: text, isNew: z.boolean() }).optional(),
    })
    .describe("With --publish."),
]);
