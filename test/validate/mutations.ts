import fc from "fast-check";
import type { Definition } from "./definitions.ts";
import {
  formula,
  oauth2,
  pack,
  parameter,
  person,
  reference,
  rows,
  skill,
  table,
} from "./definitions.ts";

/** A definition without problems that has every kind of block. */
export const everyBlock = (): Definition =>
  pack({
    version: "1.2.3",
    defaultAuthentication: oauth2({
      scopes: ["read"],
      additionalParams: { prompt: "consent" },
      networkDomain: "tasks.example",
    }),
    systemConnectionAuthentication: { type: "HeaderBearerToken" },
    adminAuthentications: [
      {
        name: "audit",
        displayName: "Audit",
        description: "For audits.",
        authentication: { type: "Custom", params: [{ name: "key", description: "Key" }] },
      },
    ],
    formulas: [
      formula({
        parameters: [
          parameter({ autocomplete: ["a"], suggestedValue: "a" }),
          parameter({ name: "due", type: "dateArray", optional: true }),
        ],
        examples: [{ params: ["a"], result: "b" }],
        connectionRequirement: "optional",
        cacheTtlSecs: 60,
      }),
    ],
    syncTables: [
      table(
        {
          displayName: "Tasks",
          schema: rows(
            {
              owner: person(),
              before: { type: "array", items: reference() },
              state: { type: "string", codaType: "selectList", options: ["open", "done"] },
              effort: { type: "number", codaType: "slider", minimum: 0, maximum: "10" },
            },
            {
              featuredProperties: ["state", "owner.email"],
              titleProperty: { property: "title", label: "" },
              index: {
                properties: ["title", { property: "title", strategy: "raw" }],
                filterableProperties: ["state"],
              },
              attribution: [{ type: 1, text: "From Tasks." }],
            },
          ),
        },
        {
          executeUpdate: () => ({ result: [] }),
          maxUpdateBatchSize: 10,
          updateOptions: { extraOAuthScopes: ["write"] },
        },
      ),
      table(
        { name: "Steps", identityName: "Step" },
        {
          name: "Steps",
          parameters: [
            parameter({
              name: "task",
              crawlStrategy: { parentTable: { tableName: "Tasks", propertyKey: "taskId" } },
            }),
          ],
        },
      ),
    ],
    formats: [{ name: "Track", formulaName: "Run", matchers: [/^T-\d+$/] }],
    skills: [
      skill({
        tools: [{ type: "Pack", formulas: [{ formulaName: "Run" }] }, { type: "MCP" }],
        models: [{ model: "OpenAIGPT5" }],
      }),
    ],
    mcpServers: [{ name: "Tasks", endpointUrl: "https://mcp.tasks.example/" }],
    suggestedPrompts: [{ name: "Start", displayName: "Start", prompt: "Plan my day." }],
    skillEntrypoints: { defaultChat: { skillName: "Plan" } },
  });

/** A change somewhere in a definition; the route chooses members on the way. */
export interface Mutation {
  kind: "replace" | "drop" | "add" | "duplicate";
  route: number[];
  key: string;
  value: unknown;
}

const odd = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
  }),
  fc.constantFrom(
    "",
    "a",
    "__proto__",
    "$",
    "a.b",
    "[*]",
    Number.NaN,
    -1,
    1e9,
    null,
    undefined,
    [],
    {},
  ),
  fc.constant(() => 1),
);

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("replace", "drop", "add", "duplicate"),
  route: fc.array(fc.nat(50), { maxLength: 8 }),
  key: fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "options", "codaType", "type", "name"),
    fc.string({ maxLength: 5 }),
  ),
  value: odd,
});

/** A copy of a definition with one change. */
export function mutated(at: unknown, change: Mutation): unknown {
  const [turn, ...route] = change.route;
  if (typeof at !== "object" || at === null || at instanceof RegExp) return change.value;
  const keys = Object.keys(at);
  const key = keys[(turn ?? 0) % Math.max(1, keys.length)];
  if (key === undefined || turn === undefined) return changed(at, key, change);
  const inner = (at as Definition)[key];
  const isLast = route.length === 0 || typeof inner !== "object" || inner === null;
  return isLast
    ? changed(at, key, change)
    : withMember(at, key, mutated(inner, { ...change, route }));
}

function changed(
  at: object,
  key: string | undefined,
  { kind, key: added, value }: Mutation,
): unknown {
  if (Array.isArray(at)) {
    const index = Number(key ?? 0);
    if (kind === "drop") return at.filter((_, position) => position !== index);
    if (kind === "duplicate") return [...at, at[index]];
    return kind === "add"
      ? [...at, value]
      : at.map((item, position) => (position === index ? value : item));
  }
  if (kind === "add" || key === undefined) return withMember(at, added, value);
  if (kind === "drop")
    return Object.fromEntries(Object.entries(at).filter(([name]) => name !== key));
  return withMember(
    at,
    kind === "duplicate" ? added : key,
    kind === "duplicate" ? (at as Definition)[key] : value,
  );
}

function withMember(at: object, key: string, value: unknown): unknown {
  if (Array.isArray(at)) return at.map((item, index) => (String(index) === key ? value : item));
  const copy = { ...at };
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  return copy;
}
