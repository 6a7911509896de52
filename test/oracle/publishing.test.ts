import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureBundle } from "../../src/bundle/bundle.ts";
import { openBuiltBundle } from "../../src/execute/open-pack.ts";
import { runTarget } from "../../src/execute/run-target.ts";
import { packUpload } from "../../src/service/contract/registry/registry-models.ts";
import { readFile } from "../../src/service/local/registry/registry-store.ts";
import { type ServiceSchema, serviceMigrations } from "../../src/service/local/store/schema.ts";
import { sha256 } from "../../src/shared/crypto.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { runCli, startCliServer } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const oracle = process.env["PACKSMITH_ORACLE"] ?? "";
const TOKEN = "synthetic-token-of-the-registry";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({
  name: "Greet", description: "Greets.", connectionRequirement: coda.ConnectionRequirement.None,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "name", description: "Whom.", autocomplete: ["Ada", "Grace"] })],
  resultType: coda.ValueType.String,
  execute: async ([name]) => \`Hello \${name}!\`,
});
pack.addSyncTable({
  name: "Tasks", identityName: "Task",
  schema: coda.makeObjectSchema({ idProperty: "id", displayProperty: "due-date", properties: { id: { type: coda.ValueType.String }, "due-date": { type: coda.ValueType.String, codaType: coda.ValueHintType.Date } } }),
  formula: { name: "SyncTasks", description: "Gets tasks.", parameters: [], execute: async () => ({ result: [] }) },
});
`;

interface ServiceFacts {
  url: string;
  certificate: string;
}

