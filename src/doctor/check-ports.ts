import { listenOnLoopback } from "../shared/loopback-server.ts";
import { findPortHolder } from "../shared/port-holder.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** Where `packsmith dev` listens unless it is told otherwise. */
const DEV_PORT = 4000;

/** Whether the ports that are asked for by number are free, and who has them. Every other server takes a free one. */
export async function checkPorts(surroundings: Surroundings): Promise<Finding[]> {
  const ports = [...new Set([DEV_PORT, ...surroundings.ports])];
  return Promise.all(ports.map((port) => checkPort(port, surroundings)));
}

async function checkPort(port: number, { platform, timeoutMs, env }: Surroundings): Promise<Finding> {
  const check = "ports";
  try {
    const server = await listenOnLoopback(() => {}, port);
    await server.close();
    return { check, status: "fine", message: `Port ${port} is free.` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") {
      return {
        check,
        status: "warning",
        message: `Port ${port} may not be used by this user.`,
        hint: "Register a redirect URI with a port above 1023.",
      };
    }
  }
  const holder = await findPortHolder(port, { platform, timeoutMs, env });
  const message = `Port ${port} is in use${holder === undefined ? "" : ` by ${holder.name} (process ${holder.pid})`}.`;
  if (port === DEV_PORT) return { check, status: "note", message, hint: "packsmith dev takes the next free one; --port names another." };
  return { check, status: "warning", message, hint: "End that program, or use another registered port." };
}
