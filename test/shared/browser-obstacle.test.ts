import { describe, expect, it } from "vitest";
import {
  type BrowserSurroundings,
  findBrowserObstacle,
} from "../../src/shared/browser-obstacle.ts";

const desk: BrowserSurroundings = {
  env: { DISPLAY: ":0" },
  platform: "linux",
  isContainer: () => false,
};

describe("findBrowserObstacle", () => {
  it.each<[string, Partial<BrowserSurroundings>]>([
    ["a Linux desktop", {}],
    ["a Wayland desktop", { env: { WAYLAND_DISPLAY: "wayland-0" } }],
    ["Linux inside Windows", { env: { WSL_DISTRO_NAME: "any" } }],
    ["a Mac", { env: {}, platform: "darwin" }],
    ["Windows", { env: {}, platform: "win32" }],
    ["variables that are empty", { env: { DISPLAY: ":0", SSH_TTY: "", CODESPACES: "" } }],
  ])("expects a browser on %s", (_, surroundings) => {
    expect(findBrowserObstacle({ ...desk, ...surroundings })).toBeUndefined();
  });

  it.each<[string, Partial<BrowserSurroundings>, string]>([
    [
      "SSH",
      { env: { DISPLAY: ":0", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" } },
      "this is an SSH session",
    ],
    [
      "SSH on a Mac",
      { env: { SSH_TTY: "/dev/ttys001" }, platform: "darwin" },
      "this is an SSH session",
    ],
    ["a container", { isContainer: () => true }, "this is a container"],
    [
      "a development container",
      { env: { REMOTE_CONTAINERS: "true" }, isContainer: () => true },
      "this is a development container",
    ],
    [
      "a codespace over SSH",
      { env: { CODESPACES: "true", SSH_TTY: "/dev/pts/0" } },
      "this is a development container",
    ],
    ["Linux without a display", { env: {} }, "there is no display"],
  ])("finds an obstacle in %s", (_, surroundings, reason) => {
    expect(findBrowserObstacle({ ...desk, ...surroundings })).toBe(reason);
  });
});
