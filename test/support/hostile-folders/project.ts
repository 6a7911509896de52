import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a construct may use. */
export interface HostilePlace {
  /** The folder that a stranger made, a git repository with two commits. */
  folder: string;
  /** Where nothing may be written, except by a program that should not have run. */
  outside: string;
  /** Writes a file of the folder, with the folders above it. */
  write(path: string, text: string): void;
  /** A shell command that leaves a trace. */
  shell(name: string): string;
  /** A script that leaves a trace if it has Node. */
  script(name: string): string;
}

const PACK = `import { newPack, ValueType } from "packsmith";
import { word } from "words";
export const pack = newPack({ version: "1.0.0" });
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: "HeaderBearerToken" });
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [],
  connectionRequirement: "none",
  resultType: ValueType.String,
  execute: async () => word,
});
`;

/** A complete project: each command finds the files that it looks for. */
export const PROJECT: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "greet", "type": "module", "dependencies": { "words": "1.0.0" } }',
  "pack.ts": PACK,
  ".gitignore": "node_modules\nbuild\n",
  ".coda-pack.json": '{ "packId": PACK_ID, "environmentPackIds": { "HOST": PACK_ID } }',
  "packsmith.config.json": '{ "shortDescription": "Greets in documents." }',
  "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- Greets.\n",
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "skipLibCheck": true } }',
  "seed.json":
    '{ "users": [{ "name": "Ada", "email": "ada@tasks.example" }], "docs": [{ "id": "doc-a", "title": "Tasks" }] }',
  "openapi.json":
    '{ "openapi": "3.0.0", "info": { "title": "T", "version": "1" }, "servers": [{ "url": "https://tasks.example" }], "paths": { "/a": { "get": { "operationId": "a", "responses": { "200": { "description": "ok" } } } } } }',
  "options.json": "{}",
  "tables.ts": "export {};\n",
  "page.md": "# Page\n",
  "pack.test.ts": 'import { it } from "vitest";\nit("runs", () => {});\n',
  "node_modules/words/package.json": '{ "name": "words", "version": "1.0.0", "main": "main.js" }',
  "node_modules/typescript/package.json":
    '{ "name": "typescript", "version": "5.9.3", "bin": { "tsc": "bin/tsc" } }',
  "node_modules/words/main.d.ts": "export declare const word: string;\n",
  "node_modules/words/main.js": 'exports.word = "Hello!";\n',
};

export function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
