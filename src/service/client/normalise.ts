import type { Envelope } from "../contract/models/model.ts";
import type { Doc } from "../contract/models/responses.ts";
import type { OperationId } from "../contract/operations.ts";

/** Brings the two forms of a published document's categories, texts and objects with a name, into one (V2). */
export function normalised(operation: OperationId, body: object): object {
  if (operation === "listDocs") (body as Envelope<Doc>).items.forEach(normaliseDoc);
  if (operation === "getDoc" || operation === "createDoc") normaliseDoc(body as Doc);
  return body;
}

function normaliseDoc({ published }: Doc): void {
  const categories: readonly (string | { name: string })[] | undefined = published?.categories;
  if (published && categories) published.categories = categories.map((each) => (typeof each === "string" ? each : each.name));
}
