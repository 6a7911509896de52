import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";

const PACK = `import { AuthenticationType, makeObjectSchema, makeParameter, newPack, ParameterType, ValueHintType, ValueType } from "packsmith";
export const pack = newPack({ version: "1.2.3" });
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2, authorizationUrl: "https://login.tasks.example/a", tokenUrl: "https://login.tasks.example/t",
  scopes: ["tasks.read"], useProofKeyForCodeExchange: true, instructionsUrl: "https://tasks.example/help",
});
const schema = makeObjectSchema({
  properties: { id: { type: ValueType.String, required: true }, due: { type: ValueType.String, codaType: ValueHintType.Date, description: "When | *soon*." }, done: { type: ValueType.Boolean, mutable: true } },
  idProperty: "id", displayProperty: "id",
});
pack.addFormula({
  name: "GetTask", description: "Gets a task.", resultType: ValueType.Object, schema, connectionRequirement: "required",
  parameters: [
    makeParameter({ type: ParameterType.String, name: "id", description: "Its id." }),
    makeParameter({ type: ParameterType.NumberArray, name: "years", description: "Which.", optional: true }),
  ],
  examples: [{ params: ["7"], result: { Id: "7" } }],
  execute: async () => ({ id: "7" }),
});
pack.addSyncTable({
  name: "Tasks", identityName: "Task", description: "All tasks.", schema,
  formula: { name: "SyncTasks", description: "s", parameters: [], execute: async () => ({ result: [] }), executeUpdate: async (_args, updates) => ({ result: updates.map(({ newValue }) => newValue) }) },
});
pack.addColumnFormat({ name: "Task", formulaName: "GetTask", instructions: "Paste a task.", matchers: [/^https:\\/\\/tasks/] });
`;

describe("packsmith docs", () => {
  it("writes what the Pack offers and what it needs, and knows when the page is old", async () => {
    using project = makeProject({ "package.json": '{"name":"tasks"}', "pack.ts": PACK });
    const run = (...args: string[]) => runCli(["docs", "pack.ts", ...args], { cwd: project.path });
    expect((await run("--check")).stderr).toContain("DOCS_STALE  PACK.md does not exist.");
    expect((await run()).stderr).toContain("written  PACK.md");
    expect(project.read("PACK.md")).toMatchInlineSnapshot(`
      "# tasks 1.2.3

      ## Accounts

      Each user connects with **OAuth2**.

      - Scopes: \`tasks.read\`
      - Authorization server: \`https://login.tasks.example/a\`
      - Instructions: <https://tasks.example/help>

      ## Formulas

      ### GetTask

      Gets a task.

      \`\`\`text
      GetTask(id, [years])
      \`\`\`

      Needs an account.

      | Parameter | Type | Description |
      | --- | --- | --- |
      | \`id\` | text | Its id. |
      | \`years\` | list of numbers, optional | Which. |

      Returns an object.

      | Property | Type | Description |
      | --- | --- | --- |
      | \`Id\` | text |  |
      | \`Due\` | date | When \\| \\*soon\\*. |
      | \`Done\` | boolean, can be edited |  |

      \`\`\`text
      GetTask("7") → {"Id":"7"}
      \`\`\`

      ## Tables

      ### Tasks

      All tasks.

      Rows of \`Task\`, which users can edit. Needs an account.

      | Property | Type | Description |
      | --- | --- | --- |
      | \`Id\` | text |  |
      | \`Due\` | date | When \\| \\*soon\\*. |
      | \`Done\` | boolean, can be edited |  |

      ## Column formats

      ### Task

      Paste a task.

      Shows the result of \`GetTask\`. The format matches text such as \`/^https:\\/\\/tasks/\`.

      ## Network

      The Pack may send requests only to \`tasks.example\`.
      "
    `);
    expect((await run("--check")).code).toBe(0);
    project.write("PACK.md", project.read("PACK.md").replaceAll("\n", "\r\n"));
    expect((await run("--check")).code).toBe(0);
    project.write("pack.ts", PACK.replace("Gets a task.", "Gets one task."));
    const stale = await run("--check", "--json");
    expect([stale.code, stale.json()]).toMatchObject([
      1,
      { error: { code: "DOCS_STALE", hint: "Run packsmith docs pack.ts, and commit the page." } },
    ]);
    expect((await run("-o", "missing/PACK.md")).code).toBe(10);
  });
});
