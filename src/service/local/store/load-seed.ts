import { tokenDigest } from "../api/caller.ts";
import type { WorkspaceRecord } from "../api/memberships.ts";
import { stableId } from "./ids.ts";
import { getDocId, loadDoc } from "./load-seed-doc.ts";
import type { SeedTransaction } from "./load-seed-tables.ts";
import { DERIVED_TABLES, STATE_TABLES, type StateTable } from "./schema.ts";
import type { Seed } from "./seed.ts";
import type { SeedAnalytics } from "./seed-analytics.ts";
import { saveSetting } from "./settings.ts";
import { renewService } from "./versions.ts";

/** Replaces everything that the service holds by the seed. */
export async function loadSeed(db: SeedTransaction, seed: Seed, nowMs: number): Promise<void> {
  for (const table of [...(Object.keys(STATE_TABLES) as StateTable[]), ...DERIVED_TABLES])
    await db.deleteFrom(table).execute();
  const workspaceId = await loadWorkspace(db, seed.workspace ?? {});
  await saveSetting(db, "analytics", JSON.stringify(analyticsById(seed)));
  await renewService(db);
  const userIds = new Map(seed.users.map(({ email }) => [email, stableId("u-", email)]));
  const findOwner = (email: string | undefined) =>
    userIds.get(email ?? seed.users[0]?.email ?? "") ?? "";
  await loadUsers(db, seed.users, findOwner);
  await loadTokens(db, seed.tokens ?? [], findOwner);
  for (const doc of seed.docs)
    await loadDoc(db, doc, {
      ownerId: findOwner(doc.owner),
      workspaceId,
      people: seed.users,
      nowMs,
    });
}

async function loadWorkspace(
  db: SeedTransaction,
  {
    id = "ws-local00000",
    name = "Local workspace",
    groups = [],
    ...options
  }: Partial<NonNullable<Seed["workspace"]>>,
): Promise<string> {
  const record: WorkspaceRecord = {
    organizationId: "org-local00000",
    ...options,
    groups: groups.map((group) => ({ ...group, id: group.id ?? stableId("grp-", group.name) })),
  };
  await db
    .insertInto("workspaces")
    .values({ id, name, position: 0, record: JSON.stringify(record) })
    .execute();
  return id;
}

async function loadUsers(
  db: SeedTransaction,
  users: Seed["users"],
  getId: (email: string) => string,
): Promise<void> {
  for (const [position, { name, email, role = "Admin", isMember = true }] of users.entries())
    await db
      .insertInto("users")
      .values({
        id: getId(email),
        position,
        name,
        email,
        record: JSON.stringify({ role, isMember }),
      })
      .execute();
}

async function loadTokens(
  db: SeedTransaction,
  tokens: NonNullable<Seed["tokens"]>,
  findOwner: (email: string | undefined) => string,
): Promise<void> {
  for (const { token, name = "Seeded token", user, ...grant } of tokens) {
    const { scopes = ["read", "write"], docId, tableId } = grant;
    const record = {
      canRead: scopes.includes("read"),
      canWrite: scopes.includes("write"),
      docId,
      tableId,
    };
    await db
      .insertInto("tokens")
      .values({
        token_sha256: tokenDigest(token),
        user_id: findOwner(user),
        name,
        record: JSON.stringify(record),
      })
      .execute();
  }
}

/** Counts belong to a document, also after its title changes. */
function analyticsById({ docs, analytics = {} }: Seed): SeedAnalytics {
  const getId = (title: string) => docs.filter((doc) => doc.title === title).map(getDocId)[0] ?? "";
  const byId = <Counted extends { doc: string }>(counted: readonly Counted[] = []) =>
    counted.map((each) => ({ ...each, doc: getId(each.doc) }));
  return { docs: byId(analytics.docs), pages: byId(analytics.pages), packs: analytics.packs };
}
