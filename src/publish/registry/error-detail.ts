import type { FindingAt } from "../../service/contract/registry/registry-models.ts";
import { isRecord } from "../../shared/values.ts";

/** @returns the problems that the body of an error lists; empty when it lists none */
export function readProblems(body: unknown): FindingAt[] {
  const detail = isRecord(body) ? body["codaDetail"] : undefined;
  const problems = isRecord(detail) ? detail["validationErrors"] : undefined;
  return Array.isArray(problems)
    ? problems.filter(isRecord).map(({ path = "", message = "" }) => ({
        path: String(path),
        message: String(message),
      }))
    : [];
}
