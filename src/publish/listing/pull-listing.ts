import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { PackError } from "../../errors.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { systemReason } from "../../shared/failures.ts";
import { readRegularFile } from "../../shared/files.ts";
import { makeFolder } from "../../shared/folders.ts";
import { isRecord } from "../../shared/values.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import { readFeaturedDocs } from "./featured-docs.ts";
import { LISTING_SCHEMA, type Listing } from "./listing-file.ts";
import { isUser, writePermission } from "./permissions.ts";

/** Folder of the images, next to the file. */
const IMAGES = "listing";

/**
 * Writes the listing of the registry into the file, and its images next to it. Secrets are not part
 * of it: members for accounts
 * stay as they are.
 * @returns the paths that were written
 * @throws {PackError} OUTPUT_NOT_WRITABLE
 */
export async function pullListing(
  client: RegistryClient,
  packId: number,
  path: string,
): Promise<string[]> {
  const target = { path: { packId: String(packId) } };
  const [live, { makers }, { items }, featuredDocs, own] = await Promise.all([
    client.call("getPack", target),
    client.call("listPackMakers", target),
    client.call("listPackPermissions", target),
    readFeaturedDocs(client, packId),
    client.whoami(),
  ]);
  const files: { path: string; bytes: Uint8Array }[] = [];
  const image = async (url: string, name: string): Promise<string> => {
    const bytes = await client.download(url);
    const file = `${IMAGES}/${name}${findExtension(bytes)}`;
    files.push({ path: join(dirname(path), file), bytes });
    return file;
  };
  const before = readBefore(path);
  const { logoUrl, coverUrl, exampleImages = [] } = live;
  const permissions = items.flatMap(({ principal, access }) =>
    access === "none" || isUser(principal, own.loginId) ? [] : [writePermission(principal, access)],
  );
  const listing: Listing = {
    $schema: before.$schema ?? LISTING_SCHEMA,
    name: live.name,
    shortDescription: live.shortDescription,
    description: live.description,
    ...(logoUrl === undefined ? {} : { logo: await image(logoUrl, "logo") }),
    ...(coverUrl === undefined ? {} : { cover: await image(coverUrl, "cover") }),
    exampleImages: await Promise.all(
      exampleImages.map(async ({ imageUrl, altText }, at) => ({
        file: await image(imageUrl, `example-${at + 1}`),
        ...(altText === undefined ? {} : { altText }),
      })),
    ),
    categories: live.categories.map(({ categoryName }) => categoryName),
    makers: makers.map(({ loginId }) => loginId),
    permissions,
    ...(featuredDocs.length === 0 && before.featuredDocs === undefined ? {} : { featuredDocs }),
    ...pickPresent(live, [
      "agentShortDescription",
      "agentDescription",
      "sourceCodeVisibility",
      "packEntrypoints",
      "supportEmail",
      "termsOfServiceUrl",
      "privacyPolicyUrl",
    ]),
    ...pickPresent(live, ["overallRateLimit", "perConnectionRateLimit"]),
    ...pickPresent(before, ["oauthClient", "systemConnection"]),
  };
  try {
    if (files.length > 0) makeFolder(join(dirname(path), IMAGES));
    for (const file of files) await writeAtomically(file.path, file.bytes);
    await writeAtomically(path, `${JSON.stringify(listing, undefined, 2)}\n`);
  } catch (cause) {
    throw notWritable(path, "written", cause);
  }
  return [path, ...files.map((file) => file.path)];
}

/** A file that is damaged is written again. */
function readBefore(path: string): Listing {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readRegularFile(path).toString());
    return isRecord(value) ? (value as Listing) : {};
  } catch (cause) {
    if (cause instanceof SyntaxError) return {};
    throw notWritable(path, "read", cause);
  }
}

function notWritable(path: string, what: string, cause: unknown): PackError<"OUTPUT_NOT_WRITABLE"> {
  return new PackError(
    "OUTPUT_NOT_WRITABLE",
    `${path} cannot be ${what}: ${systemReason(cause) ?? "the system refused it"}.`,
    {
      details: { path },
      hint: "Check the permissions of the file and its folder, and the free space.",
      cause,
    },
  );
}

function pickPresent<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Partial<Pick<Source, Name>> {
  return Object.fromEntries(
    names.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])),
  ) as Partial<Pick<Source, Name>>;
}

/** The kind of an image by its first bytes; the address does not say it. */
function findExtension(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\u0089PNG")) return ".png";
  if (start.startsWith("\u00ff\u00d8")) return ".jpg";
  if (start.startsWith("GIF8")) return ".gif";
  return start.startsWith("RIFF") ? ".webp" : ".svg";
}
