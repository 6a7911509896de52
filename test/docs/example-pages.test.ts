import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { announcedCode, isOnPage, openShellSession, shellBlocks } from "../support/shell-page.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

describe.each(names)("examples/%s", (name) => {
  const page = readFileSync(join(examples, name, "README.md"), "utf8");
  const blocks = shellBlocks(page);

  it("prints what its page says, command by command", async () => {
    expect(blocks.length).toBeGreaterThan(0);
    await using session = await openShellSession(join(examples, name), ["typescript", "vitest"]);
    for (const { commands, printed } of blocks) {
      let text = "";
      for (const command of commands) {
        const run = await session.run(command);
        text += run.printed;
        expect(run.code, `${command}\n${run.printed}`).toBe(announcedCode(command));
      }
      if (!isOnPage(text, printed)) expect(text.trimEnd(), commands.join("\n")).toBe(printed.join("\n"));
    }
  }, 120_000);

  it("stands in the list of examples", () => {
    expect(readFileSync(join(examples, "README.md"), "utf8")).toContain(`](${name})`);
  });
});