/** One command of the published tool, in the folder. */
function packs(
  folder: string,
  certificate: string,
  args: string[],
): Promise<{ code: number; output: string }> {
  const tool = join(oracle, "node_modules", "@codahq", "packs-sdk", "dist", "cli", "index.js");
  // What the tool starts must not reach the network: npm is a script that does nothing.
  const path = `${join(dirname(certificate), "bin")}:${process.env["PATH"] ?? ""}`;
  const env = { PATH: path, HOME: folder, PWD: folder, NODE_EXTRA_CA_CERTS: certificate };
  return new Promise((resolve) => {
    const child = execFile(
      join(oracle, "node_modules", ".bin", "node"),
      [tool, ...args],
      { cwd: folder, env, timeout: 120_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

describe.skipIf(oracle === "")("the published tool against the local registry", () => {
  it("register, whoami, create, upload, release, link and clone succeed, and both tools upload the same metadata", async () => {
    using folder = makeTemporaryFolder();
    const database = join(folder.path, "service.db");
    const options = [
      "--https",
      "--certificate",
      join(folder.path, "certificate.pem"),
      "--database",
      database,
    ];
    let uploads: Record<string, unknown>[] = [];
    {
      await using service = await startCliServer<ServiceFacts>(["service", ...options], {
        env: { PACKSMITH_SERVICE_TOKEN: TOKEN },
      });
      const { url, certificate } = service.facts;
      const endpoint = ["--apiEndpoint", new URL(url).origin];
      const project = join(folder.path, "project");
      mkdirSync(join(folder.path, "bin"));
      for (const tool of ["npm", "npx"])
        writeFileSync(
          join(folder.path, "bin", tool),
          '#!/bin/sh\nif [ "$1" = "-v" ]; then echo 10.0.0; fi\n',
          { mode: 0o755 },
        );
      mkdirSync(join(project, "linked"), { recursive: true });
      const examples = join(project, "cloned", "node_modules", "@codahq", "packs-examples");
      mkdirSync(join(examples, "examples", "template"), { recursive: true });
      writeFileSync(join(examples, "package.json"), '{ "devDependencies": {} }');
      mkdirSync(join(project, "cloned", "node_modules", "mold-source-map"));
      writeFileSync(
        join(project, "cloned", "node_modules", "mold-source-map", "package.json"),
        "{}",
      );
      symlinkSync(join(oracle, "node_modules"), join(project, "node_modules"));
      writeFileSync(join(project, "pack.ts"), SOURCE);
      writeFileSync(join(project, "package.json"), '{ "name": "greetings", "version": "0.0.0" }');
      const run = async (...args: string[]) =>
        (await packs(project, certificate, [...args, ...endpoint])).output;

      expect(await run("register", TOKEN)).toContain("API key validated and stored successfully!");
      expect(await run("whoami")).toContain("You are First Owner (first.owner@service.example)");
      expect(await run("create", "pack.ts", "--name", "Greetings")).toContain(
        "Pack created successfully!",
      );
      expect(await run("upload", "pack.ts", "--notes", "first")).toMatch(
        /version is 1[\s\S]*Done!/,
      );
      expect(await run("release", "pack.ts", "1", "--notes", "first")).toContain(
        "Pack version 1 released successfully (release #1).",
      );
      expect(await run("link", "linked", "1001")).toContain("Linked successfully!");
      const ids = JSON.parse(readFileSync(join(project, ".coda-pack.json"), "utf8"));
      expect(JSON.parse(readFileSync(join(project, "linked", ".coda-pack.json"), "utf8"))).toEqual(
        ids,
      );

      // Only the studio uploads sources, so this test does what it does.
      await uploadSource(url, certificate);
      const cloned = await packs(join(project, "cloned"), certificate, [
        "clone",
        "1001",
        "--apiToken",
        TOKEN,
        ...endpoint,
      ]);
      expect(cloned.output).toMatch(
        /Fetched source at version 1[\s\S]*Successfully updated pack\.ts/,
      );
      expect(readFileSync(join(project, "cloned", "pack.ts"), "utf8")).toBe(SOURCE);

      // packsmith reads the token and the id that the other tool wrote.
      rmSync(join(project, "node_modules"));
      const env = {
        NODE_EXTRA_CA_CERTS: certificate,
        PACKSMITH_HOME: join(folder.path, "home"),
        PACKSMITH_REGISTRY: new URL(url).origin,
      };
      const own = async (...args: string[]) =>
        (await runCli([...args, "--json"], { cwd: project, env })).json();
      expect(await own("whoami")).toMatchObject({
        name: "First Owner",
        source: join(project, ".coda.json"),
      });
      expect(await own("upload", "--no-types")).toMatchObject({
        results: [{ packId: 1001, version: "2", findings: [] }],
      });
    }
    await using storage = await openDatabase<ServiceSchema>({
      url: database,
      schema: "packsmith_service",
      migrations: serviceMigrations,
    });
    const rows = await storage.db
      .selectFrom("pack_parts")
      .select(["id", "record"])
      .where("kind", "=", "version")
      .orderBy("position")
      .execute();
    uploads = await Promise.all(
      rows.map(async ({ record }) =>
        packUpload.parse(
          JSON.parse(
            (await readFile(storage.db, JSON.parse(record).fileId))?.toString("utf8") ?? "",
          ),
        ),
      ),
    );
    const [theirs, ours] = uploads.map((upload) => packUpload.parse(upload));
    expect({ ...ours?.metadata, version: "1" }).toEqual(theirs?.metadata);
    expect(ours?.sdkVersion).toBe(theirs?.sdkVersion);
    for (const upload of [theirs, ours]) {
      await using pack = await openBuiltBundle(
        measureBundle({
          name: "greetings",
          entry: "bundle.js",
          code: upload?.bundle ?? "",
          sourceMap: upload?.sourceMap ?? "",
        }),
        "bundle.js",
      );
      await using run = runTarget(
        pack,
        { target: "Greet", args: ["Ada"] },
        { file: "bundle.js", cwd: folder.path, redactor: createRedactor() },
      );
      const result = await run.finish();
      expect(result).toMatchObject({ ok: true, result: "Hello Ada!" });
    }
  }, 180_000);
});

async function uploadSource(url: string, certificate: string): Promise<void> {
  const { trustingFetch } = await import("../support/trusting-fetch.ts");
  const send = trustingFetch(readFileSync(certificate, "utf8"));
  const post = async (path: string, body: object) =>
    (await (
      await send(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify(body),
      })
    ).json()) as {
      uploadUrl: string;
      headers: Record<string, string>;
    };
  const codeHash = sha256(SOURCE, "hex");
  const { uploadUrl, headers } = await post("/packs/1001/uploadSourceCode", {
    payloadHash: codeHash,
    filename: "pack.ts",
  });
  await send(uploadUrl, { method: "PUT", headers, body: SOURCE });
  await post("/packs/1001/versions/1/sourceCode/uploadComplete", {
    filename: "pack.ts",
    codeHash,
  });
}
