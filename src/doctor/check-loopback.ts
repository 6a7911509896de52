import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { listenOnLoopback } from "../shared/loopback-server.ts";
import type { Finding } from "./finding.ts";

/** A busy machine answers late, a firewall or a proxy not at all: in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Whether this process reaches a server of its own: redirects, the local provider and the local service depend on it. */
export async function checkLoopback(): Promise<Finding[]> {
  const nonce = randomUUID();
  const server = await listenOnLoopback((_request, response) => void response.end(nonce), 0);
  try {
    const answer = await ask(`http://127.0.0.1:${server.port}/`);
    if (answer !== nonce) return [unreachable(answer === undefined ? "is not reached" : "is answered by somebody else")];
  } finally {
    await server.close();
  }
  const addresses = await lookup("localhost", { all: true }).catch(() => []);
  const foreign = addresses.find(({ address }) => address !== "::1" && !address.startsWith("127."));
  if (addresses.length > 0 && foreign === undefined) {
    return [{ check: "loopback", status: "fine", message: "Servers on 127.0.0.1 are reached, and localhost is this machine." }];
  }
  return [
    {
      check: "loopback",
      status: "warning",
      message: `Servers on 127.0.0.1 are reached, but localhost is ${foreign === undefined ? "no known name" : "another machine"}.`,
      hint: "Add the line 127.0.0.1 localhost to the hosts file, or do not use --redirect-host localhost.",
    },
  ];
}

function unreachable(what: string): Finding {
  return {
    check: "loopback",
    status: "problem",
    message: `A server on 127.0.0.1 ${what}.`,
    hint: "When a proxy is in use, set NO_PROXY=127.0.0.1,localhost,[::1]; otherwise let the firewall pass loopback.",
  };
}

async function ask(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
    return (await response.text()).slice(0, 100);
  } catch {
    return undefined;
  }
}
