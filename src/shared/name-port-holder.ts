import { isPackError } from "../errors.ts";
import { portInUse } from "./loopback-server.ts";
import { findPortHolder } from "./port-holder.ts";

/** An error about a port that is taken, with the program that has it, where that can be known; any other error as it is. */
export async function namePortHolder(error: unknown, env: NodeJS.ProcessEnv): Promise<unknown> {
  if (!isPackError(error, "PORT_IN_USE")) return error;
  const holder = await findPortHolder(error.details.port, { env });
  if (holder === undefined) return error;
  return portInUse({ ...error.details, holder: `${holder.name} (process ${holder.pid})`, hint: error.hint }, error.cause);
}
