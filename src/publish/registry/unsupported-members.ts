import type { Authentication } from "../../define/authentication.ts";
import { membersOfPacksmith } from "../../define/oauth-additions.ts";
import { PackError, type SourcePlace } from "../../errors.ts";
import type { Pack } from "../../execute/open-pack.ts";
import { createLocator } from "../../validate/positions.ts";

type Path = (string | number)[];

/**
 * Refuses a Pack that the platform would not run as it runs here.
 * @throws {PackError} UPLOAD_UNSUPPORTED
 */
export function assertSupported({
  definition,
  bundle,
}: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">): void {
  const {
    defaultAuthentication,
    systemConnectionAuthentication,
    adminAuthentications = [],
  } = definition;
  const paths = [
    ...findAdditions(defaultAuthentication, ["defaultAuthentication"]),
    ...findAdditions(systemConnectionAuthentication, ["systemConnectionAuthentication"]),
    ...adminAuthentications.flatMap(({ authentication }, at) =>
      findAdditions(authentication, ["adminAuthentications", at, "authentication"]),
    ),
  ];
  const [first] = paths;
  if (first === undefined) return;
  const locator = createLocator(definition, bundle.sources);
  const members = paths.map((path) => `${path.at(-1)}${placeText(locator.position(path))}`);
  const several = members.length === 1 ? "an option" : `${members.length} options`;
  throw new PackError(
    "UPLOAD_UNSUPPORTED",
    `The Pack uses ${several} that the document service does not support: ${members.join(", ")}.`,
    {
      details: { members },
      hint: "To publish the Pack, remove these options. The options work only on this machine.",
      place: locator.position(first),
    },
  );
}

function findAdditions(authentication: Authentication | undefined, path: Path): Path[] {
  return membersOfPacksmith({ ...authentication }).map((name) => [...path, name]);
}

function placeText(place: SourcePlace | undefined): string {
  return place === undefined ? "" : ` (${place.file}:${place.line}:${place.column})`;
}
