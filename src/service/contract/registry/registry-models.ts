import * as z from "zod";
import { count, envelope, flag, many, named, text, time, url } from "../models/model.ts";
import { LOG_TYPES } from "./log-types.ts";

/** A text of a request that is kept and shown again. */
const shortText = z.string().max(10_000);
const packId = z.int().min(1);
const hash = z.string().regex(/^[0-9a-f]{64}$/i, "must be a SHA-256 digest in hexadecimal digits");
const page = { limit: z.int().min(1).optional(), pageToken: text.optional() };

/** A page of a list. */
export const registryPageQuery = z.object(page);

/** What someone may do with a Pack, the least first. */
export const PACK_ACCESS = ["none", "view", "test", "edit", "admin"] as const;
const access = z.enum(PACK_ACCESS);
export type PackAccess = z.output<typeof access>;

/** An image that was uploaded, as a change of the listing names it. */
const newImage = z.strictObject({
  assetId: shortText,
  filename: shortText,
  mimeType: shortText.optional(),
});
const imageShape = {
  filename: shortText,
  imageUrl: shortText,
  assetId: shortText,
  altText: shortText.optional(),
  mimeType: shortText.optional(),
};
const imageFile = z.object(imageShape);
export type PackImage = z.output<typeof imageFile>;
const rateLimit = z.strictObject({
  intervalSeconds: z.int().min(1).max(86_400),
  operationsPerInterval: count,
});
const category = z.object({ categoryId: text, categoryName: text, categorySlug: text.optional() });
const visibility = z.enum(["private", "shared"]);
const entrypoints = many(z.enum(["docs", "go"]));
const address = z.union([z.url({ protocol: /^https?$/ }).max(512), z.literal("")]);

export const listPacksQuery = z.object({
  accessTypes: many(access).optional(),
  accessType: access.optional().meta({ deprecated: true }),
  sortBy: z.enum(["title", "createdAt", "updatedAt"]).optional(),
  direction: z.enum(["ascending", "descending"]).optional(),
  onlyWorkspaceId: text.optional(),
  parentWorkspaceIds: many(text).optional(),
  excludePublicPacks: z.boolean().optional(),
  packEntrypoint: z.enum(["docs", "go"]).optional(),
  ...page,
});

const packModel = z.object({
  id: packId,
  name: text,
  description: text,
  shortDescription: text,
  workspaceId: text,
  categories: z.array(category),
  logoUrl: text.optional(),
  coverUrl: text.optional(),
  exampleImages: z.array(imageFile).optional(),
  agentImages: z.array(imageFile).optional(),
  agentShortDescription: text.optional(),
  agentDescription: text.optional(),
  sourceCodeVisibility: visibility.optional(),
  packEntrypoints: z.array(z.enum(["docs", "go"])).optional(),
  verifiedVersion: text.optional(),
  supportEmail: text.optional(),
  termsOfServiceUrl: text.optional(),
  privacyPolicyUrl: text.optional(),
  overallRateLimit: rateLimit.optional(),
  perConnectionRateLimit: rateLimit.optional(),
});
export interface PackSummary extends z.output<typeof packModel> {}
export const pack: z.ZodType<PackSummary> = named("Pack", packModel);
export const packList = envelope("PackList", pack);

export const createPackBody = named(
  "CreatePack",
  z.strictObject({
    workspaceId: shortText.optional(),
    name: z.string().max(128).optional(),
    description: z.string().max(8_192).optional(),
    sourcePackId: packId.nullish(),
  }),
);
export const packCreated = named("PackCreated", z.object({ packId }));

const visibleTexts = {
  name: z.string().trim().min(1).max(128).optional(),
  description: z.string().max(8_192).optional(),
  shortDescription: z.string().max(256).optional(),
  sourceCodeVisibility: visibility.optional(),
};
const agentShortDescription = z.string().max(256);
const agentDescription = z.string().max(8_192);
const supportEmail = z.union([z.email().max(512), z.literal("")]);

export const updatePackBody = named(
  "UpdatePack",
  z.strictObject({
    ...visibleTexts,
    agentShortDescription: agentShortDescription.optional(),
    agentDescription: agentDescription.optional(),
    supportEmail: supportEmail.optional(),
    termsOfServiceUrl: address.optional(),
    privacyPolicyUrl: address.optional(),
    logo: newImage.nullish(),
    cover: newImage.nullish(),
    exampleImages: z.array(newImage).nullish(),
    agentImages: z.array(newImage).nullish(),
    packEntrypoints: entrypoints.nullish(),
    overallRateLimit: rateLimit.nullish(),
    perConnectionRateLimit: rateLimit.nullish(),
  }),
);
export type UpdatePackBody = z.output<typeof updatePackBody>;

