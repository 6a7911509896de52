import { describe, expect, it } from "vitest";
import {
  invite,
  leavePack,
  listOwnInvitations,
  replyToInvitation,
  withdrawInvitation,
} from "../../../src/publish/registry/invitations.ts";
import { submitForReview, withdrawReview } from "../../../src/publish/registry/reviews.ts";
import { type StrictProject, startStrictProject } from "./strict-project.ts";

const PACK = 4_001;
const GRACE = "grace@example.com";

async function startWithVersions(...versions: string[]): Promise<StrictProject> {
  const project = await startStrictProject();
  await project.create();
  project.registry.packs
    .get(PACK)
    ?.versions.push(
      ...versions.map((packVersion) => ({ packVersion, buildNotes: "", sdkVersion: "1.17.5" })),
    );
  return project;
}

describe("reviews, at a registry that knows the public description only", () => {
  it("the newest version is submitted once, another one replaces it, and a review is withdrawn once", async () => {
    await using project = await startWithVersions("1.0.0", "1.1.0");
    const { client, registry } = project;
    expect(await submitForReview(client, PACK, { notes: "More tasks" })).toMatchObject({
      version: "1.1.0",
      isPending: false,
    });
    expect(await submitForReview(client, PACK, {})).toMatchObject({ isPending: true });
    expect(await submitForReview(client, PACK, { version: "1.0.0" })).toMatchObject({
      version: "1.0.0",
      isPending: false,
    });
    expect(await withdrawReview(client, PACK)).toMatchObject({ version: "1.0.0" });
    expect(await withdrawReview(client, PACK)).toBeUndefined();
    expect(
      registry.packs.get(PACK)?.reviews.map(({ packReviewStatus }) => packReviewStatus),
    ).toEqual(["superseded", "canceled"]);
    expect(registry.mistakes).toEqual([]);
  });

  it("a review whose answer was lost is found, and made once", async () => {
    await using project = await startWithVersions("1.0.0");
    let isFirst = true;
    project.registry.answers.set("createReview", () => {
      const outcome = isFirst ? "after" : undefined;
      isFirst = false;
      return outcome;
    });
    expect(await submitForReview(project.client, PACK, {})).toMatchObject({ version: "1.0.0" });
    expect(project.registry.packs.get(PACK)?.reviews).toHaveLength(1);
  });

  it("a version that was not uploaded is refused, and a Pack without one", async () => {
    await using project = await startWithVersions("1.0.0");
    const { client } = project;
    const refused = expect.objectContaining({ code: "VERSION_UNKNOWN" });
    await expect(submitForReview(client, PACK, { version: "9.0.0" })).rejects.toEqual(refused);
    await using empty = await startWithVersions();
    await expect(submitForReview(empty.client, PACK, {})).rejects.toEqual(refused);
  });

  it("notes that are longer than a review takes are refused before anything is sent", async () => {
    await using project = await startWithVersions("1.0.0");
    const notes = "x".repeat(8_193);
    await expect(submitForReview(project.client, PACK, { notes })).rejects.toMatchObject({
      code: "USAGE_INVALID",
    });
    expect(project.registry.packs.get(PACK)?.reviews).toEqual([]);
  });
});

describe("invitations, at a registry that knows the public description only", () => {
  it("a person is invited once; another access changes the invitation; it is withdrawn once", async () => {
    await using project = await startWithVersions();
    const { client, registry } = project;
    const outcome = async (access: "edit" | "test") =>
      (await invite(client, PACK, { email: GRACE, access })).outcome;
    expect([await outcome("test"), await outcome("test"), await outcome("edit")]).toEqual([
      "invited",
      "unchanged",
      "changed",
    ]);
    expect(registry.packs.get(PACK)?.invitations).toMatchObject([{ access: "edit" }]);
    expect(await withdrawInvitation(client, PACK, GRACE.toUpperCase())).toBe(true);
    expect(await withdrawInvitation(client, PACK, GRACE)).toBe(false);
    expect(registry.mistakes).toEqual([]);
  });

  it("an invitation beyond the first page is found", async () => {
    await using project = await startWithVersions();
    for (const name of ["a", "b", "c", "d", "e"])
      await invite(project.client, PACK, { email: `${name}@example.com`, access: "view" });
    const again = await invite(project.client, PACK, { email: "e@example.com", access: "view" });
    expect(again.outcome).toBe("unchanged");
  });

  it("an invitation whose answer was lost is found, and made once", async () => {
    await using project = await startWithVersions();
    project.registry.answers.set("createInvitation", () => "after");
    const { outcome } = await invite(project.client, PACK, { email: GRACE, access: "edit" });
    expect(outcome).toBe("invited");
    expect(project.registry.packs.get(PACK)?.invitations).toHaveLength(1);
  });

  it("one's own invitations are listed with makers and domains, and are replied to by the id of the Pack", async () => {
    await using project = await startWithVersions();
    const { client, registry } = project;
    await invite(client, PACK, { email: "ada@example.com", access: "admin" });
    expect(await listOwnInvitations(client)).toMatchObject([
      {
        packId: PACK,
        access: "admin",
        makers: ["ada@example.com"],
        networkDomains: ["tasks.example"],
      },
    ]);
    let isFirst = true;
    registry.answers.set("replyToInvitation", () => {
      const outcome = isFirst ? "after" : undefined;
      isFirst = false;
      return outcome;
    });
    expect(await replyToInvitation(client, String(PACK), true)).toMatchObject({ packId: PACK });
    await expect(replyToInvitation(client, String(PACK), true)).rejects.toMatchObject({
      code: "INVITATION_UNKNOWN",
    });
    expect(registry.mistakes).toEqual([]);
  });
});

describe("the own access, at a registry that knows the public description only", () => {
  it("is given up once, also when the answer is lost", async () => {
    await using project = await startWithVersions();
    const { client, registry } = project;
    let isFirst = true;
    registry.answers.set("leave", () => {
      const outcome = isFirst ? "after" : undefined;
      isFirst = false;
      return outcome;
    });
    // The repeated request finds nothing that could be given up.
    expect(await leavePack(client, PACK)).toBe(false);
    expect(registry.packs.get(PACK)?.permissions).toEqual([]);
    expect(registry.mistakes).toEqual([]);
  });
});
