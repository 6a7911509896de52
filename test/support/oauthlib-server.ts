import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";

/** Where Debian installs the package. */
export const hasOAuthLib: boolean =
  existsSync("/usr/lib/python3/dist-packages/oauthlib") && existsSync("/usr/bin/python3");

export interface AuthorityUnderTest extends AsyncDisposable {
  url: string;
  /** What it was asked, with the grant of token requests, and the statuses of its answers. */
  readRequests(): Promise<[path: string, grant: string, status: number][]>;
}

/** Starts an authorization server of OAuthLib. */
export async function startOAuthLibServer(): Promise<AuthorityUnderTest> {
  const script = new URL("oauthlib-server.py", import.meta.url).pathname;
  const child = spawn("/usr/bin/python3", ["-I", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = String(line).trim();
  return {
    url,
    readRequests: async () => (await (await fetch(`${url}/requests`)).json()) as never,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
