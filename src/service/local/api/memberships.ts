import type { Kysely } from "kysely";
import * as z from "zod";
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
  /** Every member may create docs: an Editor who does becomes a Doc Maker (decision 82). */
  anyMemberMayCreateDocs?: boolean | undefined;
  /** Who has an address of one of these joins with the first doc that is created. */
  autoJoinDomains?: readonly string[] | undefined;
  groups?: readonly Group[] | undefined;
}

export interface Workspace extends WorkspaceRecord {
  id: string;
  name: string;
}

/** The workspace of the service; there is one. */
export async function workspaceOf(db: Kysely<ServiceSchema>): Promise<Workspace> {
  const { record, ...workspace } = await db
    .selectFrom("workspaces")
    .select(["id", "name", "record"])
    .orderBy("position")
    .executeTakeFirstOrThrow();
  return { ...(JSON.parse(record) as WorkspaceRecord), ...workspace };
}

/** The groups and workspaces of a caller. */
export async function membershipsOf(
  db: Kysely<ServiceSchema>,
  { email, isMember }: Pick<Caller, "email" | "isMember">,
): Promise<{ groups: Group[]; workspaceIds: string[] }> {
  const { id, groups = [] } = await workspaceOf(db);
  return { groups: groups.filter(({ members }) => members.includes(email)), workspaceIds: isMember ? [id] : [] };
}

/** Whom a permission is for. */
export type Principal =
  | { type: "email"; email: string }
  | { type: "group"; groupId: string; groupName?: string | undefined }
  | { type: "domain"; domain: string }
  | { type: "workspace"; workspaceId: string }
  | { type: "anyone" };

const text = z.string().min(1).max(1_000);

export const principalSchema: z.ZodType<Principal> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("email"), email: text }),
  z.object({ type: z.literal("group"), groupId: text }),
  z.object({ type: z.literal("domain"), domain: text }),
  z.object({ type: z.literal("workspace"), workspaceId: text }),
  z.object({ type: z.literal("anyone") }),
]);

/** What makes two principals the same one (decision 85). */
export function principalKey(principal: Principal): string {
  switch (principal.type) {
    case "email":
      return `email ${principal.email.toLowerCase()}`;
    case "group":
      return `group ${principal.groupId}`;
    case "domain":
      return `domain ${principal.domain.toLowerCase()}`;
    case "workspace":
      return `workspace ${principal.workspaceId}`;
    case "anyone":
      return "anyone";
  }
}

/** Someone who asks for access. */
export interface Subject {
  email: string;
  /** Groups and workspaces that the person belongs to. */
  groupIds: readonly string[];
  workspaceIds: readonly string[];
}

export function includes(principal: Principal, subject: Subject): boolean {
  switch (principal.type) {
    case "email":
      return principal.email.toLowerCase() === subject.email.toLowerCase();
    case "group":
      return subject.groupIds.includes(principal.groupId);
    case "domain":
      return subject.email.toLowerCase().endsWith(`@${principal.domain.toLowerCase()}`);
    case "workspace":
      return subject.workspaceIds.includes(principal.workspaceId);
    case "anyone":
      return true;
  }
}
