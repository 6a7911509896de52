import type { Kysely } from "kysely";
import type { Subject } from "../store/principal.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { Caller } from "./caller.ts";

export interface Group {
  id: string;
  name: string;
  /** E-mails. */
  members: readonly string[];
}

/** What is stored with the workspace. */
export interface WorkspaceRecord {
  organizationId?: string | undefined;
  isEnterprise?: boolean | undefined;
  /** Every member may create docs: an Editor who does so becomes a Doc Maker. */
  anyMemberMayCreateDocs?: boolean | undefined;
  /** Users with an address of one of these domains join when they create their first doc. */
  autoJoinDomains?: readonly string[] | undefined;
  groups?: readonly Group[] | undefined;
}

export interface Workspace extends WorkspaceRecord {
  id: string;
  name: string;
}

/** The workspace of the service; there is one. */
export async function readWorkspace(db: Kysely<ServiceSchema>): Promise<Workspace> {
  const { record, ...workspace } = await db
    .selectFrom("workspaces")
    .select(["id", "name", "record"])
    .orderBy("position")
    .executeTakeFirstOrThrow();
  return { ...(JSON.parse(record) as WorkspaceRecord), ...workspace };
}

/** A caller with groups and workspaces. */
export async function readMemberships(
  db: Kysely<ServiceSchema>,
  { email, isMember }: Pick<Caller, "email" | "isMember">,
): Promise<Subject> {
  const { id, groups = [] } = await readWorkspace(db);
  return {
    email,
    groupIds: groups.filter(({ members }) => members.includes(email)).map((group) => group.id),
    workspaceIds: isMember ? [id] : [],
  };
}
