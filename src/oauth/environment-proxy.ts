const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/** The proxies that an environment names, with the variable of each. */
export function namedProxies(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  return PROXIES.flatMap((name) => {
    const value = env[name] || env[name.toLowerCase()];
    return value === undefined || value === "" ? [] : [{ name, value }];
  });
}

/** Whether Node sends requests through them, which it has to be told to. */
export function usesProxies(env: NodeJS.ProcessEnv, nodeVersion: string, execArgv: readonly string[] = process.execArgv): boolean {
  if (!supportsProxies(nodeVersion)) return false;
  return env["NODE_USE_ENV_PROXY"] === "1" || [...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(/\s+/)].includes("--use-env-proxy");
}

/** Node reads these variables since 22.21 and 24.0. */
export function supportsProxies(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 21);
}