const userModel = z.object({
  name: text,
  loginId: text,
  type: z.literal("user"),
  pictureLink: url.optional(),
});
export type RegistryUser = z.output<typeof userModel>;

export const versionModel = z.object({
  packId,
  packVersion: text,
  buildNotes: text,
  createdAt: time,
  creationUserLoginId: text,
  releaseId: packId.optional(),
  sdkVersion: text.optional(),
  source: z.enum(["web", "cli"]).optional(),
});
export interface PackVersionSummary extends z.output<typeof versionModel> {}
const versionListModel = z.object({
  items: z.array(versionModel),
  creationUsers: z.array(userModel),
  href: url.optional(),
  nextPageLink: url.optional(),
  nextPageToken: text.optional(),
});
export interface PackVersionList extends z.output<typeof versionListModel> {}
export const packVersionList: z.ZodType<PackVersionList> = named(
  "PackVersionList",
  versionListModel,
);

export const nextVersionBody = named(
  "NextVersionQuestion",
  z.strictObject({
    proposedMetadata: z.string().max(20_000_000),
    sdkVersion: shortText.optional(),
  }),
);
const findingDetail = z.object({
  finding: text,
  /** Where in the metadata, such as `formulas[0]`. */
  path: text,
});
/** A difference between two versions of a Pack. */
export type FindingDetail = z.output<typeof findingDetail>;
const findings = { findings: z.array(text), findingDetails: z.array(findingDetail) };
export const nextVersion = named("NextVersion", z.object({ nextVersion: text, ...findings }));
export const versionDiff = named("PackVersionDiff", z.object(findings));

export const registerVersionBody = named(
  "RegisterPackVersion",
  z.strictObject({ bundleHash: hash }),
);
export const uploadTarget = named(
  "UploadTarget",
  z.object({ uploadUrl: text, headers: z.record(z.string(), z.string()) }),
);

export const versionCompleteBody = named(
  "PackVersionComplete",
  z.strictObject({
    notes: shortText.optional(),
    source: z.enum(["web", "cli"]).optional(),
    allowOlderSdkVersion: flag.optional(),
  }),
);
const findingAt = z.object({ path: text, message: text });
export type FindingAt = z.output<typeof findingAt>;
export const versionCompleted = named(
  "PackVersionCompleted",
  z.object({ deprecationWarnings: z.array(findingAt).optional() }),
);

/** The body of the PUT to an upload URL: a built Pack. */
export const packUpload = z.strictObject({
  metadata: z.record(z.string(), z.unknown()),
  sdkVersion: z.string().min(1).max(100),
  bundle: z.string().min(1),
  sourceMap: z.string().optional(),
});
export type PackUpload = z.output<typeof packUpload>;

export const releaseBody = named(
  "CreatePackRelease",
  z.strictObject({ packVersion: shortText, releaseNotes: shortText.optional() }),
);
export const releaseNotesBody = named(
  "UpdatePackRelease",
  z.strictObject({ releaseNotes: shortText.optional() }),
);
export const releaseModel = z.object({
  packId,
  releaseId: packId,
  packVersion: text,
  releaseNotes: text,
  createdAt: time,
  sdkVersion: text.optional(),
});
export interface PackRelease extends z.output<typeof releaseModel> {}
export const release: z.ZodType<PackRelease> = named("PackRelease", releaseModel);
export const releaseList = envelope("PackReleaseList", release);

const oauthConfigModel = z.object({
  maskedClientId: text,
  maskedClientSecret: text,
  authorizationUrl: text,
  tokenUrl: text,
  tokenPrefix: text.optional(),
  scopes: text.optional(),
  redirectUri: text,
  useDynamicClientRegistration: flag.optional(),
});
export interface PackOAuthConfig extends z.output<typeof oauthConfigModel> {}
export const oauthConfig: z.ZodType<PackOAuthConfig> = named("PackOAuthConfig", oauthConfigModel);
export const oauthConfigBody = named(
  "SetPackOAuthConfig",
  z.strictObject({
    clientId: shortText.optional(),
    clientSecret: shortText.optional(),
    redirectUri: shortText.optional(),
  }),
);

