import { spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, scripts } = z
  .object({ version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

const permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const step = z.strictObject({
  name: z.string().optional(),
  // An action at a complete version: a tag such as v4 moves.
  uses: z
    .string()
    .regex(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/)
    .optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal("read") }),
  concurrency: z.unknown(),
  jobs: z.record(
    z.string(),
    z.strictObject({
      needs: z.string().optional(),
      "runs-on": z.literal("ubuntu-latest"),
      "timeout-minutes": z.number(),
      environment: z.string().optional(),
      strategy: z
        .strictObject({
          "fail-fast": z.literal(false),
          matrix: z.record(z.string(), z.array(z.string())),
        })
        .optional(),
      permissions: permissions.optional(),
      steps: z.array(step),
    }),
  ),
});

const field = z.object({
  type: z.enum(["input", "textarea", "checkboxes"]),
  id: z.string(),
  attributes: z.object({ label: z.string() }),
});
const text = z.strictObject({
  type: z.literal("markdown"),
  attributes: z.strictObject({ value: z.string() }),
});
const form = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()).min(1),
  body: z.array(z.union([text, field])),
});

function readYaml(path: string): unknown {
  return parse(readFileSync(join(root, ".github", path), "utf8"));
}

function readSteps(file: string) {
  return Object.values(workflow.parse(readYaml(`workflows/${file}`)).jobs).flatMap(
    (job) => job.steps,
  );
}

describe.each(readdirSync(join(root, ".github/workflows")))("the workflow %s", (file) => {
  it("may only read by default, and pins each action to a complete version", () => {
    expect(() => workflow.parse(readYaml(`workflows/${file}`))).not.toThrow();
  });

  it("runs only scripts that exist", () => {
    const lines = readSteps(file).flatMap(({ run }) => run?.trim().split("\n") ?? []);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !isKnownCommand(line))).toEqual([]);
  });

  it("uses no stored secret", () => {
    expect(readFileSync(join(root, ".github/workflows", file), "utf8")).not.toContain("secrets.");
  });
});

describe("the workflow of a release", () => {
  const { on, jobs } = workflow.parse(readYaml("workflows/release.yml"));
  const steps = readSteps("release.yml").map(({ run, uses }) => run ?? uses ?? "");

  it("starts for the tag of a version", () => {
    expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  });

  it("fails if the tag is not the version in package.json", () => {
    const compare = steps.find((run) => run.includes("GITHUB_REF_NAME")) ?? "";
    const exitCode = (tag: string) =>
      spawnSync("bash", ["-e", "-c", compare], {
        cwd: root,
        env: { ...process.env, GITHUB_REF_NAME: tag },
      }).status;
    expect(exitCode(`v${version}`)).toBe(0);
    expect(exitCode(version)).toBe(1);
    expect(exitCode(`v${version}0`)).toBe(1);
  });

  it("compares the tag, then checks, then packs, then publishes", () => {
    const order = ["GITHUB_REF_NAME", ".ci/run", "npm pack", "npm publish"].map((part) =>
      steps.findIndex((run) => run.includes(part)),
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(jobs["publish"]?.needs).toBe("pack");
  });

  it("lets only the job that publishes sign in to the registry, with provenance", () => {
    const signedIn = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(signedIn.map(([name, job]) => [name, job.permissions])).toEqual([
      ["publish", { "id-token": "write" }],
    ]);
    const commands = jobs["publish"]?.steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(["npm publish ./packsmith-*.tgz --provenance --access public"]);
  });
});

describe("the issue forms", () => {
  const files = readdirSync(join(root, ".github/ISSUE_TEMPLATE"));

  it("are one for a bug, a feature, a provider quirk and the documentation", () => {
    expect(files.toSorted()).toEqual([
      "bug.yml",
      "config.yml",
      "docs.yml",
      "feature.yml",
      "provider-quirk.yml",
    ]);
    expect(readYaml("ISSUE_TEMPLATE/config.yml")).toEqual({ blank_issues_enabled: false });
  });

  it.each(files.filter((file) => file !== "config.yml"))("%s is a valid form", (file) => {
    const { body } = form.parse(readYaml(`ISSUE_TEMPLATE/${file}`));
    const ids = body.flatMap((item) => ("id" in item ? [item.id] : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** A file of this repository, a script of package.json, or a command of npm or the shell. */
function isKnownCommand(line: string): boolean {
  const [program = "", command = "", script = ""] = line.split(" ");
  if (program.includes("/")) return isExecutable(join(root, program));
  if (program !== "npm") return program === "test";
  return command === "run" ? script in scripts : ["ci", "pack", "pkg", "publish"].includes(command);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
