import isInsideContainer from "is-inside-container";

/** What decides whether a browser on this machine can finish a flow. */
export interface BrowserSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Whether the process runs in a container. @default is-inside-container */
  isContainer?: (() => boolean) | undefined;
}

/**
 * Why a redirect to this machine would probably not arrive: the person's browser runs elsewhere, or
 * there is none. Undefined
 * when a browser can be expected here.
 */
export function findBrowserObstacle({
  env,
  platform,
  isContainer = isInsideContainer,
}: BrowserSurroundings): string | undefined {
  const isSet = (...names: string[]): boolean =>
    names.some((name) => env[name] !== undefined && env[name] !== "");
  if (isSet("CODESPACES", "REMOTE_CONTAINERS", "GITPOD_WORKSPACE_ID"))
    return "this is a development container";
  if (isSet("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")) return "this is an SSH session";
  if (isContainer()) return "this is a container";
  // Linux inside Windows opens the browser of Windows, which shares the loopback address.
  if (platform === "linux" && !isSet("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))
    return "there is no display";
  return undefined;
}
