import { findProgram } from "../accounts/keychain.ts";
import { findBrowserObstacle } from "../shared/browser-obstacle.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** What opens links on a Linux desktop, most general first. */
const OPENERS = ["xdg-open", "wslview", "x-www-browser", "google-chrome", "chromium", "chromium-browser", "firefox", "microsoft-edge"];

/** Whether `auth connect` can open a browser that comes back to this machine. */
export function checkBrowser({ env, platform }: Surroundings): Finding[] {
  const check = "browser";
  const obstacle = findBrowserObstacle({ env, platform });
  if (obstacle !== undefined) {
    return [
      {
        check,
        status: "note",
        message: `No browser of yours comes back to this machine: ${obstacle}.`,
        hint: "auth connect prints a link and asks for the address to which the browser was sent; --browser system tries all the same.",
      },
    ];
  }
  if (platform !== "linux") return [{ check, status: "fine", message: "The system's browser opens links." }];
  const opener = OPENERS.find((name) => findProgram(name, env) !== undefined);
  if (opener !== undefined) return [{ check, status: "fine", message: `${opener} opens links.` }];
  return [
    {
      check,
      status: "warning",
      message: "No browser was found.",
      hint: "Install one with xdg-utils, or connect with --no-browser and open the printed link yourself.",
    },
  ];
}
