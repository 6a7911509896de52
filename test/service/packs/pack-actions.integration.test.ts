import { expect, it } from "vitest";
import { openValidPack } from "../../../src/execute/open-pack.ts";
import { runPackAction } from "../../../src/service/packs/pack-actions.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { createProject } from "../../bundle/project.ts";

const PACK = `import { newPack, ValueType } from "packsmith";
export const pack = newPack()
  .addNetworkDomain("tasks.example")
  .setUserAuthentication({ type: "HeaderBearerToken" })
  .addFormula({
    name: "Fail",
    description: "Fails.",
    parameters: [],
    isAction: true,
    connectionRequirement: "none",
    resultType: ValueType.String,
    execute: async () => { throw new Error("Failed."); },
  })
  .addFormula({
    name: "Save",
    description: "Saves.",
    parameters: [],
    isAction: true,
    resultType: ValueType.String,
    execute: async () => "saved",
  });
`;

it("an action without an account says which folder or file would have one, if the Pack is not of this folder", async () => {
  await using project = await createProject({ "pack.ts": PACK });
  const file = project.path("pack.ts");
  await using pack = await openValidPack(file, { cwd: project.directory });
  const run = (action: string, accounts: string | undefined) => {
    const release = { id: 7, version: "1.0.0", findAccounts: () => accounts };
    const options = {
      cwd: project.directory,
      home: project.path("home"),
      redactor: createRedactor(),
    };
    const call = {
      docId: "plans",
      tableId: "grid",
      rowId: "i-1",
      pack: "7",
      formula: action,
      args: [],
    };
    return runPackAction(options, [{ file: "pack-7", pack, release }], call);
  };
  await expect(run("Save", undefined)).rejects.toThrow(
    "Pack 7 needs an account. Start the service",
  );
  await expect(run("Save", "pack.ts")).rejects.toThrow(
    'No account "default" is connected for pack.ts.',
  );
  await expect(run("Fail", undefined)).rejects.toThrow("Failed.");
});
