import { PackError } from "../../errors.ts";
import { toServiceError } from "../../service/client/errors.ts";
import { networkCode, networkReason } from "../../shared/failures.ts";
import { readProblems } from "./error-detail.ts";
import type { RegistryAddress } from "./registry-address.ts";

type Response = { status: number; body: unknown };

/** What an answer that is not of the class 2xx means. */
export function describeRefusal(
  registry: RegistryAddress,
  operation: string,
  packId: number | undefined,
  response: Response,
): PackError {
  const { status } = response;
  const { message: summary } = toServiceError(operation, response);
  const problems = readProblems(response.body).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  const message = problems.length === 0 ? summary : `${summary} ${problems.join("; ")}`;
  if (status === 401) {
    return new PackError("REGISTRY_TOKEN_REFUSED", `${registry.host} does not accept the token.`, {
      details: { registry: registry.origin },
      hint: "Create a new token in your account settings. Then run packsmith login. If PACKSMITH_REGISTRY_TOKEN contains the old token, replace the value.",
    });
  }
  if (
    packId !== undefined &&
    (status === 403 ||
      // Who has no access is also told that there is no such Pack.
      (status === 404 && (operation === "getPack" || /pack with the specified/i.test(message))))
  ) {
    return new PackError(
      "REGISTRY_FORBIDDEN",
      `You cannot do this with Pack ${packId}: ${message}`,
      {
        details: { operation, packId },
        hint: "Check the Pack ID in the command or in .coda-pack.json. Or ask an administrator of the Pack for edit access.",
        cause: response,
      },
    );
  }
  return new PackError(
    "REGISTRY_FAILED",
    `${registry.host} answered with status ${status}: ${message}`,
    {
      details: { operation, status },
      hint:
        status >= 500 || status === 429
          ? "Run the command again later. The command continues where it stopped."
          : "Correct the mistake that the message describes.",
      cause: response,
    },
  );
}

export function describeOtherServer(
  registry: RegistryAddress,
  operation: string,
  status: number,
): PackError<"REGISTRY_FAILED"> {
  return new PackError(
    "REGISTRY_FAILED",
    `The response from ${registry.host} is not a valid registry response.`,
    {
      details: { operation, status },
      hint: "Check the address of the registry. A proxy or a login page of your network may have responded instead.",
    },
  );
}

export function describeUnreachable(
  registry: RegistryAddress,
  operation: string,
  cause: Error,
): PackError<"REGISTRY_UNREACHABLE"> {
  const reason = describeReason(cause);
  const isRedirect = reason === "unexpected redirect";
  const happened = isRedirect
    ? "redirects to another address, and packsmith does not send the token there"
    : `did not answer: ${reason}`;
  return new PackError("REGISTRY_UNREACHABLE", `${registry.host} ${happened}.`, {
    details: { registry: registry.origin, operation },
    hint: isRedirect
      ? "Pass the final address of the registry with --registry. If a proxy or a login page of your network responds, log in there first."
      : "Check the network and the address, then run the command again. The command continues where it stopped.",
    cause,
  });
}

function describeReason(error: Error): string {
  const words = networkReason(error);
  return words === undefined || words === networkCode(error) ? firstMessage(error) : words;
}

/** The first error of a chain of causes. Those after it only say that a request failed. */
function firstMessage({ cause, message }: Error): string {
  return cause instanceof Error ? firstMessage(cause) : message.replace(/\.$/, "");
}
