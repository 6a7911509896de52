import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  announcedCode,
  isOnPage,
  openShellSession,
  pageSteps,
  shellBlocks,
} from "../support/shell-page.ts";

/** A page has up to twenty commands, and a busy machine needs minutes for one. */
const LIMIT_OF_A_PAGE_MS = 600_000;

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe.each(names)("examples/%s", (name) => {
  it("prints what its page shows, command by command", {
    timeout: LIMIT_OF_A_PAGE_MS,
  }, async () => {
    await runPage(join(examples, name, "README.md"), join(examples, name));
  });

  it("is in the list of examples", () => {
    expect(readFileSync(join(examples, "README.md"), "utf8")).toContain(`](${name})`);
  });
});

it.each(["getting-started", "tutorial"])(
  "docs/%s.md prints what it says, command by command, in an empty folder",
  { timeout: LIMIT_OF_A_PAGE_MS },
  async (name) => {
    await runPage(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), undefined);
  },
);

it("docs/publishing.md prints what it says: a Pack goes from init to a release that runs in a document, in at most ten commands", {
  timeout: LIMIT_OF_A_PAGE_MS,
}, async () => {
  const page = fileURLToPath(new URL("../../docs/publishing.md", import.meta.url));
  // The commands for many Packs need a repository that has them; the template's test runs them.
  const text = readFileSync(page, "utf8").split("\n## Many Packs\n")[0] ?? "";
  const commands = shellBlocks(text).flatMap((block) => block.commands);
  expect(commands.filter((command) => command.includes("packsmith ")).length).toBeLessThanOrEqual(
    10,
  );
  await runBlocks(text, undefined);
});

const templates = readdirSync(fileURLToPath(new URL("../../templates", import.meta.url)), {
  withFileTypes: true,
}).flatMap(({ name }) => (/^_|\./.test(name) ? [] : [name]));

// The monorepo needs an installation of Turborepo; test/e2e/turbo.test.ts has one.
describe.each(templates.filter((name) => name !== "monorepo"))("the template %s", (name) => {
  // What they print on stdout is compared in test/e2e/packed.test.ts.
  it("has a README whose commands work in a new project", {
    timeout: LIMIT_OF_A_PAGE_MS,
  }, async () => {
    const readme = new URL(`../../templates/${name}/README.md`, import.meta.url);
    // The last part is about an API that the reader has.
    const [text = ""] = readFileSync(readme, "utf8").split("\n## With ");
    const page = text.replace(/^```text\n[\s\S]*?^```$/gm, "");
    const create = `npx packsmith init my-pack --template ${name}\ncd my-pack`;
    await runBlocks(`\`\`\`sh\n${create}\n\`\`\`\n\n${page}`, undefined);
  });
});

/** Runs the commands of a page in a copy of a folder. */
async function runPage(file: string, folder: string | undefined): Promise<void> {
  await runBlocks(readFileSync(file, "utf8"), folder);
}

async function runBlocks(page: string, folder: string | undefined): Promise<void> {
  const steps = pageSteps(page);
  expect(steps.length).toBeGreaterThan(0);
  await using session = await openShellSession(folder, ["typescript", "vitest"]);
  for (const step of steps) {
    if ("name" in step) {
      session.write(step);
      continue;
    }
    const { commands, printed } = step;
    let text = "";
    for (const command of commands) {
      const run = await session.run(command);
      text += run.printed;
      expect(run.code, `${command}\n${run.printed}`).toBe(announcedCode(command));
    }
    if (printed !== undefined && !isOnPage(text, printed))
      expect(text.trimEnd(), commands.join("\n")).toBe(printed.join("\n"));
  }
}
