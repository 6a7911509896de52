import type { Envelope } from "../../../contract/models/model.ts";
import type {
  Control,
  ControlReference,
  Formula,
  FormulaReference,
} from "../../../contract/models/responses.ts";
import { findParts, type StoredFormula } from "../../store/doc-parts.ts";
import { encodeSegment } from "../encode-segment.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { readChoice, readLimit } from "../request-input.ts";
import { createResources } from "../resources.ts";
import { findNamed, openWholeDoc, readPageNames, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 100;

export function listFormulas(call: ServiceCall): Promise<Envelope<FormulaReference>> {
  return listNamed(call, "formula");
}

export function listControls(call: ServiceCall): Promise<Envelope<ControlReference>> {
  return listNamed(call, "control");
}

export async function getFormula(call: ServiceCall): Promise<Formula> {
  const { id: docId } = await openWholeDoc(call);
  const idOrName = call.params["formulaIdOrName"] ?? "";
  const place = { docId, kind: "formula" } as const;
  const formula = findNamed(
    call,
    await findParts(call.state.storage.db, place, { idOrName }),
    idOrName,
  );
  if (formula === undefined)
    throw new HttpError(404, "Could not find a formula with the specified ID or name.");
  return {
    ...(await referenceMaker(call, docId, "formula"))(formula),
    type: "formula",
    value: formula.value,
  };
}

export async function getControl(call: ServiceCall): Promise<Control> {
  const { id: docId } = await openWholeDoc(call);
  const idOrName = call.params["controlIdOrName"] ?? "";
  const place = { docId, kind: "control" } as const;
  const control = findNamed(
    call,
    await findParts(call.state.storage.db, place, { idOrName }),
    idOrName,
  );
  if (control === undefined)
    throw new HttpError(404, "Could not find a control with the specified ID or name.");
  const reference = (await referenceMaker(call, docId, "control"))(control);
  return { ...reference, type: "control", controlType: control.controlType, value: control.value };
}

async function listNamed<const Kind extends "formula" | "control">(call: ServiceCall, kind: Kind) {
  const { id: docId } = await openWholeDoc(call);
  const { db } = call.state.storage;
  return await listResponse(call, {
    parameters: () => {
      const sortBy = readChoice(call.query, "sortBy", ["name"]);
      return {
        limit: readLimit(call.query, MAX_LIMIT, 25),
        ...(sortBy === undefined ? {} : { sortBy }),
      };
    },
    // Upper and lower case are equal; equal names are sorted by id.
    items: ({ sortBy }, _seq, page) =>
      findParts(
        db,
        { docId, kind },
        { ...page, order: sortBy === "name" ? "sort_name" : "position" },
      ),
    getSortKey: (part, { sortBy }) =>
      sortBy === "name" ? [part.name.toLowerCase(), part.id] : [part.position, part.id],
    render: await referenceMaker(call, docId, kind),
  });
}

async function referenceMaker<const Kind extends "formula" | "control">(
  call: ServiceCall,
  docId: string,
  type: Kind,
) {
  const { root } = call;
  const resources = createResources(root);
  const pages = await readPageNames(call, docId);
  return ({ id, name, pageId }: StoredFormula) => {
    const page = pages.get(pageId ?? "");
    const href = `${root}/docs/${encodeSegment(docId)}/${type}s/${encodeSegment(id)}`;
    return {
      id,
      type,
      href,
      name,
      ...(page === undefined ? {} : { parent: resources.page(docId, page) }),
    };
  };
}
