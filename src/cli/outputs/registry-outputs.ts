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
  source: text.describe("Where packsmith found the token."),
});
export const logoutOutput = z.strictObject({ ok: fine, registry, removed: z.boolean() });

/** What a command that takes several Packs prints. */
function createManySchema<Result extends z.ZodType>(result: Result, more: z.ZodRawShape = {}) {
  return z.strictObject({
    ok: z.boolean().describe("False if the command failed for a Pack."),
    results: z.array(result),
    failures: z.array(z.strictObject({ file: text, error: reportedError })),
    ...more,
  });
}
const file = text.describe("Path of the Pack, as you passed it or as the pattern matched it.");

const link = { packId, name: text, file: absolutePath };
export const createOutput = createManySchema(
  z.strictObject({
    registry,
    ...link,
    isFound: z.boolean().describe("True if the Pack already existed."),
  }),
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

export const uploadOutput = createManySchema(uploadResult, { issues });
export const versionsOutput = createManySchema(
  z.strictObject({ file, packId, versions: z.array(packVersion) }),
);
export const releasesOutput = createManySchema(
  z.strictObject({ file, packId, releases: z.array(packRelease) }),
);
export const rollbackOutput = createManySchema(
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
export const configPlanOutput = createManySchema(z.strictObject({ file, changes })).describe(
  "ok is also false if config apply would change something.",
);
export const configApplyOutput = createManySchema(z.strictObject({ file, changes }));
export const configPullOutput = createManySchema(z.strictObject({ file, files: z.array(text) }));

export const configSubmitOutput = createManySchema(
  z.strictObject({
    file,
    packId,
    reviewId: text,
    version: text,
    isPending: z.boolean().describe("True if the version was already waiting for a review."),
  }),
);
export const configWithdrawOutput = createManySchema(
  z.strictObject({
    file,
    packId,
    reviewId: optionalText.describe("The withdrawn review. Missing if no review was pending."),
    version: optionalText,
  }),
);
export const configInviteOutput = createManySchema(
  z.strictObject({
    file,
    packId,
    invitationId: text,
    outcome: z.enum(["invited", "changed", "unchanged"]),
  }),
);
export const configUninviteOutput = createManySchema(
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

export const statusOutput = createManySchema(packStatus).describe(
  "With --fail-on-errors, ok is also false if a formula fails more often than before.",
);

export const logsOutput = z
  .union([
    z.looseObject({ ok: fine, file, type: text, relatedLogs: z.array(log) }),
    z.looseObject({ ok: fine, file, type: text, context: z.looseObject({}) }),
    createManySchema(z.strictObject({ file, hasOlder: z.boolean(), isIncomplete: z.boolean() })),
  ])
  .describe(
    "The command prints one line for each call. With --type or --request, it prints one line for each log entry instead. The last line contains the result for each Pack.",
  );

export const releaseOutput = createManySchema(
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
