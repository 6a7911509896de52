import { runTool } from "../shared/run-tool.ts";
import { type Keychain, keychainUnavailable } from "./keychain.ts";

const NAME = "desktop's keyring (Secret Service)";
const LABEL = "packsmith: key of the accounts";
/** What the tool says when nobody answers on the session bus. */
const NOBODY = /could not connect|was not provided by any|serviceunknown|cannot autolaunch|not activatable/i;

/** The Secret Service of a Linux desktop, through libsecret's `secret-tool`. It reads a secret from stdin and writes one to stdout. */
export function createSecretService(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs?: number | undefined,
): Keychain {
  const attributes = (id: string): string[] => ["service", "packsmith", "vault", id];
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout, stderr } = await runTool(program, ["lookup", ...attributes(id)], { env, timeoutMs });
    if (code === 0 && stdout !== "") return stdout.trim();
    // Without a word on stderr there is no such entry, or it is locked: then its attributes are found all the same.
    if (code === 1 && stderr.trim() === "") {
      const found = await runTool(program, ["search", "--all", ...attributes(id)], { env, timeoutMs });
      if (!found.stdout.startsWith("[")) return undefined;
      throw keychainUnavailable(NAME, "it is locked");
    }
    throw keychainUnavailable(NAME, reasonOf(code, stderr));
  };
  return {
    name: NAME,
    load,
    async save(id, secret) {
      const { code, stderr } = await runTool(program, ["store", `--label=${LABEL}`, ...attributes(id)], { env, timeoutMs, input: secret });
      if (code !== 0 && NOBODY.test(stderr)) return false;
      if (code !== 0) throw keychainUnavailable(NAME, reasonOf(code, stderr));
      if ((await load(id)) !== secret) throw keychainUnavailable(NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["clear", ...attributes(id)], { env, timeoutMs });
    },
  };
}

/** The tool's last words, which hold no secret: it never repeats what it read. */
function reasonOf(code: number | undefined, stderr: string): string {
  if (code === undefined) return "it did not answer";
  const line = stderr.trim().split("\n").at(-1) ?? "";
  return /locked/i.test(line) ? "it is locked" : NOBODY.test(line) ? "nothing answers on the session bus" : "access was denied";
}
