import { isLoopbackHost } from "../../define/hosts.ts";
import { isPublicSuffix } from "../../validate/network-rules.ts";
import { listOf, type Members } from "../../validate/shape.ts";
import { entriesOf, own, textOf } from "./members.ts";

export interface Server {
  /** Without a slash at its end. */
  url: string;
  domain: string;
  /** False for a place holder, because the description names no public server. */
  isNamed: boolean;
}

const PLACE_HOLDER: Server = { url: "https://api.host.example", domain: "api.host.example", isNamed: false };

/** @returns the first public server of a description. */
export function serverOf(description: Members): Server {
  for (const server of listOf(description["servers"])) {
    const url = filled(server);
    const found = url === undefined ? undefined : publicServer(url);
    if (found !== undefined) return found;
  }
  return PLACE_HOLDER;
}

/** Variables have their default value. */
function filled(server: unknown): string | undefined {
  const defaults = new Map(entriesOf(own(server, "variables")).map(([name, variable]) => [name, own(variable, "default")]));
  return textOf(own(server, "url"))?.replace(/\{([^{}]*)\}/g, (found, name: string) => {
    const value = defaults.get(name);
    return typeof value === "string" || typeof value === "number" ? String(value) : found;
  });
}

function publicServer(text: string): Server | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  const isHost = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname) && !/^[\d.]+$/.test(hostname) && hostname.length <= 253;
  const isLegal = isHost && hostname.split(".").every((label) => /^(?!-).{1,63}(?<!-)$/.test(label));
  if (!isLegal || isLoopbackHost(hostname) || isPublicSuffix(hostname) || username !== "" || password !== "") return undefined;
  // A Pack's requests are encrypted, whatever the description says.
  const origin = `https://${hostname}${protocol === "https:" && port !== "" ? `:${port}` : ""}`;
  return { url: `${origin}${pathname.replace(/\/+$/, "")}`, domain: hostname, isNamed: true };
}
