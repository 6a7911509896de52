import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { PackError } from "../../../errors.ts";
import { isTimeZone } from "../../../shared/time.ts";
import type { CellEdit, ColumnFormatType } from "../../contract/models/responses.ts";
import { type ButtonScript, buttonScriptSchema } from "../edits/button-script.ts";
import { isLoopbackUrl } from "../loopback-url.ts";
import { type Principal, principalSchema } from "./principal.ts";
import { CATEGORIES, PUBLISH_MODES, type PublicationSettings } from "./publication.ts";
import { analyticsSchema, type SeedAnalytics } from "./seed-analytics.ts";
import { seedProblem } from "./seed-problem.ts";

/**
 * The documents of a local service and who may use them. Ids that are left out are derived from the
 * names.
 */
export interface Seed {
  workspace?: SeedWorkspace | undefined;
  /**
   * The first one owns what says nothing else; tokens of an authorization server act as this user.
   */
  users: SeedUser[];
  tokens?: SeedToken[] | undefined;
  docs: SeedDoc[];
  analytics?: SeedAnalytics | undefined;
}

interface SeedWorkspace {
  id?: string | undefined;
  name: string;
  organizationId?: string | undefined;
  /** Enables page analytics, which only Enterprise workspaces have. @default false */
  isEnterprise?: boolean | undefined;
  /** An Editor who creates a doc becomes a Doc Maker. @default false */
  anyMemberMayCreateDocs?: boolean | undefined;
  /** Who has an address of one of these domains joins by creating a doc. */
  autoJoinDomains?: string[] | undefined;
  /** Groups that docs can be shared with; members by e-mail. */
  groups?: { id?: string | undefined; name: string; members: string[] }[] | undefined;
}

interface SeedUser {
  name: string;
  email: string;
  /** @default "Admin" */
  role?: "Admin" | "DocMaker" | "Editor" | undefined;
  /** Belongs to the workspace. @default true */
  isMember?: boolean | undefined;
}

interface SeedToken {
  token: string;
  name?: string | undefined;
  /** E-mail of the user of the token. @default the first user */
  user?: string | undefined;
  /** @default both */
  scopes?: ("read" | "write")[] | undefined;
  /** Id of the only document, and of the only table in it, that the token reaches. */
  docId?: string | undefined;
  tableId?: string | undefined;
}

export interface SeedDoc {
  id?: string | undefined;
  title: string;
  /** E-mail of the owner. @default the first user */
  owner?: string | undefined;
  /** @default "UTC" */
  timezone?: string | undefined;
  icon?: string | undefined;
  folder?: string | undefined;
  createdAt?: string | undefined;
  permissions?: SeedPermission[] | undefined;
  /** E-mails of the users who starred it. */
  starredBy?: string[] | undefined;
  /** E-mails of the users who opened it. @default everyone with access */
  openedBy?: string[] | undefined;
  /** Publishes it. What is left out has the default of the publish operation. */
  published?: PublicationSettings | undefined;
  settings?:
    | {
        allowEditorsToChangePermissions?: boolean | undefined;
        allowCopying?: boolean | undefined;
        allowViewersToRequestEditing?: boolean | undefined;
      }
    | undefined;
  pages?: SeedPage[] | undefined;
  tables?: SeedTable[] | undefined;
  formulas?:
    | { id?: string | undefined; name: string; page?: string | undefined; value: CellEdit }[]
    | undefined;
  controls?:
    | {
        id?: string | undefined;
        name: string;
        page?: string | undefined;
        controlType: string;
        value: CellEdit;
      }[]
    | undefined;
  automations?: SeedAutomation[] | undefined;
}

type SeedPermission = { access: "readonly" | "write" | "comment" } & (
  | { email: string; principal?: undefined }
  | { email?: undefined; principal: Principal }
);

interface SeedAutomation {
  id?: string | undefined;
  name: string;
  /** A disabled rule answers 422. @default true */
  enabled?: boolean | undefined;
  /** Only a webhook can be invoked; the others answer 422. @default "webhook" */
  trigger?: "webhook" | "time" | "row" | undefined;
  /** Where what was sent is posted as JSON: an address of this machine. */
  deliverTo?: string | undefined;
}

