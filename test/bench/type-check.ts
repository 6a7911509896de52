import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedPeers } from "./peers.ts";

const FORMULAS = 200;
const ROUNDS = 5;

/**
 * How long TypeScript takes for the same file of formulas, written against this package and against
 * the older one.
 * @returns undefined when @codahq/packs-sdk cannot be installed
 */
export function measureTypeCheck(
  work: string,
): { compiler: string; ours: number; theirs: number }[] | undefined {
  const peers = installedPeers(work);
  if (peers === undefined) return undefined;
  const folder = join(work, "types");
  mkdirSync(folder, { recursive: true });
  const roots = {
    ours: join(process.cwd(), "dist/index.d.ts"),
    theirs: join(peers, "node_modules/@codahq/packs-sdk/dist/index.d.ts"),
  };
  for (const [side, root] of Object.entries(roots)) {
    writeFileSync(join(folder, `${side}.ts`), packText());
    writeFileSync(
      join(folder, `${side}.json`),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          module: "esnext",
          moduleResolution: "bundler",
          target: "es2022",
          lib: ["ES2022"],
          types: side === "theirs" ? ["node"] : [],
          typeRoots: [join(process.cwd(), "node_modules/@types")],
          paths: { sdk: [root] },
        },
        files: [`${side}.ts`],
      }),
    );
  }
  return ["typescript", "typescript-5.9"].map((compiler) => {
    const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of ["ours", "theirs"] as const)
        best[side] = Math.min(best[side], run(compiler, join(folder, `${side}.json`)));
    }
    return { compiler, ...best };
  });
}

function run(compiler: string, project: string): number {
  const tsc = join(process.cwd(), "node_modules", compiler, "bin/tsc");
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${compiler} refused ${project}: ${stdout.slice(0, 500)}`);
  return performance.now() - started;
}

/**
 * Formulas of every kind of result, each with three parameters; one in four has a schema of six
 * properties.
 */
function packText(): string {
  const blocks = Array.from({ length: FORMULAS }, (_, index) => formulaText(index));
  return `import * as sdk from "sdk";\nexport const pack = sdk.newPack();\n${blocks.join("\n")}\n`;
}

function formulaText(index: number): string {
  const kind = (["Object", "String", "Number", "Boolean"] as const)[index % 4] ?? "String";
  const schema = `const Schema${index} = sdk.makeObjectSchema({
  properties: {
    id: { type: sdk.ValueType.String, required: true, fromKey: "task_id" },
    name: { type: sdk.ValueType.String, required: true },
    due: { type: sdk.ValueType.String, codaType: sdk.ValueHintType.Date },
    count: { type: sdk.ValueType.Number, codaType: sdk.ValueHintType.Percent, precision: 1 },
    link: { type: sdk.ValueType.String, codaType: sdk.ValueHintType.Url },
    tags: { type: sdk.ValueType.Array, items: { type: sdk.ValueType.String } },
  },
  idProperty: "id",
  displayProperty: "name",
});`;
  const result = {
    Object: `{ task_id: name, name: name + count, due: "2026-01-01", count, tags: tags ?? [] }`,
    String: "name + count",
    Number: "count",
    Boolean: "count > 1",
  }[kind];
  return `${kind === "Object" ? schema : ""}
pack.addFormula({
  name: "Formula${index}",
  description: "Finds a task.",
  parameters: [
    sdk.makeParameter({ type: sdk.ParameterType.String, name: "name", description: "The name." }),
    sdk.makeParameter({ type: sdk.ParameterType.Number, name: "limit", description: "How many.", optional: true }),
    sdk.makeParameter({ type: sdk.ParameterType.StringArray, name: "tags", description: "Tags.", optional: true }),
  ],
  resultType: sdk.ValueType.${kind},
  ${kind === "Object" ? `schema: Schema${index},` : ""}
  execute: async function ([name, limit, tags], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: sdk.withQueryParams("https://tasks.example/api", { name, limit }) });
    const count: number = (limit ?? 1) + (tags?.length ?? 0) + response.status;
    return ${result};
  },
});`;
}
