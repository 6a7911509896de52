import type { User } from "../../contract/wire.ts";
import { createResources } from "../resources.ts";
import type { ServiceCall } from "../service-call.ts";

export async function whoami({ state, caller, root }: ServiceCall): Promise<User> {
  const workspace = await state.storage.db.selectFrom("workspaces").select(["id", "name"]).orderBy("position").executeTakeFirstOrThrow();
  return {
    name: caller.name,
    loginId: caller.email,
    type: "user",
    href: `${root}/users/${encodeURIComponent(caller.userId)}`,
    scoped: !caller.canRead || !caller.canWrite || caller.docId !== undefined,
    tokenName: caller.tokenName,
    workspace: createResources(root).workspace(workspace.id, workspace.name),
  };
}
