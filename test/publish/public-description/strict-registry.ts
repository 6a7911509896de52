import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer as readBuffer } from "node:stream/consumers";
import { checkRequest, type MatchedRequest, matchRequest, type OperationName } from "./requests.ts";

// A registry as its public description has it, and as strict as it can be read. It shares nothing
// with src/: what both sides of our own code misread alike shows here.

export interface Answered {
  status: number;
  body: unknown;
}

interface Call {
  params: Record<string, string>;
  query: URLSearchParams;
  body: never;
}

interface Version {
  packVersion: string;
  buildNotes: string;
  sdkVersion: string;
}

interface Release {
  packId: number;
  releaseId: number;
  packVersion: string;
  releaseNotes: string;
  createdAt: string;
  sdkVersion: string;
}

interface Invitation {
  invitationId: string;
  packId: number;
  inviteeEmail: string;
  inviterUserId: string;
  access: string;
  createdAt: string;
  expiresAt: string;
}

interface Review {
  packReviewId: string;
  packId: number;
  packVersion?: string;
  packReviewStatus: string;
  submittedByUserId: string;
  submissionTimestamp: string;
}

interface FeaturedDoc {
  url: string;
  isPinned?: boolean;
}

interface Pack {
  id: number;
  featuredDocs: FeaturedDoc[];
  invitations: Invitation[];
  reviews: Review[];
  texts: Record<string, unknown>;
  versions: Version[];
  releases: Release[];
  announced: Map<string, { hash: string; bytes?: Buffer }>;
  assets: Map<string, { hash: string; bytes?: Buffer; id?: string }>;
  permissions: { id: string; principal: Record<string, unknown>; access: string }[];
  makers: string[];
  categories: string[];
  oauth: { clientId: string; clientSecret: string };
  connection: Record<string, unknown> | undefined;
}

export interface StrictRegistry extends AsyncDisposable {
  origin: string;
  /** Bytes go to another host. */
  storeOrigin: string;
  /** Every request that the description does not allow. */
  mistakes: string[];
  requests: { name: OperationName | "put" | "file"; body: unknown; query: URLSearchParams }[];
  packs: Map<number, Pack>;
  logs: Record<string, unknown>[];
  /** Formulas with their days. */
  analytics: Record<string, unknown>[];
  /** How a secret is shown. @default its last four characters */
  mask: (secret: string) => string;
  /** The names in the Pack's definition that its own connection has. */
  presetKeys: string[];
  /** How many items a page has at most. */
  pageSize: number;
  /** Answers an operation in another way, or drops the connection `before` or `after` it. */
  answers: Map<OperationName | "put", (call: Call) => Answered | "before" | "after" | undefined>;
  sources: { filename: string; text: string }[];
}

const TOKEN = "strict-token";
export const STRICT_TOKEN = TOKEN;
const ME = { name: "Ada", loginId: "ada@example.com", type: "user" };
const NOW = "2026-11-24T10:00:00.000Z";

class Refusal extends Error {
  readonly status: number;
  readonly detail: object;
  constructor(status: number, message: string, detail: object = {}) {
    super(message);
    this.status = status;
    this.detail = detail;
  }
}

