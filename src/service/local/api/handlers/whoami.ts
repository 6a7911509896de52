import type { User } from "../../../contract/models/responses.ts";
import { workspaceOf } from "../memberships.ts";
import { createResources } from "../resources.ts";
import type { ServiceCall } from "../service-call.ts";

export async function whoami({ state, caller, root }: ServiceCall): Promise<User> {
  return {
    name: caller.name,
    loginId: caller.email,
    type: "user",
    href: `${root}/users/${encodeURIComponent(caller.userId)}`,
    scoped: !caller.canRead || !caller.canWrite || caller.docId !== undefined,
    tokenName: caller.tokenName,
    workspace: createResources(root).workspace(await workspaceOf(state.storage.db)),
  };
}
