import type { PackPrincipal } from "../../contract/registry/registry-models.ts";

/** What makes a principal the same one again: everything but the name of a group. */
export function principalKey(principal: PackPrincipal): string {
  const members = Object.entries(principal).filter(([name]) => name !== "groupName");
  const texts = members.map(([name, value]) => {
    const text = String(value);
    // Letters of an email address count in either case.
    return `${name}=${name === "email" ? text.toLowerCase() : text}`;
  });
  return texts.sort().join(" ");
}
