import * as z from "zod";

// Written from the public description of the registry only: nothing here comes from src/.

const id = z.string().regex(/^[1-9]\d*$/);
const limit = z.string().regex(/^[1-9]\d*$/);
const page = { limit: limit.optional(), pageToken: z.string().min(1).optional() };
const logPage = {
  ...page,
  limit: limit.refine((text) => Number(text) <= 100, "is more than 100").optional(),
};
const access = z.enum(["none", "view", "test", "edit", "admin"]);
const createList = (...names: [string, ...string[]]) =>
  z.string().refine((text) => text.split(",").every((name) => names.includes(name)));
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(/^\d+(\.\d+){0,2}(-prerelease\.\d+)?$/);
const text = (max: number) => z.string().max(max);

const newImage = z.strictObject({
  assetId: z.string(),
  filename: z.string(),
  mimeType: z.string().optional(),
});
const rateLimit = z.strictObject({
  intervalSeconds: z.int().min(1).max(86_400),
  operationsPerInterval: z.int().min(0),
});
const texts = {
  name: text(128),
  description: text(8_192),
  shortDescription: text(256),
  agentShortDescription: text(256),
  agentDescription: text(8_192),
  supportEmail: text(512),
  termsOfServiceUrl: text(512),
  privacyPolicyUrl: text(512),
  sourceCodeVisibility: z.enum(["private", "shared"]),
};
const principal = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("user"), email: z.email() }),
  z.strictObject({ type: z.literal("workspace"), workspaceId: z.string() }),
  z.strictObject({ type: z.literal("worldwide") }),
  z.strictObject({
    type: z.literal("group"),
    groupId: z.string(),
    groupName: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("nomosOrganization"), nomosOrganizationId: z.string() }),
  z.strictObject({
    type: z.literal("grammarlyInstitution"),
    grammarlyInstitutionId: z.int().min(1),
  }),
]);
const pairs = z.array(z.strictObject({ key: z.string(), value: z.string() }));
const secret = z.string().max(512);
const credentials = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), token: z.string() }),
  z.strictObject({
    type: z.literal("multiHeader"),
    tokens: pairs,
    tokensToPatch: pairs.optional(),
  }),
  z.strictObject({ type: z.literal("urlParam"), params: pairs, paramsToPatch: pairs.optional() }),
  z.strictObject({ type: z.literal("custom"), params: pairs, paramsToPatch: pairs.optional() }),
  z.strictObject({
    type: z.literal("httpBasic"),
    username: z.string(),
    password: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("oauth2ClientCredentials"),
    clientId: secret,
    clientSecret: secret,
  }),
  z.strictObject({ type: z.literal("googleServiceAccount"), serviceAccountKey: z.string() }),
  z.strictObject({
    type: z.literal("awsAssumeRole"),
    roleArn: z.string(),
    externalId: z.string(),
  }),
  z.strictObject({
    type: z.literal("awsAccessKey"),
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
  }),
]);

export interface RequestRule {
  method: string;
  /** Its parameters in braces. */
  path: string;
  query?: z.ZodObject | undefined;
  body?: z.ZodType | undefined;
}

const PACK = "/packs/{packId}";
const VERSION = `${PACK}/versions/{packVersion}`;

