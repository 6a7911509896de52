import type * as z from "zod";
import type { Operation, OperationId, PathNames, ReplayClass } from "../operations.ts";
import type { REGISTRY_MODELS } from "./registry-operation-models.ts";

const PACK = "/packs/{packId}";
const VERSION = `${PACK}/versions/{packVersion}` as const;
const RELEASE = `${PACK}/releases` as const;
const CONNECTION = `${PACK}/systemConnection` as const;
const INVITATION = `${PACK}/invitations` as const;
const DRAFT = `${PACK}/listingDraft` as const;
const LOGS = `${PACK}/docs/{docId}` as const;

/** Every operation by which Packs are created, uploaded, released, configured and watched. */
export const REGISTRY_OPERATIONS = {
  listPacks: get("/packs"),
  createPack: change("POST", "/packs", "never"),
  listOwnPackInvitations: get("/packs/invitations"),
  replyToPackInvitation: change("POST", "/packs/invitations/{invitationId}/reply", "never"),
  getPack: get(PACK),
  updatePack: change("PATCH", PACK),
  deletePack: change("DELETE", PACK),

  listPackVersions: get(`${PACK}/versions`),
  getNextPackVersion: change("POST", `${PACK}/nextVersion`, "safe"),
  getPackVersionDiff: get(`${PACK}/versions/{basePackVersion}/diff/{targetPackVersion}`),
  registerPackVersion: change("POST", `${VERSION}/register`),
  completePackVersion: change("POST", `${VERSION}/uploadComplete`, "never"),

  createPackRelease: change("POST", RELEASE, "never"),
  listPackReleases: get(RELEASE),
  updatePackRelease: change("PUT", `${RELEASE}/{packReleaseId}`),

  getPackOAuthConfig: get(`${PACK}/oauthConfig`),
  setPackOAuthConfig: change("PUT", `${PACK}/oauthConfig`),
  getPackSystemConnection: get(CONNECTION),
  setPackSystemConnection: change("PUT", CONNECTION),
  patchPackSystemConnection: change("PATCH", CONNECTION),

  listPackPermissions: get(`${PACK}/permissions`),
  addPackPermission: change("POST", `${PACK}/permissions`),
  deletePackPermission: change("DELETE", `${PACK}/permissions/{permissionId}`),
  leavePack: change("DELETE", `${PACK}/permissions`),
  listPackInvitations: get(INVITATION),
  createPackInvitation: change("POST", INVITATION, "never"),
  updatePackInvitation: change("PUT", `${INVITATION}/{invitationId}`),
  deletePackInvitation: change("DELETE", `${INVITATION}/{invitationId}`),
  listPackMakers: get(`${PACK}/makers`),
  addPackMaker: change("POST", `${PACK}/maker`),
  deletePackMaker: change("DELETE", `${PACK}/maker/{loginId}`),
  listPackCategories: get(`${PACK}/categories`),
  addPackCategory: change("POST", `${PACK}/category`),
  deletePackCategory: change("DELETE", `${PACK}/category/{categoryName}`),

  uploadPackAsset: change("POST", `${PACK}/uploadAsset`),
  completePackAsset: change(
    "POST",
    `${PACK}/assets/{packAssetId}/assetType/{packAssetType}/uploadComplete`,
  ),
  uploadPackSourceCode: change("POST", `${PACK}/uploadSourceCode`),
  completePackSourceCode: change("POST", `${VERSION}/sourceCode/uploadComplete`),
  getPackSourceCode: get(`${VERSION}/sourceCode`),

  getPackFeaturedDocs: get(`${PACK}/featuredDocs`),
  setPackFeaturedDocs: change("PUT", `${PACK}/featuredDocs`),
  getPackListingDraft: get(DRAFT),
  setPackListingDraft: change("PUT", DRAFT),
  deletePackListingDraft: change("DELETE", DRAFT),
  listPackReviews: get(`${PACK}/reviews`),
  createPackReview: change("POST", `${PACK}/reviews`, "never"),
  cancelPackReview: change("POST", `${PACK}/reviews/pending/cancel`),

  listPackLogs: get(`${LOGS}/logs`),
  listGroupedPackLogs: get(`${LOGS}/groupedLogs`),
  getPackConfigurationSchema: get(`${PACK}/configurations/schema`),
} as const satisfies { [Id in keyof typeof REGISTRY_MODELS]: Operation };

export type RegistryOperationId = keyof typeof REGISTRY_OPERATIONS;

/** An operation of either group. */
export type AnyOperationId = OperationId | RegistryOperationId;

/** The path parameters of an operation. */
export type RegistryPath<Id extends RegistryOperationId> = Readonly<
  Record<PathNames<(typeof REGISTRY_OPERATIONS)[Id]["path"]>, string>
>;

type Model<Id extends RegistryOperationId> = (typeof REGISTRY_MODELS)[Id];
export type RegistryQuery<Id extends RegistryOperationId> =
  Model<Id> extends { query: infer Query extends z.ZodType } ? z.input<Query> : undefined;
export type RegistryBody<Id extends RegistryOperationId> =
  Model<Id> extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined;
export type RegistryResponse<Id extends RegistryOperationId> = z.output<Model<Id>["response"]>;

function get<const Path extends string>(path: Path) {
  return {
    method: "GET",
    path,
    group: "read",
    replay: "safe",
    status: 200,
    async: "none",
  } as const;
}

function change<const Method extends Operation["method"], const Path extends string>(
  method: Method,
  path: Path,
  replay: ReplayClass = "idempotent",
) {
  return { method, path, group: "write", replay, status: 200, async: "none" } as const;
}
