/**
 * Why an issue code exists, and an example. The examples are statements of a Pack. A test runs them
 * and checks that the bad one is
 * reported with exactly this code, and the good one with nothing. `pack` and all names of this
 * package are in scope.
 */
export interface Explanation {
  /** Why it matters and what to do: one to three sentences. */
  why: string;
  bad: string;
  good: string;
}

/** The explanation of an error that ends a command. */
export interface ErrorExplanation extends Explanation {
  /** What happened: one sentence. */
  meaning: string;
}

/** The source of an object literal, member by member. */
export function members(list: Readonly<Record<string, string>>): string {
  const lines = Object.entries(list).filter(([, value]) => value !== "");
  return `{\n${lines.map(([key, value]) => `  ${key === value ? key : `${key}: ${indent(value)}`},\n`).join("")}}`;
}

/** `pack.addFormula({…})`, with other or further members; an empty text leaves a member out. */
export function formula(own: Readonly<Record<string, string>> = {}): string {
  const { execute = '() => "Hello!"', ...rest } = own;
  const base = {
    name: '"Hello"',
    description: '"Greets someone."',
    parameters: "[]",
    resultType: "ValueType.String",
  };
  return `pack.addFormula(${members({ ...base, ...rest, execute })});`;
}

/** A parameter's definition. */
export function parameter(own: Readonly<Record<string, string>> = {}): string {
  const list = {
    type: "ParameterType.String",
    name: '"title"',
    description: '"The title."',
    ...own,
  };
  const text = Object.entries(list)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}: ${value}`);
  return `makeParameter({ ${text.join(", ")} })`;
}

/** A formula with these parameters. */
export function withParameters(...parameters: string[]): string {
  return formula({ parameters: `[\n${parameters.map((each) => `  ${each},\n`).join("")}]` });
}

/** A formula that gives an object of this schema. */
export function withSchema(schema: Readonly<Record<string, string>>): string {
  const properties = "{ title: { type: ValueType.String } }";
  const text = members({ properties, ...schema });
  return formula({
    resultType: "ValueType.Object",
    schema: `makeObjectSchema(${text})`,
    execute: '() => ({ title: "Write" })',
  });
}

/** A formula whose result has this one property. */
export function withProperty(property: string): string {
  return withSchema({ properties: `{ title: ${property} }` });
}

/** What an example changes of a table. */
interface TableParts {
  table?: Readonly<Record<string, string>> | undefined;
  schema?: Readonly<Record<string, string>> | undefined;
  formula?: Readonly<Record<string, string>> | undefined;
}

/**
 * `pack.addSyncTable({…})`, with other or further members of the table, its schema and its formula.
 */
export function syncTable({ table = {}, schema = {}, formula = {} }: TableParts = {}): string {
  const rows = {
    properties: "{ id: { type: ValueType.String }, title: { type: ValueType.String } }",
    idProperty: '"id"',
    displayProperty: '"title"',
    ...schema,
  };
  const { execute = "async () => ({ result: [] })", ...rest } = formula;
  const sync = {
    name: '"SyncTasks"',
    description: '"Lists the tasks."',
    parameters: "[]",
    ...rest,
    execute,
  };
  const own = {
    name: '"Tasks"',
    identityName: '"Task"',
    schema: `makeObjectSchema(${members(rows)})`,
    formula: members(sync),
    ...table,
  };
  return `pack.addSyncTable(${members(own)});`;
}

/** The Pack's authentication, and a network domain for it. */
export function authentication(
  own: Readonly<Record<string, string>>,
  domains = '"tasks.example"',
  method = "setUserAuthentication",
): string {
  return `pack.addNetworkDomain(${domains});\npack.${method}(${members(own)});`;
}

/** OAuth2 with the authorization code flow. */
export function oauth2(own: Readonly<Record<string, string>> = {}, domains?: string): string {
  const base = {
    type: "AuthenticationType.OAuth2",
    authorizationUrl: '"https://login.tasks.example/authorize"',
    tokenUrl: '"https://login.tasks.example/token"',
    useProofKeyForCodeExchange: "true",
  };
  return authentication({ ...base, ...own }, domains);
}

/** OAuth2 with client credentials. */
export function clientCredentials(own: Readonly<Record<string, string>> = {}): string {
  return authentication({
    type: "AuthenticationType.OAuth2ClientCredentials",
    tokenUrl: '"https://login.tasks.example/token"',
    ...own,
  });
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
