import type { MCPServer } from "../../define/skill.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { FrameLine } from "../../validate/formats/code-frame.ts";
import type { Issue } from "../../validate/issue.ts";

/**
 * `ready`: it can run · `invalid`: its definition has errors · `broken`: it does not build, or throws while it loads ·
 * `missing`: its file was not found. Unless it is ready, the last version that was ready runs.
 */
export type PackStatus = "ready" | "invalid" | "broken" | "missing";

/** The current state of the Pack. */
export interface PackView {
  /** Grows with every build. */
  revision: number;
  status: PackStatus;
  name: string;
  /** The entry file, relative to the working directory. */
  file: string;
  version: string | undefined;
  /** Whether a version can run: this one, or an older one. */
  canRun: boolean;
  /**
   * The formulas, tables and other parts are from an older version, because this one cannot run.
   */
  isStale: boolean;
  failure: ReportedError | undefined;
  issues: IssueView[];
  formulas: FormulaView[];
  tables: TableView[];
  formats: FormatView[];
  skills: SkillView[];
  mcpServer: MCPServer | undefined;
  domains: string[];
  authentications: AuthenticationView[];
  /** Of the build, in milliseconds. */
  durationMs: number;
  /**
   * Runs wait for a debugger on this port on 127.0.0.1, or on one that the terminal shows. The
   * warning names the layers of the sandbox that remain.
   */
  inspect: { port: number | undefined; warning: string } | undefined;
}

/** A problem with the source around it. The page refers to it by its index in the list. */
export interface IssueView extends Issue {
  frame: FrameLine[];
}

export interface ParameterView {
  name: string;
  /** As declared: `string`, `sparseDateArray`, … */
  type: string;
  description: string;
  isOptional: boolean;
  hasAutocomplete: boolean;
  /** As the form stores it: text, or a list of texts. */
  suggested: string | string[] | undefined;
}

interface RunnableView {
  name: string;
  description: string;
  parameters: ParameterView[];
  /** Parameters that are repeated as a group. */
  varargs: ParameterView[];
  /** Whether it runs with an account. */
  connection: "none" | "optional" | "required";
}

export interface FormulaView extends RunnableView {
  isAction: boolean;
  /** Such as `string`, `currency`, `Task list`. */
  result: string;
}

export interface ColumnView {
  /** The member of a row that the column shows. */
  key: string;
  /** Name of the property. */
  name: string;
  label: string;
  type: string;
  /** The value hint. */
  hint: string | undefined;
  isMutable: boolean;
  /** The options of a select list that permits no others; otherwise empty. */
  choices: string[];
}

export interface TableView extends RunnableView {
  isDynamic: boolean;
  columns: ColumnView[];
  /** Rows can be edited. */
  isTwoWay: boolean;
}

export interface FormatView {
  name: string;
  formula: string;
  instructions: string | undefined;
  matchers: string[];
}

export interface SkillView {
  name: string;
  displayName: string;
  description: string;
  tools: string[];
}

export interface AuthenticationView {
  /** `user`, `system`, or `admin:name`. */
  slot: string;
  type: string;
  /** Facts worth knowing: endpoints, scopes, names of fields. */
  facts: (readonly [name: string, value: string])[];
}