/** What each operation takes: no other member, no other query parameter. */
export const REQUESTS = {
  whoami: { method: "GET", path: "/whoami" },
  listPacks: {
    method: "GET",
    path: "/packs",
    query: z.strictObject({
      accessTypes: createList("none", "view", "test", "edit", "admin").optional(),
      sortBy: z.enum(["title", "createdAt", "updatedAt"]).optional(),
      direction: z.enum(["ascending", "descending"]).optional(),
      onlyWorkspaceId: z.string().optional(),
      parentWorkspaceIds: z.string().optional(),
      excludePublicPacks: z.enum(["true", "false"]).optional(),
      packEntrypoint: z.enum(["docs", "go"]).optional(),
      ...page,
    }),
  },
  createPack: {
    method: "POST",
    path: "/packs",
    body: z.strictObject({
      workspaceId: z.string().optional(),
      name: texts.name.optional(),
      description: texts.description.optional(),
      sourcePackId: z.int().nullish(),
    }),
  },
  listOwnInvitations: {
    method: "GET",
    path: "/packs/invitations",
    query: z.strictObject(page),
  },
  replyToInvitation: {
    method: "POST",
    path: "/packs/invitations/{invitationId}/reply",
    body: z.strictObject({ accept: z.boolean() }),
  },
  listInvitations: { method: "GET", path: `${PACK}/invitations`, query: z.strictObject(page) },
  createInvitation: {
    method: "POST",
    path: `${PACK}/invitations`,
    body: z.strictObject({ email: z.email(), access }),
  },
  updateInvitation: {
    method: "PUT",
    path: `${PACK}/invitations/{invitationId}`,
    body: z.strictObject({ access }),
  },
  deleteInvitation: { method: "DELETE", path: `${PACK}/invitations/{invitationId}` },
  listReviews: {
    method: "GET",
    path: `${PACK}/reviews`,
    query: z.strictObject({
      status: z.enum(["pending", "approved", "denied", "canceled", "superseded"]).optional(),
      ...page,
    }),
  },
  createReview: {
    method: "POST",
    path: `${PACK}/reviews`,
    body: z.strictObject({
      packVersion: version.optional(),
      releaseNotes: text(8_192).optional(),
    }),
  },
  cancelReview: { method: "POST", path: `${PACK}/reviews/pending/cancel` },
  getPack: { method: "GET", path: PACK },
  updatePack: {
    method: "PATCH",
    path: PACK,
    body: z
      .strictObject({
        ...texts,
        logo: newImage.nullable(),
        cover: newImage.nullable(),
        exampleImages: z.array(newImage).nullable(),
        agentImages: z.array(newImage).nullable(),
        packEntrypoints: z.array(z.enum(["docs", "go"])).nullable(),
        overallRateLimit: rateLimit.nullable(),
        perConnectionRateLimit: rateLimit.nullable(),
      })
      .partial(),
  },
  listVersions: { method: "GET", path: `${PACK}/versions`, query: z.strictObject(page) },
  nextVersion: {
    method: "POST",
    path: `${PACK}/nextVersion`,
    body: z.strictObject({ proposedMetadata: z.string(), sdkVersion: z.string().optional() }),
  },
  diffVersions: { method: "GET", path: `${PACK}/versions/{base}/diff/{target}` },
  register: {
    method: "POST",
    path: `${VERSION}/register`,
    body: z.strictObject({ bundleHash: hash }),
  },
  uploadComplete: {
    method: "POST",
    path: `${VERSION}/uploadComplete`,
    body: z.strictObject({
      notes: z.string().optional(),
      source: z.enum(["web", "cli"]).optional(),
      allowOlderSdkVersion: z.boolean().optional(),
    }),
  },
  createRelease: {
    method: "POST",
    path: `${PACK}/releases`,
    body: z.strictObject({ packVersion: version, releaseNotes: z.string().min(1) }),
  },
  updateRelease: {
    method: "PUT",
    path: `${PACK}/releases/{releaseId}`,
    body: z.strictObject({ releaseNotes: z.string().optional() }),
  },
  listReleases: { method: "GET", path: `${PACK}/releases`, query: z.strictObject(page) },
  getOAuthConfig: { method: "GET", path: `${PACK}/oauthConfig` },
  setOAuthConfig: {
    method: "PUT",
    path: `${PACK}/oauthConfig`,
    body: z.strictObject({
      clientId: z.string(),
      clientSecret: z.string(),
      redirectUri: z.string().optional(),
    }),
  },
  getConnection: { method: "GET", path: `${PACK}/systemConnection` },
  setConnection: {
    method: "PUT",
    path: `${PACK}/systemConnection`,
    body: z.strictObject({ credentials }),
  },
  listPermissions: { method: "GET", path: `${PACK}/permissions` },
  addPermission: {
    method: "POST",
    path: `${PACK}/permissions`,
    body: z.strictObject({ principal, access }),
  },
  leave: { method: "DELETE", path: `${PACK}/permissions` },
  getFeaturedDocs: { method: "GET", path: `${PACK}/featuredDocs` },
  setFeaturedDocs: {
    method: "PUT",
    path: `${PACK}/featuredDocs`,
    body: z.strictObject({
      items: z.array(z.strictObject({ url: z.string(), isPinned: z.boolean().optional() })).max(5),
    }),
  },
  deletePermission: { method: "DELETE", path: `${PACK}/permissions/{permissionId}` },
  listMakers: { method: "GET", path: `${PACK}/makers` },
  addMaker: {
    method: "POST",
    path: `${PACK}/maker`,
    body: z.strictObject({ loginId: z.string() }),
  },
  deleteMaker: { method: "DELETE", path: `${PACK}/maker/{loginId}` },
  addCategory: {
    method: "POST",
    path: `${PACK}/category`,
    body: z.strictObject({ categoryName: z.string() }),
  },
  deleteCategory: { method: "DELETE", path: `${PACK}/category/{categoryName}` },
  uploadAsset: {
    method: "POST",
    path: `${PACK}/uploadAsset`,
    body: z.strictObject({
      packAssetType: z.enum(["logo", "cover", "exampleImage", "agentImage"]),
      imageHash: hash,
      mimeType: z.string(),
      filename: z.string(),
    }),
  },
  assetComplete: {
    method: "POST",
    path: `${PACK}/assets/{assetId}/assetType/{packAssetType}/uploadComplete`,
  },
  getSourceCode: { method: "GET", path: `${VERSION}/sourceCode` },
  formulaAnalytics: {
    method: "GET",
    path: "/analytics/packs/{packId}/formulas",
    query: z.strictObject({
      packFormulaNames: z.string().optional(),
      packFormulaTypes: createList("action", "formula", "sync", "metadata").optional(),
      sinceDate: z.iso.date().optional(),
      untilDate: z.iso.date().optional(),
      scale: z.enum(["daily", "cumulative"]).optional(),
      orderBy: z.string().optional(),
      direction: z.enum(["ascending", "descending"]).optional(),
      pageToken: z.string().min(1).optional(),
      limit: limit.refine((text) => Number(text) <= 5_000, "is more than 5000").optional(),
    }),
  },
  getListingDraft: { method: "GET", path: `${PACK}/listingDraft` },
  listLogs: {
    method: "GET",
    path: `${PACK}/docs/{docId}/logs`,
    query: z.strictObject({
      logTypes: createList(
        "custom",
        "internal",
        "ingestionLifecycle",
        "ingestionDebug",
        "invocation",
        "fetcher",
        "auth",
        "mcp",
        "agentRuntime",
      ).optional(),
      requestIds: z.string().optional(),
      beforeTimestamp: z.iso.datetime().optional(),
      afterTimestamp: z.iso.datetime().optional(),
      order: z.enum(["asc", "desc"]).optional(),
      q: z.string().optional(),
      ...logPage,
    }),
  },
  listGroupedLogs: {
    method: "GET",
    path: `${PACK}/docs/{docId}/groupedLogs`,
    query: z.strictObject({
      beforeTimestamp: z.iso.datetime().optional(),
      afterTimestamp: z.iso.datetime().optional(),
      order: z.enum(["asc", "desc"]).optional(),
      q: z.string().optional(),
      ...logPage,
    }),
  },
} as const satisfies Record<string, RequestRule>;

