import { expect, it } from "vitest";
import { startTestService } from "../../../support.ts";
import { createTestPack } from "../uploads.ts";

it("a second invitation to an e-mail address replaces the first, whatever the case of its letters", async () => {
  await using test = await startTestService();
  const packId = await createTestPack(test);
  const invite = async (email: string, access: string) =>
    (await test.write("POST", `/packs/${packId}/invitations`, { email, access })).body[
      "invitationId"
    ];
  const first = await invite("One@Tasks.example", "test");
  expect(first).toEqual(expect.any(String));
  expect(await invite("oNE@tasks.example", "edit")).toBe(first);
  expect(await invite("two@tasks.example", "edit")).not.toBe(first);
  const { body } = await test.send(`/packs/${packId}/invitations`);
  expect(body["items"]).toHaveLength(2);
});