export interface SeedPage {
  id?: string | undefined;
  name: string;
  subtitle?: string | undefined;
  hidden?: boolean | undefined;
  /** Name of the page above. */
  parent?: string | undefined;
  icon?: string | undefined;
  /** URL of the cover image. */
  image?: string | undefined;
  /** What the page says: markdown, HTML, or another page that it shows. */
  content?: string | { html: string } | { embed: string } | undefined;
}

export interface SeedTable {
  id?: string | undefined;
  name: string;
  /** Name of the page that holds it. @default the first page */
  page?: string | undefined;
  /** @default "default" */
  layout?: string | undefined;
  /** Name of the base table: this one is a view of it and has no columns and rows of its own. */
  viewOf?: string | undefined;
  /** A view shows the rows with this value in this column. */
  filter?: { column: string; equals: string | number | boolean } | undefined;
  sorts?: { column: string; direction: "ascending" | "descending" }[] | undefined;
  /** The columns that a view shows. @default all */
  visible?: string[] | undefined;
  columns?: SeedColumn[] | undefined;
  /** Values by column name, read as if they were typed. */
  rows?: SeedRow[] | undefined;
}

export interface SeedColumn {
  id?: string | undefined;
  name: string;
  /** @default "text" */
  type?: ColumnFormatType | undefined;
  /** @default false */
  isArray?: boolean | undefined;
  display?: boolean | undefined;
  hidden?: boolean | undefined;
  /** Makes the column calculated; its values are those of the rows. */
  formula?: string | undefined;
  defaultValue?: string | undefined;
  /** Name of the table that a lookup column points into. */
  table?: string | undefined;
  /** Members of the column format other than `type` and `isArray`. */
  format?: Record<string, unknown> | undefined;
  /** What a button does when it is pushed. */
  button?: ButtonScript | undefined;
}

export type SeedRow = Record<string, CellEdit>;

type ShapeOf<Value> = { [Key in keyof Required<Value>]: z.ZodType<Value[Key]> };

const id = z
  .string()
  .regex(
    /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/,
    "must be 1 to 64 letters, digits, hyphens or underscores",
  )
  .optional();
const name = z.string().min(1).max(1_000);
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const cell = z.union([scalar, z.array(z.union([scalar, z.array(scalar)]))]) as z.ZodType<CellEdit>;
const access = z.enum(["readonly", "write", "comment"]);
const columnTypes = [
  ...([
    "text",
    "person",
    "lookup",
    "number",
    "percent",
    "currency",
    "date",
    "dateTime",
    "time",
    "duration",
    "email",
    "link",
  ] as const),
  ...([
    "slider",
    "scale",
    "image",
    "imageReference",
    "attachments",
    "button",
    "checkbox",
    "select",
    "packObject",
  ] as const),
  ...(["reaction", "canvas", "other"] as const),
] satisfies ColumnFormatType[];

const columnSchema = z.strictObject({
  id,
  name,
  type: z.enum(columnTypes).optional(),
  isArray: z.boolean().optional(),
  display: z.boolean().optional(),
  hidden: z.boolean().optional(),
  formula: z.string().optional(),
  defaultValue: z.string().optional(),
  table: z.string().optional(),
  format: z.record(z.string(), z.unknown()).optional(),
  button: buttonScriptSchema.optional(),
} satisfies ShapeOf<SeedColumn>);

const tableSchema = z.strictObject({
  id,
  name,
  page: z.string().optional(),
  layout: z.string().optional(),
  viewOf: z.string().optional(),
  filter: z.strictObject({ column: z.string(), equals: scalar }).optional(),
  sorts: z
    .array(z.strictObject({ column: z.string(), direction: z.enum(["ascending", "descending"]) }))
    .optional(),
  visible: z.array(z.string()).optional(),
  columns: z.array(columnSchema).optional(),
  rows: z.array(z.record(z.string(), cell)).optional(),
} satisfies ShapeOf<SeedTable>);

