import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { namedProxies, supportsProxies, usesProxies } from "../oauth/send-out.ts";
import { findBrowserObstacle } from "../shared/browser-obstacle.ts";
import { findProgram } from "../shared/find-program.ts";
import { listenOnLoopback } from "../shared/loopback-server.ts";
import { findPortHolder } from "../shared/port-holder.ts";
import { canParseUrl } from "../shared/urls.ts";
import type { Finding } from "./examination.ts";
import type { Machine } from "./finding.ts";

/**
 * In milliseconds: long enough for a busy machine. A firewall or a proxy does not answer at all.
 */
const LOOPBACK_TIMEOUT_MS = 3_000;

/** Checks that this process can reach its own server. Redirects and the local servers need this. */
export async function checkLoopback(): Promise<Finding[]> {
  const nonce = randomUUID();
  const server = await listenOnLoopback((_request, response) => void response.end(nonce), 0);
  try {
    const answer = await ask(`http://127.0.0.1:${server.port}/`);
    if (answer !== nonce)
      return [
        createUnreachableFinding(
          answer === undefined
            ? "cannot be reached"
            : "responds, but another program sent the response",
        ),
      ];
  } finally {
    await server.close();
  }
  const addresses = await lookup("localhost", { all: true }).catch(() => []);
  const foreign = addresses.find(({ address }) => address !== "::1" && !address.startsWith("127."));
  if (addresses.length > 0 && foreign === undefined) {
    return [
      {
        check: "loopback",
        status: "fine",
        message: "packsmith can reach servers on 127.0.0.1, and localhost is the same address.",
      },
    ];
  }
  return [
    {
      check: "loopback",
      status: "warning",
      message: `packsmith can reach servers on 127.0.0.1, but localhost ${foreign === undefined ? "is unknown" : "is another machine"}.`,
      hint: "Add the line 127.0.0.1 localhost to the hosts file, or do not use --redirect-host localhost.",
    },
  ];
}

function createUnreachableFinding(what: string): Finding {
  return {
    check: "loopback",
    status: "problem",
    message: `A server on 127.0.0.1 ${what}.`,
    hint: "If you use a proxy, set NO_PROXY=127.0.0.1,localhost,[::1]. Otherwise, allow loopback in the firewall.",
  };
}

async function ask(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(LOOPBACK_TIMEOUT_MS),
      redirect: "manual",
    });
    return (await response.text()).slice(0, 100);
  } catch {
    return undefined;
  }
}

/** The default port of `packsmith dev`. */
const DEV_PORT = 4000;

/** Checks whether ports are free, and which program uses them. */
export async function checkPorts(machine: Machine): Promise<Finding[]> {
  const ports = [...new Set([DEV_PORT, ...machine.ports])];
  return Promise.all(ports.map((port) => checkPort(port, machine)));
}

async function checkPort(port: number, { platform, timeoutMs, env }: Machine): Promise<Finding> {
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
        message: `You do not have permission to use port ${port}.`,
        hint: "Register a redirect URI with a port above 1023.",
      };
    }
  }
  const holder = await findPortHolder(port, { platform, timeoutMs, env });
  const message = `Port ${port} is in use${holder === undefined ? "" : ` by ${holder.name} (process ${holder.pid})`}.`;
  if (port === DEV_PORT)
    return {
      check,
      status: "note",
      message,
      hint: "packsmith dev uses the next free port. To choose a port, pass --port.",
    };
  return {
    check,
    status: "warning",
    message,
    hint: "Stop the other program, or use another registered port.",
  };
}

/** The host names of local servers. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost"];

/**
 * Checks the proxies of the environment: whether Node uses them, and whether loopback is excluded.
 */
export function checkProxy({ env, nodeVersion }: Machine): Finding[] {
  const check = "proxy";
  const named = namedProxies(env);
  if (named.length === 0)
    return [{ check, status: "fine", message: "The environment sets no proxy." }];
  const invalid = named.filter(({ value }) => !canParseUrl(value));
  if (invalid.length > 0) {
    return invalid.map(({ name }) => ({
      check,
      status: "warning",
      message: `${name} is not a valid URL.`,
      hint: "Write a URL such as http://proxy.example:8080.",
    }));
  }
  // The URL of a proxy often contains a password, so show only the host.
  const shown = named.map(({ name, value }) => `${name} (${new URL(value).host})`).join(", ");
  if (!usesProxies(env, nodeVersion)) {
    return [
      {
        check,
        status: "note",
        message: `${shown} is set, but this version of Node does not use a proxy: packsmith sends requests directly.`,
        hint: supportsProxies(nodeVersion)
          ? "If direct requests fail, set NODE_USE_ENV_PROXY=1."
          : "If direct requests fail, use Node 24 or later with NODE_USE_ENV_PROXY=1.",
      },
    ];
  }
  const excluded = (env["NO_PROXY"] || env["no_proxy"] || "").split(/[\s,]+/);
  const missing = excluded.includes("*")
    ? []
    : LOOPBACK_NAMES.filter((name) => !excluded.includes(name));
  if (missing.length === 0)
    return [
      {
        check,
        status: "fine",
        message: `packsmith sends requests through ${shown}, except to servers on this machine.`,
      },
    ];
  return [
    {
      check,
      status: "warning",
      message: `packsmith also uses ${shown} for servers on this machine: NO_PROXY does not contain ${missing.join(" and ")}.`,
      hint: "Set NO_PROXY=127.0.0.1,localhost,[::1] in addition.",
    },
  ];
}

/** Programs that open links on a Linux desktop, the most general first. */
const OPENERS = [
  "xdg-open",
  "wslview",
  "x-www-browser",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "firefox",
  "microsoft-edge",
];

/** Checks whether `auth connect` can open a browser that can reach this machine. */
export function checkBrowser({ env, platform }: Machine): Finding[] {
  const check = "browser";
  const obstacle = findBrowserObstacle({ env, platform });
  if (obstacle !== undefined) {
    return [
      {
        check,
        status: "note",
        message: `Your browser probably cannot reach this machine: ${obstacle}.`,
        hint: "auth connect prints a link, and asks for the address of the last page. To open a browser on this machine, pass --browser system.",
      },
    ];
  }
  if (platform !== "linux")
    return [{ check, status: "fine", message: "The system's browser opens links." }];
  const opener = OPENERS.find((name) => findProgram(name, env) !== undefined);
  if (opener !== undefined) return [{ check, status: "fine", message: `${opener} opens links.` }];
  return [
    {
      check,
      status: "warning",
      message: "No browser was found.",
      hint: "Install a browser and xdg-utils. Or pass --no-browser, and open the printed link yourself.",
    },
  ];
}
