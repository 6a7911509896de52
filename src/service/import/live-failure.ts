import { PackError } from "../../errors.ts";
import type { ServiceError } from "../client/errors.ts";

/** What a user reads when a live service refuses a request. */
export function createLiveFailure(error: ServiceError): PackError<"IMPORT_FAILED"> {
  const { operation, status, message } = error;
  return new PackError(
    "IMPORT_FAILED",
    `The service did not answer ${operation} (status ${status}): ${message}`,
    {
      details: { operation, status },
      hint:
        status === 401
          ? "Check that the variable in --token-env contains a token for this service."
          : "Check the URL in --from, and check that the token can read the documents.",
      cause: error,
    },
  );
}
