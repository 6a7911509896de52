import { expect } from "vitest";
import { errorBody } from "../../../src/service/contract/models/responses.ts";
import { OPERATION_MODELS } from "../../../src/service/contract/operation-models.ts";
import { OPERATIONS } from "../../../src/service/contract/operations.ts";
import { REGISTRY_MODELS } from "../../../src/service/contract/registry/registry-operation-models.ts";
import type { RegistryOperationId } from "../../../src/service/contract/registry/registry-operations.ts";
import type { Exchange } from "../../../src/service.ts";

/**
 * Holds a response against its model: nothing is missing, and nothing is in it that is not
 * described.
 */
export function checkExchange({ operation, status, body }: Exchange): void {
  const model = status < 300 ? OPERATION_MODELS[operation].response : errorBody;
  const { data, error } = model.safeParse(body);
  expect(
    error?.issues,
    `${operation} ${status} ${JSON.stringify(body).slice(0, 500)}`,
  ).toBeUndefined();
  expect(data, operation).toEqual(body);
  const declared = OPERATION_MODELS[operation].errors as readonly number[];
  expect([OPERATIONS[operation].status, ...declared, 400, 401, 429, 500, 501], operation).toContain(
    status,
  );
}

/** The same for an operation of the registry. */
export function checkRegistryExchange({
  operation,
  status,
  body,
}: {
  operation: RegistryOperationId;
  status: number;
  body: unknown;
}): void {
  const model = status < 300 ? REGISTRY_MODELS[operation].response : errorBody;
  const { data, error } = model.safeParse(body);
  expect(
    error?.issues,
    `${operation} ${status} ${JSON.stringify(body).slice(0, 500)}`,
  ).toBeUndefined();
  expect(data, operation).toEqual(body);
}