const docSchema = z.strictObject({
  id,
  title: name,
  owner: z.string().optional(),
  timezone: z.string().refine(isTimeZone, "is not a known time zone").optional(),
  icon: z.string().optional(),
  folder: z.string().optional(),
  createdAt: z.iso.datetime({ offset: true }).optional(),
  permissions: z
    .array(
      z.union([
        z.strictObject({ access, email: z.string() }),
        z.strictObject({ access, principal: principalSchema }),
      ]) as z.ZodType<SeedPermission>,
    )
    .optional(),
  starredBy: z.array(z.string()).optional(),
  openedBy: z.array(z.string()).optional(),
  published: z
    .strictObject({
      slug: z.string().min(1).optional(),
      discoverable: z.boolean().optional(),
      earnCredit: z.boolean().optional(),
      categoryNames: z.array(z.enum(CATEGORIES)).optional(),
      mode: z.enum(PUBLISH_MODES).optional(),
    })
    .optional() as z.ZodType<SeedDoc["published"]>,
  settings: z
    .strictObject({
      allowEditorsToChangePermissions: z.boolean().optional(),
      allowCopying: z.boolean().optional(),
      allowViewersToRequestEditing: z.boolean().optional(),
    })
    .optional(),
  pages: z
    .array(
      z.strictObject({
        id,
        name,
        subtitle: z.string().optional(),
        hidden: z.boolean().optional(),
        parent: z.string().optional(),
        icon: z.string().optional(),
        image: z.string().optional(),
        content: z
          .union([
            z.string(),
            z.strictObject({ html: z.string() }),
            z.strictObject({ embed: z.url() }),
          ])
          .optional(),
      } satisfies ShapeOf<SeedPage>),
    )
    .optional(),
  tables: z.array(tableSchema).optional(),
  formulas: z
    .array(z.strictObject({ id, name, page: z.string().optional(), value: cell }))
    .optional(),
  controls: z
    .array(
      z.strictObject({
        id,
        name,
        page: z.string().optional(),
        controlType: z.string(),
        value: cell,
      }),
    )
    .optional(),
  automations: z
    .array(
      z.strictObject({
        id,
        name,
        enabled: z.boolean().optional(),
        trigger: z.enum(["webhook", "time", "row"]).optional(),
        deliverTo: z
          .string()
          .refine(isLoopbackUrl, "must be an http address of this machine")
          .optional(),
      } satisfies ShapeOf<SeedAutomation>),
    )
    .optional(),
} satisfies ShapeOf<SeedDoc>);

const seedSchema = z.strictObject({
  workspace: z
    .strictObject({
      id,
      name,
      organizationId: z.string().optional(),
      isEnterprise: z.boolean().optional(),
      anyMemberMayCreateDocs: z.boolean().optional(),
      autoJoinDomains: z.array(z.string().min(1)).optional(),
      groups: z.array(z.strictObject({ id, name, members: z.array(z.string()) })).optional(),
    } satisfies ShapeOf<SeedWorkspace>)
    .optional(),
  users: z
    .array(
      z.strictObject({
        name,
        email: z.string().min(1),
        role: z.enum(["Admin", "DocMaker", "Editor"]).optional(),
        isMember: z.boolean().optional(),
      } satisfies ShapeOf<SeedUser>),
    )
    .min(1),
  tokens: z
    .array(
      z.strictObject({
        token: z
          .string()
          .regex(
            /^[A-Za-z0-9\-._~+/]+=*$/,
            "must be letters, digits and the characters -._~+/ (RFC 6750 §2.1)",
          ),
        name: z.string().optional(),
        user: z.string().optional(),
        scopes: z.array(z.enum(["read", "write"])).optional(),
        docId: z.string().optional(),
        tableId: z.string().optional(),
      } satisfies ShapeOf<SeedToken>),
    )
    .optional(),
  docs: z.array(docSchema),
  analytics: analyticsSchema.optional(),
} satisfies ShapeOf<Seed>);

/**
 * Checks a seed, also what its names refer to.
 * @param file named in the error
 * @throws {PackError} SEED_INVALID with every problem
 */
