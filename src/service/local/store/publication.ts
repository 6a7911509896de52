import type { Kysely } from "kysely";
import type { DocPublished } from "../../contract/models/responses.ts";
import { encodeSegment } from "../api/encode-segment.ts";
import type { ServiceSchema } from "./schema.ts";

export const PUBLISH_MODES = ["view", "play", "edit"] as const;

/** How a document is published, as it is stored with it. */
export interface Publication {
  slug: string;
  discoverable: boolean;
  earnCredit: boolean;
  categoryNames: readonly string[];
  mode: (typeof PUBLISH_MODES)[number];
  publishedAtMs: number;
}

/** What the publish operation takes. */
export type PublicationSettings = {
  [Key in Exclude<keyof Publication, "publishedAtMs">]?: Publication[Key] | undefined;
};

/** Categories of the local service; the real list is not published. */
export const CATEGORIES = ["Business", "Design", "Education", "Engineering", "Personal"] as const;

/** Keeps earlier settings that are not given again. */
export function mergePublication(
  known: Publication | undefined,
  settings: PublicationSettings,
  fallback: { slug: string; nowMs: number },
): Publication {
  return {
    slug: settings.slug ?? known?.slug ?? fallback.slug,
    discoverable: settings.discoverable ?? known?.discoverable ?? false,
    earnCredit: settings.earnCredit ?? known?.earnCredit ?? false,
    categoryNames: settings.categoryNames ?? known?.categoryNames ?? [],
    mode: settings.mode ?? known?.mode ?? "view",
    publishedAtMs: known?.publishedAtMs ?? fallback.nowMs,
  };
}

export function createSlug(title: string): string {
  return (
    title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "doc"
  );
}

/** @param asObjects the public service shows categories as objects */
export function renderPublication(
  origin: string,
  publication: Publication,
  asObjects: boolean,
): DocPublished {
  const { slug, discoverable, earnCredit, mode, categoryNames } = publication;
  return {
    browserLink: `${origin}/@${encodeSegment(slug)}`,
    discoverable,
    earnCredit,
    mode,
    categories: asObjects
      ? (categoryNames.map((name) => ({ name })) as unknown as string[])
      : [...categoryNames],
  };
}

/** A slug that another document has gets a number. */
export async function freeSlug(
  db: Kysely<ServiceSchema>,
  docId: string,
  wanted: string,
): Promise<string> {
  const rows = await db
    .selectFrom("docs")
    .select("record")
    .where("deleted", "=", 0)
    .where("id", "!=", docId)
    .where("record", "like", '%"published":%')
    .execute();
  const taken = new Set(
    rows.map(({ record }) => (JSON.parse(record) as { published?: Publication }).published?.slug),
  );
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}