export async function startStrictRegistry(): Promise<StrictRegistry> {
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void serve(request, response);
  const servers = await Promise.all([startServer(answer), startServer(answer)]);
  const [origin, storeOrigin] = servers.map((server) => server.origin) as [string, string];
  const registry: StrictRegistry = {
    origin,
    storeOrigin,
    mistakes: [],
    requests: [],
    packs: new Map(),
    logs: [],
    analytics: [],
    mask: (secret) => (secret === "" ? "" : `****${secret.slice(-4)}`),
    presetKeys: [],
    pageSize: 2,
    answers: new Map(),
    sources: [],
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const body = await readBuffer(request);
    if (`http://${request.headers.host}` === storeOrigin)
      return store(request, url, body, response);
    try {
      const call = readCall(request, url, body);
      const other = registry.answers.get(call.name)?.(call as never);
      if (other === "before") return void request.socket.destroy();
      const answered =
        typeof other === "object"
          ? other
          : { status: 200, body: OPERATIONS[call.name](registry, call as never) };
      if (other === "after") return void request.socket.destroy();
      send(response, answered);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message, detail } = error;
      send(response, {
        status,
        body: { statusCode: status, statusMessage: "Refused", message, ...detail },
      });
    }
  }

  function readCall(request: IncomingMessage, url: URL, bytes: Buffer): Call & MatchedRequest {
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      throw new Refusal(401, "Unauthorized.");
    const matched = matchRequest(request.method ?? "", url.pathname.replace(/^\/apis\/v1/, ""));
    if (matched === undefined) {
      registry.mistakes.push(`${request.method} ${url.pathname} is not an operation`);
      throw new Refusal(404, "Not found.");
    }
    const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
    registry.requests.push({ name: matched.name, body, query: url.searchParams });
    const problems = checkRequest(matched, url.searchParams, body);
    registry.mistakes.push(...problems);
    if (problems.length > 0)
      throw new Refusal(400, "The request is not valid.", {
        codaDetail: { validationErrors: problems.map((message) => ({ path: "", message })) },
      });
    return { ...matched, query: url.searchParams, body: body as never };
  }

  /** Another host in the description: it knows addresses and headers, and no token. */
  function store(
    request: IncomingMessage,
    url: URL,
    bytes: Buffer,
    response: ServerResponse,
  ): void {
    const [, , packId = "", kind = "", name = ""] = url.pathname.split("/").map(decodeURIComponent);
    const pack = registry.packs.get(Number(packId));
    if (request.headers.authorization !== undefined)
      registry.mistakes.push("the store was sent a token");
    if (request.method === "GET") {
      registry.requests.push({ name: "file", body: undefined, query: url.searchParams });
      const source = registry.sources.find(({ filename }) => filename === name);
      const asset = [...(pack?.assets.values() ?? [])].find(({ id }) => id === name);
      return void response.end(source?.text ?? asset?.bytes);
    }
    registry.requests.push({ name: "put", body: bytes, query: url.searchParams });
    const other = registry.answers.get("put")?.({
      params: {},
      query: url.searchParams,
      body: bytes as never,
    });
    if (typeof other === "object") {
      response.writeHead(other.status, { "content-type": "application/xml" });
      return void response.end(String(other.body));
    }
    const announced = kind === "version" ? pack?.announced.get(name) : pack?.assets.get(name);
    const isSigned =
      request.headers["x-signed"] === "yes" && url.searchParams.get("signature") === "s";
    if (request.method !== "PUT" || announced === undefined || !isSigned) {
      registry.mistakes.push(`the store refuses ${request.method} ${url.pathname}`);
      return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    }
    if (sha256(bytes) !== announced.hash) registry.mistakes.push("other bytes than announced");
    announced.bytes = bytes;
    response.writeHead(200).end();
  }
  return registry;
}

async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Operation = (registry: StrictRegistry, call: Call) => unknown;

