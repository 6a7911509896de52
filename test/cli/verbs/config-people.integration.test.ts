import { describe, expect, it } from "vitest";
import { startPublishCli } from "./publish-cli.ts";

const FILES = ["packs/one/pack.ts", "packs/two/pack.ts"];

interface Document {
  ok: boolean;
  results: Record<string, unknown>[];
  invitations: Record<string, unknown>[];
}

describe("packsmith config", () => {
  it("submits the uploaded versions of several Packs for review, and withdraws them", async () => {
    await using cli = await startPublishCli(["one", "two"]);
    await cli.run("create", ...FILES);
    await cli.run("upload", ...FILES, "--no-types");
    const submitted = await cli.run("config", "submit", ...FILES, "--notes", "First");
    expect(submitted.code).toBe(0);
    expect(submitted.stderr).toContain("version 1.0.0 of Pack 1002");
    const { document } = await cli.json<Document>("config", "submit", ...FILES);
    expect(document.results).toMatchObject([
      { packId: 1001, version: "1.0.0", isPending: true },
      { packId: 1002, version: "1.0.0", isPending: true },
    ]);
    expect((await cli.run("status", FILES[0] as string)).stdout).toMatch(/^review {6}1\.0\.0/m);
    expect(
      (await cli.json<Document>("config", "withdraw", ...FILES)).document.results,
    ).toMatchObject([{ version: "1.0.0" }, { version: "1.0.0" }]);
    expect((await cli.run("config", "withdraw", FILES[0] as string)).stderr).toContain(
      "no review of Pack 1001 is pending",
    );
  });

  it("invites someone to several Packs, and takes it back", async () => {
    await using cli = await startPublishCli(["one", "two"]);
    await cli.run("create", ...FILES);
    const invited = await cli.run("config", "invite", "grace@tasks.example", ...FILES);
    expect(invited.code).toBe(0);
    expect(invited.stderr).toContain("grace@tasks.example  test access to Pack 1002");
    const { document } = await cli.json<Document>(
      ...["config", "invite", "grace@tasks.example", ...FILES, "--access", "edit"],
    );
    expect(document.results).toMatchObject([{ outcome: "changed" }, { outcome: "changed" }]);
    await cli.run("config", "uninvite", "grace@tasks.example", ...FILES);
    expect((await cli.run("status", FILES[0] as string)).stdout).not.toContain("grace");
    const refused = await cli.run("config", "invite", "packs/one/pack.ts");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('"packs/one/pack.ts" is not an email address');
  });

  it("gives up the own access, which the owner cannot", async () => {
    await using cli = await startPublishCli(["one"]);
    await cli.run("create", "packs/one/pack.ts");
    const { loginId } = (await cli.test.send("/whoami")).body as { loginId: string };
    const refused = await cli.run("config", "leave", "1001");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("The owner of a Pack cannot leave it.");
    await cli.run("config", "invite", loginId, "packs/one/pack.ts");
    await cli.run("config", "accept", "1001");
    expect((await cli.run("config", "leave", "1001")).stderr).toContain("left  Pack 1001");
    expect((await cli.run("config", "leave", "pack.ts")).code).toBe(2);
  });

  it("lists one's own invitations, and accepts or declines them", async () => {
    await using cli = await startPublishCli(["one"]);
    await cli.run("create", "packs/one/pack.ts");
    const { loginId } = (await cli.test.send("/whoami")).body as { loginId: string };
    const invite = () => cli.run("config", "invite", loginId, "packs/one/pack.ts");
    expect((await cli.run("config", "invitations")).stderr).toContain("no invitation is pending");
    await invite();
    expect((await cli.run("config", "invitations")).stdout).toContain(`1001  one  test  until`);
    const declined = await cli.run("config", "decline", "1001");
    expect(declined.stderr).toContain("declined  the invitation to Pack 1001 (one)");
    await invite();
    const accepted = await cli.json<Document>("config", "accept", "1001");
    expect(accepted.document).toMatchObject({ ok: true, accepted: true, packId: 1001 });
    const unknown = await cli.run("config", "accept", "1001");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("INVITATION_UNKNOWN");
  });
});
