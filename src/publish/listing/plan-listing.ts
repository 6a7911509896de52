import { basename, dirname, extname, resolve } from "node:path";
import { sizeText } from "../../bundle/bundle-size.ts";
import { isSame } from "../../compare/members.ts";
import { isPackError, PackError } from "../../errors.ts";
import type {
  ListedPrincipal,
  PackSummary,
  SystemConnection,
  UpdatePackBody,
} from "../../service/contract/registry/registry-models.ts";
import { sha256 } from "../../shared/crypto.ts";
import { readRegularFile } from "../../shared/files.ts";
import { requireInProject } from "../../shared/project-boundary.ts";
import { combineComparisons, compareMask, type MaskComparison } from "../registry/oauth-config.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import { MAX_ASSET_BYTES } from "../registry/upload-limits.ts";
import { hasFeaturedDocs, readFeaturedDocs } from "./featured-docs.ts";
import type { ListingChange } from "./listing-change.ts";
import { LISTING_FILE, type Listing } from "./listing-file.ts";
import { comparePermissions, isUser, readPermission } from "./permissions.ts";
import { isKnownPrincipal, principalKey } from "./principal-key.ts";
import { compareSystemConnection, type SystemCredentials } from "./system-connection.ts";

/** One difference between the file and the registry, and the way to remove it. */
export interface ListingStep extends ListingChange {
  apply(): Promise<void>;
}

export interface ListingSource {
  client: RegistryClient;
  packId: number;
  /** Path of the file: images are relative to it. */
  path: string;
  listing: Listing;
  /** The OAuth client and the credentials that the file asks for. */
  oauthClient: { clientId: string; clientSecret: string | undefined } | undefined;
  systemCredentials: SystemCredentials | undefined;
}

/** Members that are sent as they are. */
const PLAIN = [
  ...([
    "name",
    "shortDescription",
    "description",
    "sourceCodeVisibility",
    "packEntrypoints",
    "supportEmail",
    "agentShortDescription",
    "agentDescription",
  ] as const),
  ...([
    "termsOfServiceUrl",
    "privacyPolicyUrl",
    "overallRateLimit",
    "perConnectionRateLimit",
  ] as const),
];

/**
 * Finds what differs between a listing file and the registry, in the order in which it is safe to
 * apply: what users see first, then
 * credentials, then new permissions, and what is taken away last. Applying a step twice changes
 * nothing.
 * @throws {PackError} CONFIG_INVALID for an image that the registry does not take, and those of the
 *   client
 */
export async function planListing(source: ListingSource): Promise<ListingStep[]> {
  const { client, packId } = source;
  const live = await client.call("getPack", { path: createPath(packId) });
  return [
    ...plainSteps(source, live),
    ...(await imageSteps(source, live)),
    ...(await nameSteps(source, live)),
    ...(await featuredDocSteps(source)),
    ...(await credentialSteps(source)),
    ...(await permissionSteps(source)),
  ];
}

function plainSteps({ client, packId, listing }: ListingSource, live: PackSummary): ListingStep[] {
  return PLAIN.flatMap((member) => {
    const wanted = listing[member];
    if (wanted === undefined || isEqual(wanted ?? undefined, live[member])) return [];
    const body = { [member]: wanted } as UpdatePackBody;
    return [
      step(member, live[member], wanted, () =>
        client.call("updatePack", { path: createPath(packId), body }),
      ),
    ];
  });
}

interface LocalImage {
  bytes: Buffer;
  filename: string;
  mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/svg+xml" | "image/webp";
}

async function imageSteps(source: ListingSource, live: PackSummary): Promise<ListingStep[]> {
  const { client, packId, listing } = source;
  const steps: ListingStep[] = [];
  const update = (body: UpdatePackBody) =>
    client.call("updatePack", { path: createPath(packId), body });
  for (const [member, url] of [
    ["logo", live.logoUrl] as const,
    ["cover", live.coverUrl] as const,
  ]) {
    const file = listing[member];
    if (file === undefined) continue;
    if (file === null) {
      if (url !== undefined)
        steps.push(step(member, "an image", "none", () => update({ [member]: null })));
      continue;
    }
    const image = await readImage(source.path, file);
    if (url !== undefined && (await isImage(client, url, image))) continue;
    const set = async () => await update({ [member]: await uploadImage(source, member, image) });
    steps.push(step(member, url === undefined ? "none" : "another image", file, set));
  }
  if (listing.exampleImages === undefined) return steps;
  const wanted = await Promise.all(
    listing.exampleImages.map(({ file }) => readImage(source.path, file)),
  );
  const shown = live.exampleImages ?? [];
  const isEqual = async (image: LocalImage, at: number) =>
    shown[at] !== undefined && (await isImage(client, shown[at].imageUrl, image));
  const equal = await Promise.all(wanted.map(isEqual));
  if (wanted.length === shown.length && equal.every(Boolean)) return steps;
  const set = async () => {
    const exampleImages = [];
    for (const image of wanted)
      exampleImages.push(await uploadImage(source, "exampleImage", image));
    await update({ exampleImages });
  };
  steps.push(
    step(
      "exampleImages",
      `${shown.length} images`,
      wanted.map(({ filename }) => filename),
      set,
    ),
  );
  return steps;
}

