// The chapters of the authoring reference: the page of each, the files of src/define that it
// describes, in order, and where its example comes from. A chapter's `names` are described there
// although they are declared in a file of another chapter.

export const INTRODUCTION = `# Authoring reference

This reference lists everything that \`packsmith\` exports. Your editor shows the same descriptions. In the tables, an asterisk (*) marks a required property. For the first steps, see [getting started](getting-started.md). To move an existing Pack, see [migrating](migrating.md).`;

/** The pages with more than one chapter, and what each is about. */
export const PAGES = {
  "authoring-pack": {
    title: "The Pack and its formulas",
    text: "This page describes the `pack` object that your module exports. It also describes formulas and actions.",
  },
  "authoring-tables": {
    title: "Sync tables, formats, skills and agents",
    text: "This page describes sync tables, two-way sync, column formats, skills for assistants, and agents.",
  },
  "authoring-requests": {
    title: "Requests, errors and helpers",
    text: "This page describes the properties of the context, such as the fetcher, blob storage and the time zone. It also describes the errors that a Pack can throw and catch.",
  },
  "authoring-types": {
    title: "Enumerations and further types",
    text: "This page lists the values of each enumeration, such as `ValueType` and `ValueHintType`. It also lists types for your own functions.",
  },
};

export const GROUPS = [
  {
    page: "authoring-pack",
    title: "The Pack",
    files: ["pack-builder", "pack"],
    names: ["PropertyLabelValueTemplate", "SvgConstants"],
    text: "A Pack is a module that exports `pack`. `newPack` creates the Pack. Each method call adds a part, such as a formula.",
    example: { file: "templates/blank/pack.ts", parts: ["pack.addFormula"] },
  },
  {
    page: "authoring-pack",
    title: "Formulas",
    files: ["formula", "make-formula", "request-template"],
    text: "`execute` receives the arguments in the order of the parameters. TypeScript infers the types of the arguments. `resultType` sets the type of the result.",
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
    text: "A parameter describes a value that the user enters. To use a parameter in several formulas, store it in a variable.",
    example: { file: "examples/reports/pack.ts", parts: ["const docId"] },
  },
  {
    page: "authoring-schemas",
    title: "Schemas",
    files: ["make-schema", "scalar-schemas", "schema-annotations", "schema", "schema-type"],
    text: "A schema describes the type and the display of a value. An object schema also lists the properties of the object.",
    example: { file: "examples/tasks/pack.ts", parts: ["const TaskSchema"] },
  },
  {
    page: "authoring-tables",
    title: "Sync tables",
    files: ["sync-table"],
    text: "A sync table copies rows into a document, page by page. If you add `executeUpdate`, users can edit these rows in the document.",
    example: { file: "docs/examples/books.ts", parts: ["pack.addSyncTable"] },
  },
  {
    page: "authoring-tables",
    title: "Column formats, skills and tools",
    files: ["skill"],
    names: ["Format"],
    text: "A Pack can also contain column formats and skills. A column format changes the display of text. A skill gives instructions and tools to an assistant.",
    example: { file: "docs/examples/books.ts", parts: ["pack.addColumnFormat", "pack.addSkill"] },
  },
  {
    page: "authoring-tables",
    title: "Agents",
    files: ["agent", "agent-builder"],
    text: "An agent has instructions, tools and triggers instead of formulas and tables. `packsmith validate` checks the recurrence rule of a schedule. The command also shows the next five times at which the agent starts.",
  },
  {
    page: "authoring-authentication",
    title: "Authentication",
    files: ["authentication", "oauth", "oauth-parameters"],
    text: "The authentication of a Pack determines how users connect their accounts. A Pack never contains client IDs, secrets or tokens, and its code never sees them.",
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
    text: "`execute` receives the arguments and a context. A Pack sends requests with the fetcher of this context. Requests can go only to declared network domains.",
    example: { file: "templates/client-credentials/pack.ts", parts: ["pack.addFormula"] },
  },
  {
    page: "authoring-requests",
    title: "Errors",
    files: ["pack-errors"],
    text: "The Pack runtime creates some errors outside the Pack. Packs recognize these errors by name.",
  },
  {
    page: "authoring-requests",
    title: "Helpers",
    files: ["urls"],
    names: ["assertCondition", "ensureExists", "ensureNonEmptyString", "ensureUnreachable"],
    text: "These functions build URLs and check values.",
  },
  {
    page: "authoring-types",
    title: "Enumerations",
    files: ["enumerations"],
    text: 'Each enumeration is an object with literal values. The type with the same name is the union of these values. For example, `ParameterType.String` and `"string"` are the same value.',
  },
  {
    page: "authoring-types",
    title: "Further types",
    files: ["annotation-types"],
    isBrief: true,
    text: "You can use these types for your own functions and variables. Most Packs do not need these types, because TypeScript infers the types.",
  },
];
