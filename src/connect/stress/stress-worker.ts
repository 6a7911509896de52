// Runs as a child process of `stressAccount`: uses one account many times at once, or kills itself
// at a given moment.
import { writeSync } from "node:fs";
import type { AccountKey } from "../../accounts/account.ts";
import { openAccountSession } from "../../accounts/account-session.ts";
import { openVault } from "../../accounts/vault.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import { sha256 } from "../../shared/sha256.ts";

/**
 * The parent's order, as JSON on stdin. The child answers with a `StressAnswer`, unless it is
 * killed.
 */
export interface StressOrder {
  /** Folder of the vault. */
  home: string;
  key: AccountKey;
  definition: OAuthDefinition;
  /** Number of calls at once. */
  parallel: number;
  /** How far the parent's clock is ahead of the system's, in milliseconds. */
  aheadMs: number;
  /**
   * The moment of a write at which this process kills itself, counted from 0: three for each write.
   */
  killAt?: number | undefined;
}

export interface StressAnswer {
  /** SHA-256 digests of the access tokens that the calls got, each once. */
  tokens: string[];
}

const order = JSON.parse(await readStdin()) as StressOrder;
const now = () => Date.now() + order.aheadMs;
let moments = 0;
const vault = await openVault({
  directory: order.home,
  now,
  onWrite() {
    if (moments++ === order.killAt) process.kill(process.pid, "SIGKILL");
  },
});
const session = await openAccountSession({
  vault,
  key: order.key,
  definition: order.definition,
  now,
});
const tokens = await Promise.all(
  Array.from({ length: order.parallel }, () => session.getAccessToken()),
);
await vault[Symbol.asyncDispose]();
writeSync(
  1,
  JSON.stringify({
    tokens: [...new Set(tokens.map((token) => sha256(token, "base64url")))],
  } satisfies StressAnswer),
);

async function readStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}
