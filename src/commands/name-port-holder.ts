import { isPackError, PackError } from "../errors.ts";
import { findPortHolder } from "./port-holder.ts";

/** An error about a port that is taken, with the program that has it, where that can be known; any other error as it is. */
export async function namePortHolder(error: unknown, env: NodeJS.ProcessEnv): Promise<unknown> {
  if (!isPackError(error, "PORT_IN_USE")) return error;
  const { details, hint, cause } = error;
  const holder = await findPortHolder(details.port, { env });
  if (holder === undefined) return error;
  const message = error.message.replace("another program", `${holder.name} (process ${holder.pid})`);
  return new PackError("PORT_IN_USE", message, { details, hint, cause });
}