const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  whoami: () => ({
    ...ME,
    scoped: true,
    tokenName: "publishing",
    href: "https://registry.example/apis/v1/whoami",
    workspace: { id: "ws-1", type: "workspace", browserLink: "https://registry.example/ws" },
  }),
  listPacks: (registry, { query }) => {
    const types = query.get("accessTypes")?.split(",") ?? ["admin"];
    const isMaker = types.includes("edit") || types.includes("admin");
    return cutPage(registry, query, isMaker ? [...registry.packs.values()].map(listed) : []);
  },
  createPack: ({ packs }, { body }) => {
    const { name = "Untitled", description = "" } = body as Record<string, string>;
    const id = 4_000 + packs.size + 1;
    packs.set(id, {
      id,
      featuredDocs: [],
      invitations: [],
      reviews: [],
      texts: { name, description, shortDescription: "" },
      versions: [],
      releases: [],
      announced: new Map(),
      assets: new Map(),
      permissions: [
        { id: "p-me", principal: { type: "user", email: ME.loginId }, access: "admin" },
      ],
      makers: [ME.loginId],
      categories: [],
      oauth: { clientId: "", clientSecret: "" },
      connection: undefined,
    });
    return { packId: id };
  },
  listOwnInvitations: (registry, { query }) => {
    const items = [...registry.packs.values()].flatMap((pack) =>
      pack.invitations
        .filter(({ inviteeEmail }) => inviteeEmail === ME.loginId)
        .map((invitation) => ({
          invitation,
          pack: listed(pack),
          makers: pack.makers.map((loginId) => ({ name: loginId, loginId })),
          networkDomains: ["tasks.example"],
        })),
    );
    return cutPage(registry, query, items);
  },
  replyToInvitation: ({ packs }, call) => {
    const pack = [...packs.values()].find(({ invitations }) =>
      invitations.some(
        ({ invitationId, inviteeEmail }) =>
          invitationId === call.params["invitationId"] && inviteeEmail === ME.loginId,
      ),
    );
    if (pack === undefined) throw new Refusal(404, "There is no such invitation.");
    removeInvitation(pack, call);
    return (call.body as { accept: boolean }).accept ? { permissionId: "p-accepted" } : {};
  },
  listInvitations: (registry, call) =>
    cutPage(registry, call.query, findPack(registry, call).invitations),
  createInvitation: (registry, call) => {
    const { id, invitations } = findPack(registry, call);
    const { email, access } = call.body as Record<string, string>;
    const invitationId = randomUUID();
    invitations.push({
      invitationId,
      packId: id,
      inviteeEmail: String(email),
      inviterUserId: "u-1",
      access: String(access),
      createdAt: NOW,
      expiresAt: "2026-12-24T10:00:00.000Z",
    });
    return { invitationId };
  },
  updateInvitation: (registry, call) => {
    const found = findPack(registry, call).invitations.find(
      ({ invitationId }) => invitationId === call.params["invitationId"],
    );
    if (found === undefined) throw new Refusal(404, "There is no such invitation.");
    found.access = (call.body as { access: string }).access;
    return {};
  },
  deleteInvitation: (registry, call) => {
    removeInvitation(findPack(registry, call), call);
    return {};
  },
  listReviews: (registry, call) => {
    const status = call.query.get("status");
    const { reviews } = findPack(registry, call);
    const items = reviews.filter((each) => status === null || each.packReviewStatus === status);
    return cutPage(registry, call.query, items);
  },
  createReview: (registry, call) => {
    const { id, reviews, versions } = findPack(registry, call);
    const { packVersion } = call.body as { packVersion?: string };
    if (packVersion !== undefined && !versions.some((each) => each.packVersion === packVersion))
      throw new Refusal(404, "There is no such version.");
    for (const review of reviews)
      if (review.packReviewStatus === "pending") review.packReviewStatus = "superseded";
    const packReviewId = randomUUID();
    reviews.push({
      packReviewId,
      packId: id,
      ...(packVersion === undefined ? {} : { packVersion }),
      packReviewStatus: "pending",
      submittedByUserId: "u-1",
      submissionTimestamp: NOW,
    });
    return { packReviewId };
  },
  cancelReview: (registry, call) => {
    const pending = findPack(registry, call).reviews.find(
      ({ packReviewStatus }) => packReviewStatus === "pending",
    );
    if (pending === undefined) throw new Refusal(404, "No review is pending.");
    pending.packReviewStatus = "canceled";
    return {};
  },
  getPack: (registry, call) => shown(findPack(registry, call)),
  updatePack: (registry, call) => {
    const pack = findPack(registry, call);
    const { logo, cover, exampleImages, agentImages, ...texts } = call.body as Record<
      string,
      never
    >;
    const files: Record<string, unknown> = { logo, cover, exampleImages, agentImages };
    for (const [name, value] of Object.entries(files)) {
      if (value === undefined) continue;
      const images = value === null ? [] : [value as { assetId: string }].flat();
      if (images.some(({ assetId }) => imageUrl(registry, pack, assetId) === undefined))
        throw new Refusal(400, `${name} has an unknown asset.`);
      pack.texts[name] = value;
    }
    Object.assign(pack.texts, texts);
    return { ...shown(pack), ...createUrls(registry, pack) };
  },
  listVersions: (registry, call) => {
    const { versions, id } = findPack(registry, call);
    const items = versions.toReversed().map((each) => ({
      ...each,
      packId: id,
      createdAt: NOW,
      creationUserLoginId: ME.loginId,
    }));
    return { ...cutPage(registry, call.query, items), creationUsers: [ME] };
  },
  nextVersion: (registry, call) => {
    JSON.parse((call.body as { proposedMetadata: string }).proposedMetadata);
    const newest = findPack(registry, call).versions.at(-1)?.packVersion ?? "0";
    const next = String(Number(newest.split(".")[0]) + 1);
    return { nextVersion: next, findings: [], findingDetails: [] };
  },
  diffVersions: () => ({ findings: ["Formula Bye added."], findingDetails: [] }),
  register: (registry, call) => {
    const pack = findPack(registry, call);
    const { packVersion = "" } = call.params;
    requireHigher(packVersion, pack.versions.at(-1)?.packVersion);
    pack.announced.set(packVersion, { hash: (call.body as { bundleHash: string }).bundleHash });
    return target(registry, pack, "version", packVersion);
  },
  uploadComplete: (registry, call) => {
    const pack = findPack(registry, call);
    const { packVersion = "" } = call.params;
    const { notes = "", allowOlderSdkVersion } = call.body as Record<string, never>;
    const bytes = pack.announced.get(packVersion)?.bytes;
    if (bytes === undefined) throw new Refusal(400, "Nothing was uploaded.");
    const upload = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const members = Object.keys(upload).sort().join();
    const metadata = upload["metadata"] as Record<string, unknown>;
    if (members !== "bundle,metadata,sdkVersion,sourceMap" || metadata["version"] !== packVersion)
      registry.mistakes.push(`the upload has ${members}, version ${metadata["version"]}`);
    const sdkVersion = String(upload["sdkVersion"]);
    const newest = pack.versions.at(-1);
    if (
      newest !== undefined &&
      allowOlderSdkVersion !== true &&
      isLower(sdkVersion, newest.sdkVersion)
    )
      throw new Refusal(400, "The version was built with an older SDK than the newest version.");
    pack.versions.push({ packVersion, buildNotes: notes, sdkVersion });
    return {};
  },
  createRelease: (registry, call) => {
    const pack = findPack(registry, call);
    const { packVersion, releaseNotes } = call.body as Record<string, string>;
    const found = pack.versions.find((each) => each.packVersion === packVersion);
    if (found === undefined) throw new Refusal(404, "There is no such version.");
    requireHigher(String(packVersion), pack.releases.at(-1)?.packVersion);
    const release: Release = {
      packId: pack.id,
      releaseId: pack.releases.length + 1,
      packVersion: found.packVersion,
      releaseNotes: String(releaseNotes),
      createdAt: NOW,
      sdkVersion: found.sdkVersion,
    };
    pack.releases.push(release);
    return release;
  },
  updateRelease: (registry, call) => {
    const release = findPack(registry, call).releases.find(
      ({ releaseId }) => String(releaseId) === call.params["releaseId"],
    );
    if (release === undefined) throw new Refusal(404, "There is no such release.");
    return Object.assign(release, call.body as { releaseNotes?: string });
  },
  // The description names no order: the oldest first, which nobody may rely on.
  listReleases: (registry, call) =>
    cutPage(registry, call.query, findPack(registry, call).releases),
  getOAuthConfig: (registry, call) => shownClient(registry, findPack(registry, call)),
  setOAuthConfig: (registry, call) => {
    const pack = findPack(registry, call);
    pack.oauth = call.body;
    return shownClient(registry, pack);
  },
  getConnection: (registry, call) => {
    const { connection } = findPack(registry, call);
    if (connection === undefined) throw new Refusal(404, "There is no connection.");
    return shownConnection(registry, connection);
  },
  setConnection: (registry, call) => {
    const pack = findPack(registry, call);
    const { credentials } = call.body as { credentials: Record<string, unknown> };
    const keys = ((credentials["params"] as { key: string }[]) ?? []).map(({ key }) => key);
    const unknown = keys.filter((key) => !registry.presetKeys.includes(key));
    if (unknown.length > 0) {
      registry.mistakes.push(`the connection has no parameter ${unknown}`);
      throw new Refusal(400, "The definition of the Pack has no such parameter.");
    }
    pack.connection = credentials;
    return shownConnection(registry, credentials);
  },
  listPermissions: (registry, call) => ({
    items: findPack(registry, call).permissions,
    permissionUsers: [ME],
  }),
  addPermission: (registry, call) => {
    const { permissions } = findPack(registry, call);
    const { principal, access } = call.body as never as Pack["permissions"][number];
    const present = permissions.find(
      (each) => JSON.stringify(each.principal) === JSON.stringify(principal),
    );
    if (present !== undefined) present.access = access;
    else permissions.push({ id: randomUUID(), principal, access });
    return { permissionId: present?.id ?? permissions.at(-1)?.id };
  },
  deletePermission: (registry, call) => {
    const pack = findPack(registry, call);
    pack.permissions = pack.permissions.filter(({ id }) => id !== call.params["permissionId"]);
    return {};
  },
  leave: (registry, call) => {
    const pack = findPack(registry, call);
    const isMine = ({ principal }: Pack["permissions"][number]) =>
      principal["email"] === ME.loginId;
    if (!pack.permissions.some(isMine)) throw new Refusal(404, "Not found.");
    pack.permissions = pack.permissions.filter((each) => !isMine(each));
    return {};
  },
  getFeaturedDocs: (registry, call) => ({
    items: findPack(registry, call).featuredDocs.map(({ url, isPinned = false }) => {
      const id = /_d(\w+)$/.exec(url)?.[1];
      // A link to a document comes back under another title; a published one as it was.
      return id === undefined
        ? {
            doc: { id: "pub", type: "doc", href: "", browserLink: "" },
            isPinned,
            publishedUrl: url,
          }
        : {
            doc: { id, type: "doc", href: "", browserLink: `https://docs.example/d/_d${id}` },
            isPinned,
          };
    }),
  }),
  setFeaturedDocs: (registry, call) => {
    findPack(registry, call).featuredDocs = (call.body as { items: FeaturedDoc[] }).items;
    return {};
  },
  listMakers: (registry, call) => ({
    makers: findPack(registry, call).makers.map((loginId) => ({ name: loginId, loginId })),
  }),
  addMaker: (registry, call) => {
    findPack(registry, call).makers.push((call.body as { loginId: string }).loginId);
    return {};
  },
  deleteMaker: (registry, call) => {
    const pack = findPack(registry, call);
    pack.makers = pack.makers.filter((loginId) => loginId !== call.params["loginId"]);
    return {};
  },
  addCategory: (registry, call) => {
    findPack(registry, call).categories.push((call.body as { categoryName: string }).categoryName);
    return {};
  },
  deleteCategory: (registry, call) => {
    const pack = findPack(registry, call);
    pack.categories = pack.categories.filter((name) => name !== call.params["categoryName"]);
    return {};
  },
  uploadAsset: (registry, call) => {
    const pack = findPack(registry, call);
    const name = `e23fcb5${pack.assets.size}`;
    pack.assets.set(name, { hash: (call.body as { imageHash: string }).imageHash });
    return {
      ...target(registry, pack, "asset", name),
      packAssetUploadedPathName: `/packs/${pack.id}/assets/${name}`,
    };
  },
  assetComplete: (registry, call) => {
    const asset = findPack(registry, call).assets.get(call.params["assetId"] ?? "");
    if (asset?.bytes === undefined) throw new Refusal(404, "There is no such asset.");
    asset.id = `kept-${call.params["assetId"]}`;
    return { requestId: randomUUID(), assetId: asset.id };
  },
  getSourceCode: (registry, call) => {
    const { id } = findPack(registry, call);
    return {
      files: registry.sources.map(({ filename }) => ({
        filename,
        url: `${registry.storeOrigin}/store/${id}/source/${encodeURIComponent(filename)}`,
      })),
    };
  },
  formulaAnalytics: (registry, call) => {
    findPack(registry, call);
    return cutPage(registry, call.query, registry.analytics);
  },
  getListingDraft: (registry, call) => {
    findPack(registry, call);
    return {};
  },
  listLogs: (registry, call) => {
    findPack(registry, call);
    const isOldest = call.query.get("order") === "asc";
    const items = isOldest ? registry.logs.toReversed() : registry.logs;
    return cutPage({ ...registry, pageSize: 100 }, call.query, items);
  },
  listGroupedLogs: (registry, call) => {
    findPack(registry, call);
    const items = registry.logs
      .filter(({ type }) => type === "invocation")
      .map((invocationLog) => ({ type: "invocation", invocationLog, relatedLogs: [] }));
    const page = cutPage({ ...registry, pageSize: 100 }, call.query, items);
    return { ...page, incompleteRelatedLogs: false };
  },
};

