import type { MutationStatus } from "../../../contract/models/responses.ts";
import { HttpError } from "../http-error.ts";
import type { ServiceCall } from "../service-call.ts";

export async function getMutationStatus({ state, caller, params }: ServiceCall): Promise<MutationStatus> {
  const status = await state.mutations.statusOf(params["requestId"] ?? "", caller.userId);
  if (status === undefined) throw new HttpError(404, "No request was found with the given id, or it has expired.");
  return status;
}
