import { namedProxies, supportsProxies, usesProxies } from "../oauth/send-out.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** The names under which servers of this machine are asked. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost"];

/** Proxies that the environment names, whether Node uses them, and whether loopback is left out. */
export function checkProxy({ env, nodeVersion }: Surroundings): Finding[] {
  const check = "proxy";
  const named = namedProxies(env);
  if (named.length === 0) return [{ check, status: "fine", message: "No proxy is named by the environment." }];
  const invalid = named.filter(({ value }) => !URL.canParse(value));
  if (invalid.length > 0) {
    return invalid.map(({ name }) => ({
      check,
      status: "warning",
      message: `${name} is not a URL.`,
      hint: "Write it as http://proxy.example:8080.",
    }));
  }
  // A proxy's URL often holds a password: the host alone is shown.
  const shown = named.map(({ name, value }) => `${name} (${new URL(value).host})`).join(", ");
  if (!usesProxies(env, nodeVersion)) {
    return [
      {
        check,
        status: "note",
        message: `${shown} is set, but this Node does not use it: requests go out directly.`,
        hint: supportsProxies(nodeVersion)
          ? "Where that is refused, set NODE_USE_ENV_PROXY=1."
          : "Where that is refused, use Node 24 or later with NODE_USE_ENV_PROXY=1.",
      },
    ];
  }
  const left = (env["NO_PROXY"] || env["no_proxy"] || "").split(/[\s,]+/);
  const missing = left.includes("*") ? [] : LOOPBACK_NAMES.filter((name) => !left.includes(name));
  if (missing.length === 0) return [{ check, status: "fine", message: `${shown} is used, and loopback is left out.` }];
  return [
    {
      check,
      status: "warning",
      message: `${shown} is used for servers on this machine, too: NO_PROXY lacks ${missing.join(" and ")}.`,
      hint: "Set NO_PROXY=127.0.0.1,localhost,[::1] beside it.",
    },
  ];
}
