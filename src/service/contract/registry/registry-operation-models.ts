import * as z from "zod";
import { named } from "../models/model.ts";
import type { OperationModel } from "../operation-models.ts";
import * as model from "./registry-models.ts";

const done = named("RegistryDone", z.object({}));
const errors = [403, 404] as const;
const page = model.registryPageQuery;

const read = <Response extends z.ZodType>(summary: string, response: Response) => ({
  summary,
  errors,
  response,
});
const list = <Response extends z.ZodType>(summary: string, response: Response) => ({
  summary,
  errors,
  query: page,
  response,
});
const write = <Body extends z.ZodType, Response extends z.ZodType>(
  summary: string,
  body: Body,
  response: Response,
) => ({
  summary,
  errors,
  body,
  bodyRequired: true,
  response,
});
const act = (summary: string) => ({ summary, errors, response: done });

/**
 * What each operation of the registry takes and returns, as `OPERATION_MODELS` does for documents.
 */
export const REGISTRY_MODELS = {
  listPacks: {
    summary: "List the Packs that the user can access",
    errors: [],
    query: model.listPacksQuery,
    response: model.packList,
  },
  createPack: write(
    "Create a Pack, or copy an existing Pack",
    model.createPackBody,
    model.packCreated,
  ),
  listOwnPackInvitations: {
    summary: "List the Packs that the user is invited to",
    errors: [],
    query: page,
    response: model.ownInvitationList,
  },
  replyToPackInvitation: write(
    "Accept or decline an invitation",
    model.invitationReply,
    model.invitationReplied,
  ),
  getPack: read("Read the listing of a Pack", model.pack),
  updatePack: write("Change the listing of a Pack", model.updatePackBody, model.pack),
  deletePack: act("Delete a Pack"),

  listPackVersions: list("List the versions of a Pack, the newest first", model.packVersionList),
  getNextPackVersion: write(
    "Get the version that a change requires",
    model.nextVersionBody,
    model.nextVersion,
  ),
  getPackVersionDiff: read("Compare two versions of a Pack", model.versionDiff),
  registerPackVersion: write(
    "Announce a version, and get the upload URL",
    model.registerVersionBody,
    model.uploadTarget,
  ),
  completePackVersion: write(
    "Validate and store an uploaded version",
    model.versionCompleteBody,
    model.versionCompleted,
  ),

  createPackRelease: write("Release a version to users", model.releaseBody, model.release),
  listPackReleases: list("List the releases of a Pack, the newest first", model.releaseList),
  updatePackRelease: write("Change the notes of a release", model.releaseNotesBody, model.release),

  getPackOAuthConfig: read("Read the masked OAuth client of a Pack", model.oauthConfig),
  setPackOAuthConfig: write(
    "Set the OAuth client of a Pack",
    model.oauthConfigBody,
    model.oauthConfig,
  ),
  getPackSystemConnection: read(
    "Read the Pack's own connection, with masked secrets",
    model.systemConnection,
  ),
  setPackSystemConnection: write(
    "Set the Pack's own connection",
    model.systemConnectionBody,
    model.systemConnection,
  ),
  patchPackSystemConnection: write(
    "Change settings of the Pack's own connection",
    model.systemConnectionPatch,
    model.systemConnection,
  ),

  listPackPermissions: read("List the permissions of a Pack", model.permissionList),
  addPackPermission: write("Share a Pack", model.permissionBody, model.permissionAdded),
  deletePackPermission: act("Remove a permission"),
  leavePack: act("Remove your own access to a Pack"),
  listPackInvitations: list("List the invitations to a Pack", model.invitationList),
  createPackInvitation: write(
    "Invite someone to a Pack",
    model.invitationBody,
    model.invitationCreated,
  ),
  updatePackInvitation: write(
    "Change the access of an invitation",
    model.invitationAccessBody,
    done,
  ),
  deletePackInvitation: act("Withdraw an invitation"),
  listPackMakers: read("List the makers of a Pack", model.makerList),
  addPackMaker: write("Add a maker", model.makerBody, done),
  deletePackMaker: act("Remove a maker"),
  listPackCategories: read("List the categories of a Pack", model.packCategories),
  addPackCategory: write("Add a category", model.categoryBody, done),
  deletePackCategory: act("Remove a category"),

  uploadPackAsset: write(
    "Announce an image, and get the upload URL",
    model.assetBody,
    model.assetTarget,
  ),
  completePackAsset: { summary: "Store an uploaded image", errors, response: model.assetCompleted },
  uploadPackSourceCode: write(
    "Announce a source file, and get the upload URL",
    model.sourceBody,
    model.sourceTarget,
  ),
  completePackSourceCode: write(
    "Store an uploaded source file",
    model.sourceCompleteBody,
    model.sourceCompleted,
  ),
  getPackSourceCode: read("List the source files of a version", model.sourceCode),

  getPackFeaturedDocs: read("List the documents in a Pack's listing", model.featuredDocList),
  setPackFeaturedDocs: write(
    "Replace the documents that a listing shows",
    model.featuredDocsBody,
    done,
  ),
  getPackListingDraft: read("Read the draft of a listing", model.listingDraft),
  setPackListingDraft: write(
    "Save the draft of a listing",
    model.listingDraftBody,
    model.listingDraftSaved,
  ),
  deletePackListingDraft: act("Delete the draft of a listing"),
  listPackReviews: {
    summary: "List the reviews of a Pack",
    errors,
    query: model.reviewsQuery,
    response: model.reviewList,
  },
  createPackReview: write("Request a review", model.reviewBody, model.reviewCreated),
  cancelPackReview: act("Withdraw the pending review"),

  listPackLogs: {
    summary: "List the log of a Pack in a document",
    errors,
    query: model.logsQuery,
    response: model.packLogList,
  },
  listGroupedPackLogs: {
    summary: "List the log of a Pack in a document, one entry per call",
    errors,
    query: model.groupedLogsQuery,
    response: model.groupedLogList,
  },
  getPackConfigurationSchema: read(
    "Read the schema of a Pack's configurations",
    model.configurationSchema,
  ),
} satisfies Record<string, OperationModel>;
