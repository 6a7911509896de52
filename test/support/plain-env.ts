/**
 * The environment of commands in tests: a developer's own keychain and cache are none of a test's
 * business.
 */
export function plainEnv(): Record<string, string> {
  const { PATH = "", HOME = "", PACKSMITH_CACHE = "" } = process.env;
  return { PATH, HOME, PACKSMITH_CACHE, NO_COLOR: "1", CI: "1", PACKSMITH_KEY_STORE: "file" };
}