function findPack({ packs }: StrictRegistry, { params }: Call): Pack {
  const pack = packs.get(Number(params["packId"]));
  if (pack === undefined) throw new Refusal(404, "Could not find a Pack with the specified ID.");
  return pack;
}

function removeInvitation(pack: Pack, { params }: Call): void {
  pack.invitations = pack.invitations.filter(
    ({ invitationId }) => invitationId !== params["invitationId"],
  );
}

function shown(pack: Pack): Record<string, unknown> {
  const { logo, cover, exampleImages, agentImages, ...texts } = pack.texts;
  const categories = pack.categories.map((name) => ({ categoryId: name, categoryName: name }));
  const some = Object.entries(texts).filter(([, value]) => value !== null);
  return { id: pack.id, workspaceId: "ws-1", ...Object.fromEntries(some), categories };
}

function listed(pack: Pack): Record<string, unknown> {
  const { overallRateLimit: _, perConnectionRateLimit: __, ...others } = shown(pack);
  return others;
}

function createUrls(registry: StrictRegistry, pack: Pack): Record<string, unknown> {
  const { logo } = pack.texts as { logo?: { assetId: string } | null };
  return logo ? { logoUrl: imageUrl(registry, pack, logo.assetId) } : {};
}

function imageUrl(
  { storeOrigin }: StrictRegistry,
  pack: Pack,
  assetId: string,
): string | undefined {
  const isKept = [...pack.assets.values()].some(({ id }) => id === assetId);
  return isKept ? `${storeOrigin}/store/${pack.id}/asset/${assetId}` : undefined;
}

