import * as z from "zod";
import { change } from "../../compare/change-schema.ts";
import { listingChange } from "../../publish/listing/listing-change.ts";
import { packStatus } from "../../publish/pack-status.ts";
import { ownInvitation } from "../../publish/registry/own-invitation.ts";
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

/** What a command that takes several Packs prints. */
function manyOf<Result extends z.ZodType>(result: Result, more: z.ZodRawShape = {}) {
  return z.strictObject({
    ok: z.boolean().describe("False when a Pack failed."),
    results: z.array(result),
    failures: z.array(z.strictObject({ file: text, error: reportedError })),
    ...more,
  });
}
const file = text.describe("The Pack, as it was named or found.");

const link = { packId, name: text, file: absolutePath };
export const createOutput = manyOf(
  z.strictObject({ registry, ...link, isFound: z.boolean().describe("It was there before.") }),
);
export const linkOutput = z.strictObject({ ok: fine, registry, ...link });
export const cloneOutput = z.strictObject({
  ok: fine,
  packId,
  name: text,
  version: text,
  files: z.array(text),
});
export const setOptionOutput = z.strictObject({ ok: fine, file: absolutePath });

export const uploadOutput = manyOf(uploadResult, { issues });
export const versionsOutput = manyOf(
  z.strictObject({ file, packId, versions: z.array(packVersion) }),
);
export const releasesOutput = manyOf(
  z.strictObject({ file, packId, releases: z.array(packRelease) }),
);
export const rollbackOutput = manyOf(
  z.strictObject({
    file,
    packId,
    release: packRelease,
    isCurrent: z.boolean(),
    previous: text,
    changes: z.array(change).optional(),
  }),
);

const changes = z.array(listingChange);
export const configPlanOutput = manyOf(z.strictObject({ file, changes })).describe(
  "ok is false as well when something would change.",
);
export const configApplyOutput = manyOf(z.strictObject({ file, changes }));
export const configPullOutput = manyOf(z.strictObject({ file, files: z.array(text) }));

export const configSubmitOutput = manyOf(
  z.strictObject({
    file,
    packId,
    reviewId: text,
    version: text,
    isPending: z.boolean().describe("The version was waiting for its review already."),
  }),
);
export const configWithdrawOutput = manyOf(
  z.strictObject({
    file,
    packId,
    reviewId: optionalText.describe("The review that was withdrawn; missing when none waited."),
    version: optionalText,
  }),
);
export const configInviteOutput = manyOf(
  z.strictObject({
    file,
    packId,
    invitationId: text,
    outcome: z.enum(["invited", "changed", "unchanged"]),
  }),
);
export const configUninviteOutput = manyOf(
  z.strictObject({ file, packId, isWithdrawn: z.boolean() }),
);
export const configInvitationsOutput = z.strictObject({
  ok: fine,
  invitations: z.array(ownInvitation),
});
export const configReplyOutput = z.strictObject({
  ok: fine,
  accepted: z.boolean(),
  ...ownInvitation.shape,
});

export const configLeaveOutput = z.strictObject({ ok: fine, packId, isLeft: z.boolean() });

export const oauthConfigOutput = z.looseObject({
  ok: fine,
  packId,
  maskedClientId: text,
  maskedClientSecret: text,
  redirectUri: text,
});

export const statusOutput = manyOf(packStatus).describe(
  "ok is false as well with --fail-on-errors, when a formula fails more than before.",
);

export const logsOutput = z
  .union([
    z.looseObject({ ok: fine, file, type: text, relatedLogs: z.array(log) }),
    z.looseObject({ ok: fine, file, type: text, context: z.looseObject({}) }),
    manyOf(z.strictObject({ file, hasOlder: z.boolean(), isIncomplete: z.boolean() })),
  ])
  .describe(
    "One line for each call, or for each entry with --type or --request; the last line is about the Packs.",
  );

export const releaseOutput = manyOf(
  z.union([
    z.strictObject({ file, dryRun: z.boolean(), ...releaseResult.shape }),
    z
      .strictObject({ file, dryRun: z.boolean(), version: text, isUnchanged: fine })
      .describe("With --continue."),
    z
      .strictObject({
        file,
        packId,
        release: packRelease,
        isCurrent: z.boolean(),
        made: releaseResult.optional(),
        tag: z.strictObject({ name: text, isNew: z.boolean() }).optional(),
      })
      .describe("With --publish."),
  ]),
);