const secret = z.string().min(1).max(100_000);
const clientSecret = z.string().min(1).max(512);
const pair = z.strictObject({ key: secret, value: secret });
const pairs = z.array(pair).min(1).max(100);
const morePairs = z.array(pair).max(100).optional();
/** The secrets of a Pack's own connection, by type. */
const SYSTEM_CREDENTIALS = {
  header: { token: secret },
  multiHeader: { tokens: pairs, tokensToPatch: morePairs },
  urlParam: { params: pairs, paramsToPatch: morePairs },
  httpBasic: { username: secret, password: z.string().max(100_000).optional() },
  custom: { params: pairs, paramsToPatch: morePairs },
  oauth2ClientCredentials: { clientId: clientSecret, clientSecret },
  googleServiceAccount: { serviceAccountKey: secret },
  awsAssumeRole: { roleArn: secret, externalId: secret },
  awsAccessKey: { accessKeyId: secret, secretAccessKey: secret },
} as const;
type CredentialType = keyof typeof SYSTEM_CREDENTIALS;
type Members = Readonly<Record<string, unknown>>;
/** What a Pack's own connection sends, with its type. */
export type SystemCredentials = { type: CredentialType } & Members;

const types = Object.entries(SYSTEM_CREDENTIALS) as [CredentialType, z.ZodRawShape][];
const credentials = types.map(([type, shape]) =>
  z.strictObject({ type: z.literal(type), ...shape }),
);
// A change names only what changes. The limit of a key of a service account is too low for one.
const patches = types.map(([type, shape]) => {
  const changed = type === "googleServiceAccount" ? { serviceAccountKey: clientSecret } : shape;
  return z
    .strictObject(changed)
    .partial()
    .extend({ type: z.literal(type) });
});
export const systemConnectionBody: z.ZodType<{ credentials: SystemCredentials }> = named(
  "SetPackSystemConnection",
  z.strictObject({ credentials: z.union(credentials) }),
);
export const systemConnectionPatch: z.ZodType<SystemCredentials> = named(
  "PatchPackSystemConnection",
  z.union(patches),
) as never;
export type SystemConnection = { type: CredentialType } & Members;
export const systemConnection: z.ZodType<SystemConnection> = named(
  "PackSystemConnection",
  z.looseObject({ type: z.enum(Object.keys(SYSTEM_CREDENTIALS) as [CredentialType]) }),
);

const principal = z.union([
  z.strictObject({ type: z.literal("user"), email: z.email() }),
  z.strictObject({ type: z.literal("workspace"), workspaceId: shortText }),
  z.strictObject({ type: z.literal("worldwide") }),
  z.strictObject({ type: z.literal("group"), groupId: shortText, groupName: shortText.optional() }),
  z.strictObject({ type: z.literal("nomosOrganization"), nomosOrganizationId: shortText }),
  z.strictObject({
    type: z.literal("grammarlyInstitution"),
    grammarlyInstitutionId: z.int().min(1),
  }),
]);
export type PackPrincipal = z.output<typeof principal>;
/** A registry may know more kinds of principals than this version does. */
const listedPrincipal = z.union([principal, z.looseObject({ type: text })]);
export type ListedPrincipal = z.output<typeof listedPrincipal>;
const permission = z.object({ id: text, principal: listedPrincipal, access });
export type PackPermission = z.output<typeof permission>;
export const permissionList = named(
  "PackPermissionList",
  z.object({ items: z.array(permission), permissionUsers: z.array(userModel) }),
);
export const permissionBody = named("AddPackPermission", z.strictObject({ principal, access }));
export const permissionAdded = named("PackPermissionAdded", z.object({ permissionId: text }));

const invitationModel = z.object({
  invitationId: text,
  packId,
  inviteeEmail: text,
  inviterUserId: text,
  access,
  createdAt: time,
  expiresAt: time,
});
export interface PackInvitation extends z.output<typeof invitationModel> {}
export const invitationList = envelope(
  "PackInvitationList",
  invitationModel as z.ZodType<PackInvitation>,
);
export const invitationBody = named(
  "CreatePackInvitation",
  z.strictObject({ email: z.email(), access }),
);
export const invitationAccessBody = named("UpdatePackInvitation", z.strictObject({ access }));
export const invitationCreated = named("PackInvitationCreated", z.object({ invitationId: text }));

