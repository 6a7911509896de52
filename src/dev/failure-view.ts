import { toFailure } from "../shared/failure.ts";
import type { FailureView } from "./wire/failure.ts";

/** Whatever was thrown, as the page shows it. */
export function failureView(thrown: unknown): FailureView {
  return { ...toFailure(thrown).error };
}
