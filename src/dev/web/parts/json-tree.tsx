import { countText } from "./format.ts";

/** How many levels are open at first, and how many members of each are shown. */
const OPEN_DEPTH = 2;
const MAX_MEMBERS = 200;

/** Any value as a tree with levels that fold. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div class="tree">
      <Node value={value} depth={0} />
    </div>
  );
}

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <span>
        {label}
        {typeof value === "string" ? (
          <span class="text" dir="auto">
            "{value}"
          </span>
        ) : (
          String(value)
        )}
      </span>
    );
  }
  const members = Object.entries(value);
  const size = Array.isArray(value)
    ? `list of ${members.length}`
    : countText(members.length, "member");
  if (members.length === 0)
    return (
      <span>
        {label}
        {Array.isArray(value) ? "[]" : "{}"}
      </span>
    );
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        {label}
        <span class="quiet">{size}</span>
      </summary>
      <ul>
        {members.slice(0, MAX_MEMBERS).map(([key, member]) => (
          <li key={key}>
            <Node name={key} value={member} depth={depth + 1} />
          </li>
        ))}
        {members.length > MAX_MEMBERS && (
          <li class="quiet">… and {members.length - MAX_MEMBERS} more</li>
        )}
      </ul>
    </details>
  );
}