const maker = z.object({
  name: text,
  loginId: text,
  slug: text.optional(),
  pictureLink: url.optional(),
  jobTitle: text.optional(),
  employer: text.optional(),
  description: text.optional(),
});
const ownInvitationModel = z.object({
  invitation: invitationModel,
  pack: packModel,
  makers: z.array(maker),
  networkDomains: z.array(text),
});
export interface OwnInvitation extends z.output<typeof ownInvitationModel> {}
export const ownInvitationList = envelope(
  "OwnPackInvitationList",
  ownInvitationModel as z.ZodType<OwnInvitation>,
);
export const invitationReply = named("ReplyToPackInvitation", z.strictObject({ accept: flag }));
export const invitationReplied = named(
  "PackInvitationReplied",
  z.object({ permissionId: text.optional() }),
);
export const makerList = named("PackMakerList", z.object({ makers: z.array(maker) }));
export const makerBody = named("AddPackMaker", z.strictObject({ loginId: shortText }));
export const packCategories = named("PackCategories", z.object({ categories: z.array(category) }));
export const categoryBody = named("AddPackCategory", z.strictObject({ categoryName: shortText }));

export const ASSET_TYPES = ["logo", "cover", "exampleImage", "agentImage"] as const;
const imageTypes = z.enum(["image/png", "image/jpeg", "image/gif", "image/svg+xml", "image/webp"]);
export const assetBody = named(
  "UploadPackAsset",
  z.strictObject({
    packAssetType: z.enum(ASSET_TYPES),
    imageHash: hash,
    mimeType: imageTypes,
    filename: z.string().min(1).max(255),
  }),
);
export const assetTarget = named(
  "PackAssetTarget",
  z.object({
    uploadUrl: text,
    packAssetUploadedPathName: text,
    headers: z.record(z.string(), z.string()),
  }),
);
export const assetCompleted = named(
  "PackAssetCompleted",
  z.object({ requestId: text, assetId: text }),
);
export const sourceBody = named(
  "UploadPackSourceCode",
  z.strictObject({
    payloadHash: hash,
    filename: z.string().min(1).max(255),
    packVersion: shortText.optional(),
  }),
);
export const sourceTarget = named(
  "PackSourceCodeTarget",
  z.object({ uploadUrl: text, uploadedPathName: text, headers: z.record(z.string(), z.string()) }),
);
export const sourceCompleteBody = named(
  "PackSourceCodeComplete",
  z.strictObject({ filename: z.string().min(1).max(255), codeHash: hash }),
);
export const sourceCompleted = named("PackSourceCodeCompleted", z.object({ requestId: text }));
export const sourceCode = named(
  "PackSourceCode",
  z.object({ files: z.array(z.object({ filename: text, url: text })) }),
);

const featuredDoc = z.object({
  doc: z.object({ id: text, type: z.literal("doc"), href: url, browserLink: url }),
  isPinned: flag,
  docStatus: z.enum(["docInaccessibleOrDoesNotExist", "invalidPublishedDocUrl"]).optional(),
  publishedUrl: text.optional(),
});
export type FeaturedDoc = z.output<typeof featuredDoc>;
export const featuredDocList = named("PackFeaturedDocs", z.object({ items: z.array(featuredDoc) }));
export const MAX_FEATURED_DOCS = 5;
export const featuredDocsBody = named(
  "SetPackFeaturedDocs",
  z.strictObject({
    items: z
      .array(z.strictObject({ url: shortText, isPinned: flag.optional() }))
      .max(MAX_FEATURED_DOCS),
  }),
);

const draftImage = z.strictObject(imageShape);
const names = z.array(shortText).nullish();
const listingData = z.strictObject({
  ...visibleTexts,
  agentShortDescription: agentShortDescription.nullish(),
  agentDescription: agentDescription.nullish(),
  supportEmail: supportEmail.nullish(),
  termsOfServiceUrl: address.nullish(),
  privacyPolicyUrl: address.nullish(),
  logo: draftImage.optional(),
  cover: draftImage.optional(),
  exampleImages: z.array(draftImage).nullish(),
  agentImages: z.array(newImage).nullish(),
  categoryIds: z.array(shortText).optional(),
  additionalInformation: z
    .strictObject({
      privacyCollectsPersonalInfo: flag.nullish(),
      privacyPersonalInfoCategories: names,
      privacyDataUsagePurposes: names,
      privacyDataCollectedBy: names,
    })
    .optional(),
});
export const listingDraftBody = named("SetPackListingDraft", z.strictObject({ listingData }));
export const listingDraft = named(
  "PackListingDraft",
  z.object({ packListingDraftId: text.optional(), listingData: listingData.optional() }),
);
export type ListingDraft = z.output<typeof listingDraft>;
export const listingDraftSaved = named(
  "PackListingDraftSaved",
  z.object({ packId, packListingDraftId: text, listingData }),
);