const TYPES: Readonly<Record<string, LocalImage["mimeType"]>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

function readIfRegular(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}

async function readImage(configPath: string, file: string): Promise<LocalImage> {
  const path = resolve(dirname(configPath), file);
  const mimeType = TYPES[extname(path).toLowerCase()];
  if (mimeType === undefined)
    throw refusedImage(configPath, file, "is not a PNG, JPEG, GIF, SVG or WebP image");
  requireInProject(path, configPath);
  const bytes = readIfRegular(path);
  if (bytes === undefined) throw refusedImage(configPath, file, "cannot be read");
  if (bytes.byteLength === 0) throw refusedImage(configPath, file, "is empty");
  if (bytes.byteLength <= MAX_ASSET_BYTES) return { bytes, filename: basename(path), mimeType };
  throw refusedImage(
    configPath,
    file,
    `has ${sizeText(bytes.byteLength)}; the limit is ${sizeText(MAX_ASSET_BYTES)}`,
  );
}

function refusedImage(
  configPath: string,
  file: string,
  problem: string,
): PackError<"CONFIG_INVALID"> {
  return new PackError("CONFIG_INVALID", `The image ${file} ${problem}.`, {
    details: { file: configPath, problems: [`${file} ${problem}`] },
    hint: "Set another image in the file.",
  });
}

async function isImage(
  client: RegistryClient,
  url: string,
  { bytes }: LocalImage,
): Promise<boolean> {
  const shown = await client.download(url).catch(() => undefined);
  return shown !== undefined && sha256(shown, "hex") === sha256(bytes, "hex");
}

async function uploadImage(
  { client, packId }: ListingSource,
  packAssetType: "logo" | "cover" | "exampleImage",
  image: LocalImage,
) {
  const { bytes, filename, mimeType } = image;
  const path = createPath(packId);
  const body = { packAssetType, imageHash: sha256(bytes, "hex"), mimeType, filename };
  const { packAssetUploadedPathName, ...target } = await client.call("uploadPackAsset", {
    path,
    body,
  });
  await client.put(target, bytes);
  const packAssetId = readAssetId(packAssetUploadedPathName);
  const { assetId } = await client.call("completePackAsset", {
    path: { ...path, packAssetId, packAssetType },
  });
  return { assetId, filename, mimeType };
}

/** The path of an uploaded image is `/packs/123/assets/ID`. */
function readAssetId(pathName: string): string {
  const [, id = pathName] = /\/assets\/([^/]+)$/.exec(pathName) ?? [];
  return id;
}

/** Categories and makers are lists of names. */
async function nameSteps(
  { client, packId, listing }: ListingSource,
  live: PackSummary,
): Promise<ListingStep[]> {
  const path = createPath(packId);
  const steps: ListingStep[] = [];
  const compare = (
    member: string,
    wanted: readonly string[],
    present: readonly string[],
    add: NameChange,
    remove: NameChange,
  ) => {
    for (const name of wanted)
      if (!present.includes(name)) steps.push(step(member, "", name, () => add(name)));
    for (const name of present)
      if (!wanted.includes(name)) steps.push(step(member, name, "", () => remove(name)));
  };
  if (listing.categories !== undefined) {
    compare(
      "categories",
      listing.categories,
      live.categories.map(({ categoryName }) => categoryName),
      (categoryName) => client.call("addPackCategory", { path, body: { categoryName } }),
      (categoryName) => client.call("deletePackCategory", { path: { ...path, categoryName } }),
    );
  }
  if (listing.makers !== undefined) {
    const { makers } = await client.call("listPackMakers", { path });
    compare(
      "makers",
      listing.makers,
      makers.map(({ loginId }) => loginId),
      (loginId) => client.call("addPackMaker", { path, body: { loginId } }),
      (loginId) => client.call("deletePackMaker", { path: { ...path, loginId } }),
    );
  }
  return steps;
}

async function featuredDocSteps({
  client,
  packId,
  listing: { featuredDocs },
}: ListingSource): Promise<ListingStep[]> {
  if (featuredDocs === undefined || (await hasFeaturedDocs(client, packId, featuredDocs)))
    return [];
  const before = await readFeaturedDocs(client, packId);
  const set = () =>
    client.call("setPackFeaturedDocs", { path: createPath(packId), body: { items: featuredDocs } });
  return [step("featuredDocs", before.length === 0 ? "" : before, featuredDocs, set)];
}

