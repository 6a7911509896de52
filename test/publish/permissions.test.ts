import { describe, expect, it } from "vitest";
import {
  comparePermissions,
  readPermission,
  writePermission,
} from "../../src/publish/listing/permissions.ts";
import type { ListedPrincipal } from "../../src/service/contract/registry/registry-models.ts";

const OTHER = { type: "planet", planetId: "mars" };
const PRINCIPALS: ListedPrincipal[] = [
  { type: "user", email: "ada@tasks.example" },
  { type: "workspace", workspaceId: "ws-1" },
  { type: "group", groupId: "group-1" },
  { type: "worldwide" },
  { type: "nomosOrganization", nomosOrganizationId: "org-1" },
  { type: "grammarlyInstitution", grammarlyInstitutionId: 7 },
  OTHER,
];

const listed = (principal: ListedPrincipal, access: "view" | "edit" = "view") => ({
  id: `id of ${principal.type}`,
  principal,
  access,
});

describe("permissions in the file of a listing", () => {
  it.each(PRINCIPALS.map((principal) => [principal.type, principal] as const))(
    "a permission of the type %s is the same after it was written and read",
    (_type, principal) => {
      expect(readPermission(writePermission(principal, "edit"))).toEqual({
        principal,
        access: "edit",
      });
    },
  );

  it("a file as it was pulled changes nothing, whoever the principals are", () => {
    const present = PRINCIPALS.map((principal) => listed(principal));
    const wanted = present.map(({ principal, access }) =>
      readPermission(writePermission(principal, access)),
    );
    expect(comparePermissions(present, wanted)).toEqual({ set: [], remove: [], unknown: [] });
  });

  it("the name of a group says nothing about who it is", () => {
    const present = [listed({ type: "group", groupId: "group-1", groupName: "Makers" })];
    const wanted = [readPermission({ group: "group-1", access: "view" })];
    expect(comparePermissions(present, wanted)).toEqual({ set: [], remove: [], unknown: [] });
  });

  it.each([
    ["is gone", [], undefined],
    ["has another access", [{ unknown: OTHER, access: "edit" as const }], undefined],
    ["is new", [{ unknown: OTHER, access: "view" as const }], []],
  ])("a change of an unknown principal is found, which %s in the file", (_case, file, present) => {
    const changes = comparePermissions(present ?? [listed(OTHER)], file.map(readPermission));
    expect(changes.unknown).toEqual([OTHER]);
  });
});
