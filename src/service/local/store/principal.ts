import * as z from "zod";

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

/** Equal for principals that are the same person or group. */
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

/** The keys of every principal that includes someone. */
export function keysIncluding({ email, groupIds, workspaceIds }: Subject): string[] {
  const domains = [...email].flatMap((character, at) =>
    character === "@" ? [email.slice(at + 1)] : [],
  );
  const principals: Principal[] = [
    { type: "email", email },
    ...groupIds.map((groupId) => ({ type: "group", groupId }) as const),
    ...domains.map((domain) => ({ type: "domain", domain }) as const),
    ...workspaceIds.map((workspaceId) => ({ type: "workspace", workspaceId }) as const),
    { type: "anyone" },
  ];
  return principals.map(principalKey);
}

/** Someone who asks for access. */
export interface Subject {
  email: string;
  /** Groups and workspaces that the person belongs to. */
  groupIds: readonly string[];
  workspaceIds: readonly string[];
}
