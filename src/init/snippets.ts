import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { makeFolder } from "../shared/folders.ts";
import { requireInside } from "../shared/project-boundary.ts";
import type { InitResult } from "./init-result.ts";
import { TEMPLATES } from "./templates.ts";
import { readTemplate } from "./write-project.ts";

/** A statement of a template, which an editor inserts. */
export interface Snippet {
  /** What the author types. */
  prefix: string;
  description: string;
  text: string;
}

const STATEMENT = /^pack\.(\w+)\(\{\n[\s\S]*?^\}\);$/gm;
const KINDS: Readonly<Record<string, string>> = {
  addFormula: "formula",
  addSyncTable: "table",
  setUserAuthentication: "authentication",
  setSystemAuthentication: "authentication",
};

/** The statements of the templates that define a part of a Pack; the first one of each kind. */
export async function readSnippets(): Promise<Snippet[]> {
  const snippets = new Map<string, Snippet>();
  for (const [name, { description }] of Object.entries(TEMPLATES)) {
    const text = (await readTemplate(name)).get("pack.ts") ?? "";
    for (const [statement, method = ""] of text.matchAll(STATEMENT)) {
      const kind = KINDS[method];
      const prefix = `pack-${kind}-${name}`;
      if (kind !== undefined && !snippets.has(prefix))
        snippets.set(prefix, { prefix, description, text: statement });
    }
  }
  return [...snippets.values()];
}

/** As VS Code reads it from the folder .vscode of a project. */
export function formatForVsCode(snippets: readonly Snippet[]): string {
  const entries = snippets.map(({ prefix, description, text }) => {
    const body = text.replace(/[\\$}]/g, "\\$&").split("\n");
    return [prefix, { scope: "typescript,javascript", prefix, description, body }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

/** Live templates: the editors of JetBrains read them from a folder of their settings. */
export function formatForJetBrains(snippets: readonly Snippet[]): string {
  const templates = snippets.map(({ prefix, description, text }) => {
    const value = escapeXml(text.replaceAll("$", "$$$$"));
    return `  <template name="${prefix}" value="${value}" description="${escapeXml(description)}" toReformat="true" toShortenFQNames="false">
    <context>
      <option name="TypeScript" value="true" />
      <option name="JAVA_SCRIPT" value="true" />
    </context>
  </template>`;
  });
  return `<templateSet group="packsmith">\n${templates.join("\n")}\n</templateSet>\n`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\n]/g, (character) => `&#${character.codePointAt(0)};`);
}

/**
 * Writes the snippets of both kinds of editors into a folder, and nothing else.
 * @throws {PackError} OUTPUT_NOT_WRITABLE; OUTSIDE_PROJECT, when a link leads out of the folder
 */
export async function writeSnippets(directory: string, cwd: string): Promise<InitResult> {
  const target = resolve(cwd, directory);
  const snippets = await readSnippets();
  const files = {
    ".vscode/packsmith.code-snippets": formatForVsCode(snippets),
    ".idea/templates/packsmith.xml": formatForJetBrains(snippets),
  };
  for (const file of Object.keys(files)) requireInside(target, join(target, file));
  for (const [file, text] of Object.entries(files))
    await writeSnippetFile(join(target, file), text);
  return { directory: target, files: Object.keys(files) };
}

async function writeSnippetFile(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, text);
  } catch (cause) {
    throw new PackError("OUTPUT_NOT_WRITABLE", `packsmith cannot write the file ${path}.`, {
      cause,
      details: { path },
      hint: "Choose a folder that you can write to.",
    });
  }
}
