import { runTool } from "../shared/run-tool.ts";
import { type Keychain, keychainUnavailable } from "./keychain.ts";

const NAME = "macOS keychain";
const SERVICE = "packsmith";
/** errSecItemNotFound, as the tool's exit code. */
const NOT_FOUND = 44;

/**
 * The login keychain, through the system's `security`. Storing goes through its interactive mode, because a secret in its
 * arguments would be visible to every program.
 */
export function createMacosKeychain(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs?: number | undefined,
): Keychain {
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout } = await runTool(program, ["find-generic-password", "-a", id, "-s", SERVICE, "-w"], { env, timeoutMs });
    if (code === 0) return stdout.trim();
    if (code === NOT_FOUND) return undefined;
    throw keychainUnavailable(NAME, code === undefined ? "it did not answer" : "it is locked, or access was denied");
  };
  return {
    name: NAME,
    load,
    async save(id, secret) {
      // Words of letters, digits, "-" and "_" need no quotes; both are of that kind.
      if (!/^[\w-]+$/.test(id) || !/^[\w-]+$/.test(secret)) throw new TypeError("Only plain words go to the keychain.");
      await runTool(program, ["-i"], { env, timeoutMs, input: `add-generic-password -U -a ${id} -s ${SERVICE} -w ${secret}\n` });
      // The interactive mode tells no failure by its exit code.
      if ((await load(id)) !== secret) throw keychainUnavailable(NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["delete-generic-password", "-a", id, "-s", SERVICE], { env, timeoutMs });
    },
  };
}
