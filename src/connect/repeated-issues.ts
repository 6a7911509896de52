import type { OAuth2Authentication } from "../define/oauth.ts";
import type { Pack } from "../execute/open-pack.ts";
import { findRepeatedMembers } from "../oauth/connect/repeated-members.ts";
import { ISSUE_CODES } from "../validate/codes.ts";
import type { Issue } from "../validate/issue.ts";
import { listAuthentications } from "../validate/network-rules.ts";
import { createLocator } from "../validate/positions.ts";
import { type Path, pathText } from "../validate/report.ts";
import { readKeptMetadata } from "./kept-metadata.ts";

const CODE = "AUTH_MEMBER_REPEATED";

/**
 * The members of a Pack's authentications that only repeat the metadata of their issuer, as it was
 * read last on this machine. Nothing is sent.
 * @param home folder of the vault
 * @returns issues with files relative to the folder of the Pack
 */
export async function findRepeatedIssues(
  { definition, bundle }: Pick<Pack, "definition" | "bundle">,
  home: string,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const { position } = createLocator(definition, bundle.sources);
  for (const { authentication, path } of listAuthentications({ ...definition })) {
    const { type, issuer } = authentication;
    if (type !== "OAuth2" || typeof issuer !== "string") continue;
    const kept = await readKeptMetadata(home, issuer);
    if (kept === undefined) continue;
    // Members of a wrong type repeat nothing; the rules report them.
    const members = findRepeatedMembers(
      authentication as unknown as OAuth2Authentication,
      kept.server,
    );
    for (const member of members) {
      const at: Path = [...path, member];
      issues.push({
        code: CODE,
        severity: ISSUE_CODES[CODE].severity,
        path: pathText(at),
        message: `${member} is redundant: its value is also in the metadata of ${issuer}, which packsmith read on ${kept.readOn}.`,
        hint: `Remove ${member}. The Pack then always uses the current value of the server.`,
        ...position(at),
      });
    }
  }
  return issues;
}
