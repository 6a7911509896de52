import type { Issue } from "../issue.ts";

/**
 * Issues as workflow commands, one line each: GitHub shows them as annotations next to the code.
 */
export function renderGithub(issues: readonly Issue[]): string {
  return issues.map((issue) => `${formatCommand(issue)}\n`).join("");
}

function formatCommand({ severity, code, message, hint, path, file, line, column }: Issue): string {
  const properties = { file, line, col: file === undefined ? undefined : column, title: code };
  const list = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const place = file === undefined && path !== "" ? `${path}: ` : "";
  return `::${severity} ${list.join(",")}::${escapeData(`${place}${message}${hint === "" ? "" : `\n${hint}`}`)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
