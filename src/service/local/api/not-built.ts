const REASONS: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/folders(?:\/|$)/, "Folders cannot be managed here: each document of the seed names its folder."],
  [/^\/packs(?:\/|$)/, "Packs are built and run by packsmith itself; the local service has none of their endpoints."],
  [/^\/(?:workspaces|organizations)(?:\/|$)/, "Workspaces, their members and roles are set up with the seed."],
  [/^\/docs\/[^/]+\/domains(?:\/|$)/, "Documents have no domains of their own here."],
  [/^\/domains(?:\/|$)/, "Documents have no domains of their own here."],
  [/^\/go(?:Links)?(?:\/|$)/i, "Go links are not built."],
];

/** Why a part of the public service is missing here: better an honest refusal than a plausible answer. */
export function reasonNotBuilt(path: string): string | undefined {
  const found = REASONS.find(([pattern]) => pattern.test(path));
  return found === undefined ? undefined : `The local service does not implement this. ${found[1]}`;
}