type NameChange = (name: string) => Promise<unknown>;

async function credentialSteps({
  client,
  packId,
  oauthClient,
  systemCredentials,
}: ListingSource): Promise<ListingStep[]> {
  const path = createPath(packId);
  const steps: ListingStep[] = [];
  if (oauthClient !== undefined) {
    const { maskedClientId, maskedClientSecret } = await client.call("getPackOAuthConfig", {
      path,
    });
    const { clientId, clientSecret } = oauthClient;
    const comparison = combineComparisons([
      compareMask(maskedClientId, clientId),
      compareMask(maskedClientSecret, clientSecret),
    ]);
    const from = maskedClientId || "none";
    const set = () => client.call("setPackOAuthConfig", { path, body: { clientId, clientSecret } });
    if (comparison !== "same")
      steps.push(
        step("oauthClient", describeMasked(from, comparison), "the client of the vault", set),
      );
  }
  if (systemCredentials !== undefined) {
    const credentials = systemCredentials;
    const present = await findSystemConnection(client, packId);
    const comparison =
      present === undefined ? "different" : compareSystemConnection(present, credentials);
    const from = present?.type ?? "none";
    const set = () => client.call("setPackSystemConnection", { path, body: { credentials } });
    if (comparison !== "same")
      steps.push(
        step("systemConnection", describeMasked(from, comparison), "the account of the vault", set),
      );
  }
  return steps;
}

/** A registry shows that a secret is set; how much of it, each registry decides. */
function describeMasked(shown: string, comparison: MaskComparison): string {
  return comparison === "unknown" ? `${shown}, which cannot be compared` : shown;
}

/** @returns undefined when the Pack has no connection of its own, however the registry says that */
async function findSystemConnection(
  client: RegistryClient,
  packId: number,
): Promise<SystemConnection | undefined> {
  try {
    const present = await client.call("getPackSystemConnection", { path: createPath(packId) });
    return present.type === undefined ? undefined : present;
  } catch (error) {
    if (isPackError(error, "REGISTRY_FAILED") && [400, 404].includes(error.details.status))
      return undefined;
    throw error;
  }
}

async function permissionSteps({ client, packId, listing }: ListingSource): Promise<ListingStep[]> {
  if (listing.permissions === undefined) return [];
  const path = createPath(packId);
  const [own, { items }] = await Promise.all([
    client.whoami(),
    client.call("listPackPermissions", { path }),
  ]);
  // Who applies this keeps the access that is needed for it.
  const present = items.filter(({ principal }) => !isUser(principal, own.loginId));
  const changes = comparePermissions(present, listing.permissions.map(readPermission));
  const [unknown] = changes.unknown;
  if (unknown !== undefined) throw unknownPrincipal(unknown);
  const added = changes.set.flatMap(({ permission: { principal, access }, before = "none" }) => {
    if (!isKnownPrincipal(principal)) return [];
    const body = { principal, access };
    const set = () => client.call("addPackPermission", { path, body });
    return [step(`permissions ${principalKey(principal)}`, before, access, set)];
  });
  const removed = changes.remove.map(({ id, principal, access }) =>
    step(`permissions ${principalKey(principal)}`, access, "none", () =>
      client.call("deletePackPermission", { path: { ...path, permissionId: id } }),
    ),
  );
  return [...added, ...removed];
}

function unknownPrincipal({ type }: ListedPrincipal): PackError<"CONFIG_INVALID"> {
  const problem = `permissions: the type "${type.slice(0, 60)}" is unknown, so packsmith cannot change permissions of this type`;
  return new PackError("CONFIG_INVALID", `${LISTING_FILE} is not valid: ${problem}.`, {
    details: { file: LISTING_FILE, problems: [problem] },
    hint: "To keep this permission, run packsmith config pull. To change the permission, use the registry's website.",
  });
}

function step(
  member: string,
  from: unknown,
  to: unknown,
  apply: () => Promise<unknown>,
): ListingStep {
  return {
    member,
    from: formatShown(from),
    to: formatShown(to),
    apply: async () => {
      await apply();
    },
  };
}

const MAX_SHOWN = 80;

function formatShown(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none";
  const text = typeof value === "string" ? value.replace(/\s+/g, " ") : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A registry may leave out what is empty. */
function isEqual(one: unknown, other: unknown): boolean {
  return (isEmpty(one) && isEmpty(other)) || isSame(one, other);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "";
}

function createPath(packId: number): { packId: string } {
  return { packId: String(packId) };
}
