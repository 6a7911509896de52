// The chapters of the authoring reference: the page of each, the files of src/define that it
// describes, in order, and where its example comes from. A chapter's `names` are described there
// although they are declared in a file of another chapter.

export const INTRODUCTION = `# Authoring reference

Everything that \`packsmith\` exports, written from the comments in its source, which editors show too. In the tables, a member with * is
required. [Getting started](getting-started.md) has the first steps; [migrating](migrating.md) explains how to move an existing Pack.`;

/** The pages with more than one chapter, and what each is about. */
export const PAGES = {
  "authoring-pack": {
    title: "The Pack and its formulas",
    text: "The module that you export, and the formulas and actions in it.",
  },
  "authoring-tables": {
    title: "Sync tables, formats, skills and agents",
    text: "Tables whose rows come from an API, two-way sync, column formats, and what assistants can use.",
  },
  "authoring-requests": {
    title: "Requests, errors and helpers",
    text: "What `execute` receives in addition to its arguments: the fetcher, blobs, the time zone, and the errors that a Pack throws and catches.",
  },
  "authoring-types": {
    title: "Enumerations and further types",
    text: "The values of each enumeration, such as `ValueType` and `ValueHintType`, and types for your own functions.",
  },
};

export const GROUPS = [
  {
    page: "authoring-pack",
    title: "The Pack",
    files: ["pack-builder", "pack"],
    names: ["PropertyLabelValueTemplate", "SvgConstants"],
    text: "A Pack is a module that exports `pack`. `newPack` starts it, and each call adds a part.",
    example: { file: "templates/blank/pack.ts", parts: ["pack.addFormula"] },
  },
  {
    page: "authoring-pack",
    title: "Formulas",
    files: ["formula", "make-formula", "request-template"],
    text: "`execute` receives the arguments in the order of the parameters, and TypeScript knows their types. `resultType` decides what it returns.",
    example: { file: "examples/tasks/pack.ts", parts: ['name: "ListTasks"'] },
  },
  {
    page: "authoring-parameters",
    title: "Parameters",
    files: ["parameter", "metadata"],
    names: [
      ...[
        "ParameterValueMap",
        "Parameter",
        "SuggestedValueType",
        "SyncTableRelation",
        "CrawlStrategy",
      ],
      ...["AutocompleteOption", "AutocompleteParameterTypes", "SimpleAutocompleteOption"],
      ...[
        "MetadataFormulaObjectResultType",
        "MetadataFormulaResultType",
        "LegacyDefaultMetadataReturnType",
        "MetadataContext",
      ],
      ...["MetadataFunction", "MetadataFormula", "MetadataFormulaDef"],
      ...["PropertyOptionsMetadataResult", "PropertyOptionsMetadataFunction"],
    ],
    text: "A parameter describes what a user enters. Keep one in a variable to use it in several formulas.",
    example: { file: "examples/reports/pack.ts", parts: ["const docId"] },
  },
  {
    page: "authoring-schemas",
    title: "Schemas",
    files: ["make-schema", "scalar-schemas", "schema-annotations", "schema", "schema-type"],
    text: "A schema describes a value: its type, how it is shown, and, for objects, its properties.",
    example: { file: "examples/tasks/pack.ts", parts: ["const TaskSchema"] },
  },
  {
    page: "authoring-tables",
    title: "Sync tables",
    files: ["sync-table"],
    text: "A sync table brings rows into a document, page by page. With `executeUpdate`, users can edit them there.",
    example: { file: "docs/examples/books.ts", parts: ["pack.addSyncTable"] },
  },
  {
    page: "authoring-tables",
    title: "Column formats, skills and tools",
    files: ["skill"],
    names: ["Format"],
    text: "What else a Pack can offer: ways to show the text of a column, and skills for assistants.",
    example: { file: "docs/examples/books.ts", parts: ["pack.addColumnFormat", "pack.addSkill"] },
  },
  {
    page: "authoring-tables",
    title: "Agents",
    files: ["agent", "agent-builder"],
    text: "An agent has instructions, tools and triggers instead of formulas and tables. `packsmith validate` checks the rule of a schedule and shows the next five times.",
  },
  {
    page: "authoring-authentication",
    title: "Authentication",
    files: ["authentication", "oauth", "oauth-parameters"],
    text: "How accounts authenticate. Client IDs, secrets and tokens are never part of a Pack, and its code never sees them.",
    example: {
      file: "templates/oauth2/pack.ts",
      parts: ["pack.addNetworkDomain", "pack.setUserAuthentication"],
    },
  },
  {
    page: "authoring-requests",
    title: "Requests and context",
    files: ["invocation", "fetch", "untyped"],
    names: [
      ...[
        "ExecutionContext",
        "SyncExecutionContext",
        "UpdateSyncExecutionContext",
        "PropertyOptionsExecutionContext",
      ],
      ...["SyncBase", "SyncFull", "SyncIncremental", "Sync", "UpdateSync"],
    ],
    text: "What `execute` receives in addition to its arguments. Requests go through the fetcher, and only to declared network domains.",
    example: { file: "templates/client-credentials/pack.ts", parts: ["pack.addFormula"] },
  },
  {
    page: "authoring-requests",
    title: "Errors",
    files: ["pack-errors"],
    text: "Errors are recognised by name, because the runtime creates some of them outside the Pack.",
  },
  {
    page: "authoring-requests",
    title: "Helpers",
    files: ["urls"],
    names: ["assertCondition", "ensureExists", "ensureNonEmptyString", "ensureUnreachable"],
    text: "Small helper functions for URLs and checks.",
  },
  {
    page: "authoring-types",
    title: "Enumerations",
    files: ["enumerations"],
    text: 'Each is an object of literals and a type of the same name: `ParameterType.String` and `"string"` are the same.',
  },
  {
    page: "authoring-types",
    title: "Further types",
    files: ["annotation-types"],
    isBrief: true,
    text: "Types to annotate your own functions and variables with. A Pack rarely needs them, because the builder infers its types.",
  },
];