export function parseSeed(value: unknown, file = "seed"): Seed {
  const parsed = seedSchema.safeParse(value, { error: seedProblem });
  const problems = parsed.success
    ? referenceProblems(parsed.data)
    : parsed.error.issues.map(({ path, message }) => `${toDotPath(path) || "seed"}: ${message}`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new PackError(
    "SEED_INVALID",
    `${file} does not describe documents: ${problems.slice(0, 3).join("; ")}.`,
    {
      details: { file, problems },
      hint: "Correct each problem. The type Seed of packsmith/testing describes the file format.",
    },
  );
}

function referenceProblems({ users, tokens = [], docs, analytics = {} }: Seed): string[] {
  const problems: string[] = [];
  const emails = new Set(users.map(({ email }) => email));
  const need = (condition: boolean, path: string, message: string) => {
    if (!condition) problems.push(`${path}: ${message}`);
  };
  need(emails.size === users.length, "users", "two users have the same email");
  tokens.forEach(({ user }, index) => {
    need(
      user === undefined || emails.has(user),
      `tokens[${index}].user`,
      "is not the email of a user",
    );
  });
  need(
    new Set(docs.map(({ id, title }) => id ?? title)).size === docs.length,
    "docs",
    "two documents have the same id or title",
  );
  for (const kind of ["docs", "pages"] as const) {
    analytics[kind]?.forEach(({ doc }, index) => {
      need(
        docs.some(({ title }) => title === doc),
        `analytics.${kind}[${index}].doc`,
        "is not the title of a document",
      );
    });
  }
  docs.forEach((doc, index) => {
    const path = `docs[${index}]`;
    need(
      doc.owner === undefined || emails.has(doc.owner),
      `${path}.owner`,
      "is not the email of a user",
    );
    const pages = new Set(doc.pages?.map((page) => page.name));
    doc.pages?.forEach(({ parent }, at) => {
      need(
        parent === undefined || pages.has(parent),
        `${path}.pages[${at}].parent`,
        "is not the name of a page",
      );
    });
    const tables = new Map((doc.tables ?? []).map((table) => [table.name, table]));
    need(
      tables.size === (doc.tables ?? []).length,
      `${path}.tables`,
      "two tables have the same name",
    );
    doc.tables?.forEach((table, at) => {
      for (const problem of tableProblems(table, tables, pages))
        problems.push(`${path}.tables[${at}]${problem}`);
    });
  });
  return problems;
}

function tableProblems(
  table: SeedTable,
  tables: ReadonlyMap<string, SeedTable>,
  pages: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  const base = table.viewOf === undefined ? table : tables.get(table.viewOf);
  if (table.page !== undefined && !pages.has(table.page))
    problems.push(".page: is not the name of a page");
  if (base === undefined || (base !== table && base.viewOf !== undefined))
    return [...problems, ".viewOf: is not the name of a base table"];
  if (base !== table && (table.columns !== undefined || table.rows !== undefined))
    problems.push(": a view cannot have columns or rows");
  if ((base.columns ?? []).length === 0)
    problems.push(".columns: a table needs at least one column");
  const columns = new Map((base.columns ?? []).map((column) => [column.name, column]));
  for (const { column } of [
    ...(table.filter === undefined ? [] : [table.filter]),
    ...(table.sorts ?? []),
  ]) {
    if (!columns.has(column))
      problems.push(`: there is no column "${column}" to filter or sort by`);
  }
  for (const column of table.visible ?? [])
    if (!columns.has(column)) problems.push(`.visible: there is no column "${column}"`);
  table.columns?.forEach((column, at) => {
    const target = tables.get(column.table ?? "");
    if (column.type === "lookup" && (target === undefined || target.viewOf !== undefined))
      problems.push(`.columns[${at}].table: is not the name of a base table`);
  });
  table.rows?.forEach((row, at) => {
    for (const column of Object.keys(row))
      if (!columns.has(column)) problems.push(`.rows[${at}]: there is no column "${column}"`);
  });
  return problems;
}