function shownClient({ mask, origin }: StrictRegistry, { id, oauth }: Pack): object {
  return {
    maskedClientId: mask(oauth.clientId),
    maskedClientSecret: mask(oauth.clientSecret),
    authorizationUrl: "",
    tokenUrl: "",
    redirectUri: `${origin}/packsAuth/oauth2/${id}`,
  };
}

function shownConnection(
  { mask, presetKeys }: StrictRegistry,
  { type, ...secrets }: Record<string, unknown>,
): object {
  const pairs = (secrets["params"] ?? []) as { key: string; value: string }[];
  switch (type) {
    case "header":
      return {
        type,
        maskedToken: mask(String(secrets["token"])),
        headerName: "X",
        tokenPrefix: "",
      };
    case "urlParam":
    case "custom":
      return {
        type,
        params: pairs.map(({ key, value }) => ({ key, maskedValue: mask(value) })),
        domain: "tasks.example",
        presetKeys,
      };
    default:
      return { type };
  }
}

function target({ storeOrigin }: StrictRegistry, pack: Pack, kind: string, name: string) {
  const uploadUrl = `${storeOrigin}/store/${pack.id}/${kind}/${encodeURIComponent(name)}?signature=s`;
  return { uploadUrl, headers: { "x-signed": "yes" } };
}

function cutPage<Item>(
  { pageSize }: Pick<StrictRegistry, "pageSize">,
  query: URLSearchParams,
  items: readonly Item[],
) {
  const start = Number(query.get("pageToken")?.replace("after-", "") ?? 0);
  const end = start + Math.min(pageSize, Number(query.get("limit") ?? 25));
  return {
    items: items.slice(start, end),
    // Some lists end with null.
    nextPageToken: end < items.length ? `after-${end}` : null,
  };
}

function requireHigher(version: string, newest: string | undefined): void {
  if (newest !== undefined && !isLower(newest, version))
    throw new Refusal(400, `Version ${version} is not newer than ${newest}.`);
}

function isLower(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(".").map(Number));
  for (const at of [0, 1, 2])
    if ((left?.[at] ?? 0) !== (right?.[at] ?? 0)) return (left?.[at] ?? 0) < (right?.[at] ?? 0);
  return false;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function send(response: ServerResponse, { status, body }: Answered): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