export type OperationName = keyof typeof REQUESTS;

export interface MatchedRequest {
  name: OperationName;
  params: Record<string, string>;
}

/** @returns the operation of a request, with its decoded path parameters */
export function matchRequest(method: string, path: string): MatchedRequest | undefined {
  const parts = path.split("/");
  for (const [name, rule] of Object.entries(REQUESTS)) {
    const expected = rule.path.split("/");
    const params: Record<string, string> = {};
    const isMatch =
      rule.method === method &&
      expected.length === parts.length &&
      expected.every((part, at) => {
        const parameter = /^\{(.*)\}$/.exec(part)?.[1];
        if (parameter === undefined) return part === parts[at];
        params[parameter] = decodeURIComponent(parts[at] ?? "");
        return params[parameter] !== "";
      });
    if (isMatch) return { name: name as OperationName, params };
  }
  return undefined;
}

/** @returns what is wrong with a request; empty when it is right */
export function checkRequest(
  { name, params }: MatchedRequest,
  query: URLSearchParams,
  body: unknown,
): string[] {
  const rule: RequestRule = REQUESTS[name];
  const problems: string[] = [];
  const note = (place: string, schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value);
    for (const issue of parsed.error?.issues ?? [])
      problems.push(`${name} ${place} ${issue.path.join(".")}: ${issue.message}`);
  };
  if (params["packId"] !== undefined) note("packId", id, params["packId"]);
  if (params["invitationId"] !== undefined) note("invitationId", z.uuid(), params["invitationId"]);
  if (params["packVersion"] !== undefined) note("packVersion", version, params["packVersion"]);
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) problems.push(`${name} query: a parameter twice`);
  // With a page token, all other parameters are ignored.
  note("query", rule.query ?? z.strictObject({}), Object.fromEntries(query));
  if (rule.body === undefined) {
    if (body !== undefined) problems.push(`${name} body: takes none`);
  } else note("body", rule.body, body);
  return problems;
}
