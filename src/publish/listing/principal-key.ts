import type {
  ListedPrincipal,
  PackPrincipal,
} from "../../service/contract/registry/registry-models.ts";

const TYPES: Readonly<Record<PackPrincipal["type"], true>> = {
  user: true,
  workspace: true,
  worldwide: true,
  group: true,
  nomosOrganization: true,
  grammarlyInstitution: true,
};

/** @returns whether this version knows who the principal is */
export function isKnownPrincipal(principal: ListedPrincipal): principal is PackPrincipal {
  return Object.hasOwn(TYPES, principal.type);
}

/** One text for each principal; letters of an email address count in either case. */
export function principalKey(principal: ListedPrincipal): string {
  if (!isKnownPrincipal(principal)) {
    const { type, ...others } = principal;
    return `${type} ${JSON.stringify(others)}`;
  }
  switch (principal.type) {
    case "user":
      return `user ${principal.email.toLowerCase()}`;
    case "workspace":
      return `workspace ${principal.workspaceId}`;
    case "group":
      return `group ${principal.groupId}`;
    case "nomosOrganization":
      return `nomosOrganization ${principal.nomosOrganizationId}`;
    case "grammarlyInstitution":
      return `grammarlyInstitution ${principal.grammarlyInstitutionId}`;
    case "worldwide":
      return "worldwide";
  }
}