const reviewStatus = z.enum(["pending", "approved", "denied", "canceled", "superseded"]);
export const reviewsQuery = z.object({ status: reviewStatus.optional(), ...page });
const reviewModel = z.object({
  packReviewId: text,
  packId,
  packVersion: text.optional(),
  includesListingReview: flag.optional(),
  packReviewStatus: reviewStatus,
  submittedByUserId: text,
  submissionTimestamp: time,
});
export interface PackReview extends z.output<typeof reviewModel> {}
export const reviewList = envelope("PackReviewList", reviewModel as z.ZodType<PackReview>);
export const reviewBody = named(
  "CreatePackReview",
  z.strictObject({
    packVersion: shortText.optional(),
    releaseNotes: z.string().max(8_192).optional(),
  }),
);
export const reviewCreated = named("PackReviewCreated", z.object({ packReviewId: text }));

const logPage = { limit: z.int().min(1).max(100).optional(), pageToken: text.optional() };
const logFilters = {
  beforeTimestamp: time.optional(),
  afterTimestamp: time.optional(),
  order: z.enum(["asc", "desc"]).optional(),
  q: text.optional(),
};
export const logsQuery = z.object({
  logTypes: many(z.enum(LOG_TYPES)).optional(),
  requestIds: many(text).optional(),
  ...logFilters,
  ...logPage,
});
/** Calls have entries of several types, so they cannot be chosen by these. */
export const groupedLogsQuery = z.object({ ...logFilters, ...logPage });
const logContext = z.object({
  docId: text,
  packId: text,
  packVersion: text,
  formulaName: text,
  userId: text,
  connectionId: text,
  connectionName: text.optional(),
  requestId: text,
  requestType: text,
  createdAt: time,
  logId: text,
  docObjectId: text.optional(),
  docRowId: text.optional(),
  docColumnId: text.optional(),
  isSyncTable: flag.optional(),
  detailsKey: text,
});
const context = { context: logContext };
const durationMs = z.number().min(0).describe("Milliseconds.");
const logError = z.object({ message: text, stack: text.optional() });
const invocationLog = z.object({
  type: z.literal("invocation"),
  ...context,
  cacheHit: flag.optional(),
  duration: durationMs.optional(),
  error: logError.optional(),
});
const authLog = z.object({
  type: z.literal("auth"),
  ...context,
  path: text,
  errorMessage: text.optional(),
  errorStack: text.optional(),
});
const message = { ...context, message: text, level: text };
const packLogModel = z.discriminatedUnion("type", [
  z.object({ type: z.literal("custom"), ...message }),
  invocationLog,
  z.object({
    type: z.literal("fetcher"),
    ...context,
    method: text.optional(),
    baseUrl: text.optional(),
    responseCode: z.int().optional(),
    requestSizeBytes: count.optional(),
    responseSizeBytes: count.optional(),
    duration: durationMs.optional(),
    cacheHit: flag.optional(),
  }),
  authLog,
  z.object({ type: z.literal("internal"), ...message }),
  z.object({
    type: z.literal("mcp"),
    ...context,
    message: text.optional(),
    error: logError.optional(),
  }),
  z.object({ type: z.literal("ingestionLifecycle"), ...message }),
  z.object({ type: z.literal("ingestionDebug"), ...message }),
  z.object({
    type: z.literal("agentRuntime"),
    ...context,
    turnType: text,
    durationMs: durationMs.optional(),
    name: text.optional(),
    model: text.optional(),
    tokenUsage: text.optional(),
    instructions: text.optional(),
    fromAgent: text.optional(),
    toAgent: text.optional(),
  }),
]);
export type PackLog = z.output<typeof packLogModel>;
export const packLog: z.ZodType<PackLog> = named("PackLog", packLogModel);
export const packLogList = envelope("PackLogList", packLog);
const groupedLog = z.discriminatedUnion("type", [
  z.object({ type: z.literal("invocation"), invocationLog, relatedLogs: z.array(packLog) }),
  z.object({ type: z.literal("auth"), authLog, relatedLogs: z.array(packLog) }),
]);
export type GroupedPackLog = z.output<typeof groupedLog>;
const groupedLogListModel = z.object({
  items: z.array(groupedLog),
  incompleteRelatedLogs: flag,
  href: url.optional(),
  nextPageLink: url.optional(),
  nextPageToken: text.optional(),
});
export interface GroupedPackLogList extends z.output<typeof groupedLogListModel> {}
export const groupedLogList: z.ZodType<GroupedPackLogList> = named(
  "GroupedPackLogList",
  groupedLogListModel,
);
export const configurationSchema = named("PackConfigurationSchema", z.looseObject({}));
