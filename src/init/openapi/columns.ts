import type { ObjectShape, ShapeMember } from "./shapes.ts";

const IDS = ["id", "uid", "uuid", "guid", "gid"];
const DISPLAYS = [
  "displayname",
  "name",
  "title",
  "label",
  "subject",
  "summary",
  "username",
  "email",
  "key",
  "code",
];

/**
 * The members of an object that identify it and that people recognize it by, if their names tell.
 */
export function chooseColumns(shape: ObjectShape): {
  id?: ShapeMember | undefined;
  display?: ShapeMember | undefined;
} {
  const find = (wanted: readonly string[]): ShapeMember | undefined =>
    wanted
      .map((name) => shape.members.find((each) => simplifyName(each.name) === name))
      .find((each) => each?.shape.kind === "text" || each?.shape.kind === "number");
  // Without a numbered suffix, which makes names unique: `Task2` has a task_id.
  const own = simplifyName(shape.name ?? "").replace(/\d+$/, "");
  const id = find([
    ...IDS,
    ...(own === "" ? [] : [`${own}id`, `${own}key`, `${own}number`]),
    "key",
    "slug",
  ]);
  return { id, display: find([...DISPLAYS, ...IDS]) ?? id };
}

function simplifyName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
