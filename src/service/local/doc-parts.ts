import type { Kysely } from "kysely";
import type { CellEdit } from "../contract/wire.ts";
import type { ServiceSchema } from "./schema.ts";

interface Part {
  id: string;
  name: string;
  position: number;
}

export interface StoredPage extends Part {
  subtitle: string | undefined;
  isHidden: boolean;
  /** The page above. */
  parentId: string | undefined;
  createdAtMs: number;
}

export interface StoredFormula extends Part {
  pageId: string | undefined;
  value: CellEdit;
}

export interface StoredControl extends StoredFormula {
  controlType: string;
}

interface StoredAutomation extends Part {
  enabled: boolean;
}

interface Parts {
  page: StoredPage;
  formula: StoredFormula;
  control: StoredControl;
  automation: StoredAutomation;
}

/** What a document contains of one kind, in the order in which it was created. */
export async function listParts<Kind extends keyof Parts>(db: Kysely<ServiceSchema>, docId: string, kind: Kind): Promise<Parts[Kind][]> {
  const rows = await db
    .selectFrom("doc_parts")
    .select(["id", "name", "position", "record"])
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  return rows.map(({ record, ...part }) => ({ ...JSON.parse(record), ...part }));
}
