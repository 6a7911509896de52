import type { PackPrincipal } from "./registry-models.ts";

/** One text for each user, workspace or group; letters of an email address count in either case. */
export function principalKey(principal: PackPrincipal): string {
  switch (principal.type) {
    case "user":
      return `user ${principal.email.toLowerCase()}`;
    case "workspace":
      return `workspace ${principal.workspaceId}`;
    case "group":
      return `group ${principal.groupId}`;
    case "worldwide":
      return "worldwide";
  }
}
