// An older Pack: one namespace import, formulas of every kind, every type of parameter, every helper.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.setVersion("1.2.0");
pack.addNetworkDomain("recipes.example");
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const RecipeUrlRegex = /^https:\/\/recipes\.example\/recipes\/([0-9]+)$/;
const Cuisines = ["Thai", "Greek", "Peruvian"];

const cuisineParam = coda.makeParameter({
  type: coda.ParameterType.String,
  name: "cuisine",
  description: "Where the recipe is from.",
  autocomplete: Cuisines,
  suggestedValue: "Thai",
});

const idParam = coda.makeParameter({
  type: coda.ParameterType.String,
  name: "id",
  description: "The number of the recipe.",
  autocomplete: async (context, search) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://recipes.example/recipes",
    });
    return coda.autocompleteSearchObjects(search, response.body.items, "name", "id");
  },
});

const stepParam = coda.makeParameter({
  type: coda.ParameterType.Number,
  name: "step",
  description: "One of the steps.",
  optional: true,
  autocomplete: async (_context, search, { id }) =>
    coda.simpleAutocomplete(search, [1, 2, { display: `The last of ${id}`, value: 3 }]),
});

const sizeParam = coda.makeParameter({
  type: coda.ParameterType.String,
  name: "size",
  description: "For how many people.",
  autocomplete: coda.makeSimpleAutocompleteMetadataFormula([
    "small",
    { display: "Large", value: "large" },
  ]),
});

const RecipeSchema = coda.makeObjectSchema({
  properties: {
    recipeId: { type: coda.ValueType.String, fromKey: "id", required: true },
    name: { type: coda.ValueType.String, required: true },
    page: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.Url,
      display: coda.LinkDisplayType.Card,
    },
    photo: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.ImageReference,
      imageOutline: coda.ImageOutline.Disabled,
      imageCornerStyle: coda.ImageCornerStyle.Square,
      imageShapeStyle: coda.ImageShapeStyle.Circle,
      width: 100,
      height: 100,
    },
    upload: { type: coda.ValueType.String, codaType: coda.ValueHintType.ImageAttachment },
    handout: { type: coda.ValueType.String, codaType: coda.ValueHintType.Attachment },
    video: { type: coda.ValueType.String, codaType: coda.ValueHintType.Embed, force: true },
    story: { type: coda.ValueType.String, codaType: coda.ValueHintType.Markdown },
    method: { type: coda.ValueType.String, codaType: coda.ValueHintType.Html },
    contact: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.Email,
      display: coda.EmailDisplayType.IconAndEmail,
    },
    added: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.Date,
      format: "MMMM D, YYYY",
    },
    start: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Time, format: "h:mm" },
    changed: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.DateTime,
      dateFormat: "YYYY",
      timeFormat: "HH",
    },
    takes: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.Duration,
      maxUnit: coda.DurationUnit.Hours,
      precision: 1,
    },
    fat: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Percent, precision: 2 },
    price: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.Currency,
      currencyCode: "EUR",
      format: coda.CurrencyFormat.Accounting,
    },
    heat: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.Scale,
      maximum: 5,
      icon: coda.ScaleIconSet.Chili,
    },
    people: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.Slider,
      minimum: 1,
      maximum: 12,
      step: 1,
    },
    progress: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.ProgressBar,
      minimum: 0,
      maximum: 100,
      showValue: true,
    },
    vegan: { type: coda.ValueType.Boolean, codaType: coda.ValueHintType.Toggle },
    course: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.SelectList,
      options: ["Starter", { display: "Main course", value: "main" }],
      allowNewValues: true,
    },
    tags: { type: coda.ValueType.Array, items: coda.makeSchema({ type: coda.ValueType.String }) },
    nutrition: coda.generateSchema({ calories: 300, protein: 12, notes: "per person" }),
  },
  displayProperty: "name",
  idProperty: "recipeId",
  featuredProperties: ["page", "takes", "heat"],
  titleProperty: "name",
  linkProperty: "page",
  imageProperty: "photo",
  snippetProperty: "story",
  subtitleProperties: [
    "takes",
    { property: "price", label: `Price: ${coda.PropertyLabelValueTemplate}`, placeholder: "none" },
  ],
  attribution: [
    coda.makeAttributionNode({ type: coda.AttributionNodeType.Text, text: "Recipes by" }),
    coda.makeAttributionNode({
      type: coda.AttributionNodeType.Link,
      anchorText: "Recipes",
      anchorUrl: "https://recipes.example",
    }),
    coda.makeAttributionNode({
      type: coda.AttributionNodeType.Image,
      anchorUrl: "https://recipes.example",
      imageUrl: `${coda.SvgConstants.DataUrlPrefixWithDarkModeSupport}PHN2Zy8+`,
    }),
  ],
});

async function fetchRecipe(id: string, context: coda.ExecutionContext) {
  const url = coda.withQueryParams(coda.joinUrl("https://recipes.example", "recipes", id), {
    units: "metric",
    lang: undefined,
  });
  coda.assertCondition(coda.getQueryParams(url)["units"] === "metric", "The units are wrong.");
  try {
    const response = await context.fetcher.fetch({ method: coda.ValidFetchMethods[0], url });
    return coda.ensureExists(response.body, "There is no such recipe.");
  } catch (error) {
    if (
      coda.StatusCodeError.isStatusCodeError(error) &&
      error.statusCode === coda.HttpStatusCode.NotFound
    ) {
      throw new coda.UserVisibleError(error.body?.message ?? "There is no such recipe.");
    }
    if (coda.ResponseSizeTooLargeError.isResponseSizeTooLargeError(error))
      throw new coda.MissingScopesError();
    throw error;
  }
}

pack.addFormula({
  name: "Recipe",
  description: "The recipe with a number.",
  instructions: "Use it when the user names a recipe.",
  parameters: [idParam, stepParam],
  resultType: coda.ValueType.Object,
  schema: RecipeSchema,
  cacheTtlSecs: 3600,
  execute: async ([id, step = 1], context) => {
    const match = RecipeUrlRegex.exec(id);
    const recipe = await fetchRecipe(match?.[1] ?? coda.ensureNonEmptyString(id), context);
    return { ...recipe, name: `${recipe.name} (${step})` };
  },
});

pack.addFormula({
  name: "Recipes",
  description: "The recipes of a cuisine.",
  parameters: [cuisineParam, sizeParam],
  varargParameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "ingredient",
      description: "Something to use.",
    }),
    coda.makeParameter({
      type: coda.ParameterType.Number,
      name: "grams",
      description: "How much of it.",
    }),
  ],
  resultType: coda.ValueType.Array,
  items: RecipeSchema,
  connectionRequirement: coda.ConnectionRequirement.None,
  examples: [{ params: ["Thai", "small", "Rice", 200], result: [{ id: "1", name: "Curry" }] }],
  execute: async ([cuisine, size, ...ingredients], context) => {
    const names = ingredients.filter((_, index) => index % 2 === 0);
    const url = coda.withQueryParams("https://recipes.example/recipes", {
      cuisine,
      size,
      with: names.join(","),
    });
    const response = await context.fetcher.fetch({
      method: "GET",
      url,
      headers: { Accept: "application/json" },
    });
    return response.body.items;
  },
});

pack.addFormula({
  name: "Portions",
  description: "How many portions a recipe gives.",
  parameters: [idParam],
  resultType: coda.ValueType.Number,
  codaType: coda.ValueHintType.Percent,
  execute: async ([id], context) => (await fetchRecipe(id, context)).portions,
  onError: (error) => {
    if (error instanceof coda.UserVisibleError) return 0;
    throw error;
  },
});

pack.addFormula({
  name: "Cooked",
  description: "Notes that a recipe was cooked.",
  parameters: [
    idParam,
    coda.makeParameter({ type: coda.ParameterType.Date, name: "day", description: "When." }),
    coda.makeParameter({
      type: coda.ParameterType.DateArray,
      name: "span",
      description: "For which days it lasted.",
      optional: true,
      suggestedValue: coda.PrecannedDateRange.Last7Days,
    }),
  ],
  isAction: true,
  resultType: coda.ValueType.Boolean,
  extraOAuthScopes: [],
  execute: async ([id, day, span], context) => {
    const body = JSON.stringify({
      day: day.toISOString(),
      until: span?.[1],
      zone: context.timezone,
    });
    await context.fetcher.fetch({
      method: "POST",
      url: `https://recipes.example/recipes/${id}/cooked`,
      body,
    });
    return true;
  },
});

const Kinds = {
  yes: coda.makeParameter({
    type: coda.ParameterType.Boolean,
    name: "yes",
    description: "Yes or no.",
  }),
  html: coda.makeParameter({ type: coda.ParameterType.Html, name: "html", description: "HTML." }),
  image: coda.makeParameter({
    type: coda.ParameterType.Image,
    name: "image",
    description: "An image.",
  }),
  file: coda.makeParameter({ type: coda.ParameterType.File, name: "file", description: "A file." }),
  markdown: coda.makeParameter({
    type: coda.ParameterType.Markdown,
    name: "markdown",
    description: "Markdown.",
  }),
  email: coda.makeParameter({
    type: coda.ParameterType.Email,
    name: "email",
    description: "An address.",
  }),
  strings: coda.makeParameter({
    type: coda.ParameterType.StringArray,
    name: "strings",
    description: "Texts.",
  }),
  numbers: coda.makeParameter({
    type: coda.ParameterType.NumberArray,
    name: "numbers",
    description: "Numbers.",
  }),
  booleans: coda.makeParameter({
    type: coda.ParameterType.BooleanArray,
    name: "booleans",
    description: "Yeses and noes.",
  }),
  htmls: coda.makeParameter({
    type: coda.ParameterType.HtmlArray,
    name: "htmls",
    description: "HTML.",
  }),
  images: coda.makeParameter({
    type: coda.ParameterType.ImageArray,
    name: "images",
    description: "Images.",
  }),
  files: coda.makeParameter({
    type: coda.ParameterType.FileArray,
    name: "files",
    description: "Files.",
  }),
  markdowns: coda.makeParameter({
    type: coda.ParameterType.MarkdownArray,
    name: "markdowns",
    description: "Markdown.",
  }),
  emails: coda.makeParameter({
    type: coda.ParameterType.EmailArray,
    name: "emails",
    description: "Addresses.",
  }),
  maybeStrings: coda.makeParameter({
    type: coda.ParameterType.SparseStringArray,
    name: "maybeStrings",
    description: "Texts.",
  }),
  maybeNumbers: coda.makeParameter({
    type: coda.ParameterType.SparseNumberArray,
    name: "maybeNumbers",
    description: "Numbers.",
  }),
  maybeBooleans: coda.makeParameter({
    type: coda.ParameterType.SparseBooleanArray,
    name: "maybeBooleans",
    description: "Yeses.",
  }),
  maybeDates: coda.makeParameter({
    type: coda.ParameterType.SparseDateArray,
    name: "maybeDates",
    description: "Dates.",
  }),
  maybeHtmls: coda.makeParameter({
    type: coda.ParameterType.SparseHtmlArray,
    name: "maybeHtmls",
    description: "HTML.",
  }),
  maybeImages: coda.makeParameter({
    type: coda.ParameterType.SparseImageArray,
    name: "maybeImages",
    description: "Images.",
  }),
  maybeFiles: coda.makeParameter({
    type: coda.ParameterType.SparseFileArray,
    name: "maybeFiles",
    description: "Files.",
  }),
  maybeMarkdowns: coda.makeParameter({
    type: coda.ParameterType.SparseMarkdownArray,
    name: "maybeMarkdowns",
    description: "Texts.",
  }),
  maybeEmails: coda.makeParameter({
    type: coda.ParameterType.SparseEmailArray,
    name: "maybeEmails",
    description: "Addresses.",
  }),
};

pack.addFormula({
  name: "Describe",
  description: "Says what it was given.",
  parameters: [
    Kinds.yes,
    Kinds.html,
    Kinds.image,
    Kinds.file,
    Kinds.markdown,
    Kinds.email,
    Kinds.strings,
    Kinds.numbers,
    Kinds.booleans,
    Kinds.htmls,
    Kinds.images,
    Kinds.files,
    Kinds.markdowns,
    Kinds.emails,
    Kinds.maybeStrings,
    Kinds.maybeNumbers,
    Kinds.maybeBooleans,
    Kinds.maybeDates,
    Kinds.maybeHtmls,
    Kinds.maybeImages,
    Kinds.maybeFiles,
    Kinds.maybeMarkdowns,
    Kinds.maybeEmails,
  ],
  resultType: coda.ValueType.String,
  execute: async ([yes, html, ...rest]) => {
    const kind: "yes" | "no" = yes ? "yes" : "no";
    switch (kind) {
      case "yes":
        return html + rest.length;
      case "no":
        return "";
      default:
        return coda.ensureUnreachable(kind);
    }
  },
});

pack.formulas.push(
  coda.makeFormula({
    name: "Time",
    description: "The time of a recipe.",
    parameters: [],
    resultType: coda.ValueType.String,
    codaType: coda.ValueHintType.Time,
    network: { connection: coda.NetworkConnection.None },
    execute: async () => "12:00",
  }),
  coda.makeTranslateObjectFormula({
    name: "RandomRecipe",
    description: "Any recipe.",
    parameters: [
      coda.makeParameter({
        type: coda.ParameterType.String,
        name: "mood",
        description: "How you feel.",
        optional: true,
      }),
    ],
    request: { method: "GET", url: "https://recipes.example/random", queryParams: ["mood"] },
    response: { schema: RecipeSchema, projectKey: "recipe" },
  }),
  coda.makeEmptyFormula({
    name: "Forget",
    description: "Forgets a recipe.",
    isAction: true,
    parameters: [idParam],
    request: { method: "DELETE", url: "https://recipes.example/recipes/{id}" },
  }),
);

pack.addColumnFormat({
  name: "Recipe",
  instructions: "Paste the address of a recipe.",
  formulaName: "Recipe",
  matchers: [RecipeUrlRegex],
});

pack.addSkill({
  name: "Cook",
  displayName: "Cook something",
  description: "Suggests what to cook.",
  prompt: "Ask what is in the fridge, then suggest a recipe.",
  tools: [
    { type: coda.ToolType.Pack, formulas: [{ formulaName: "Recipe" }] },
    { type: coda.ToolType.Knowledge, source: { type: coda.KnowledgeToolSourceType.Pack } },
    {
      type: coda.ToolType.ScreenAnnotation,
      annotation: { type: coda.ScreenAnnotationType.Rewrite },
    },
    { type: coda.ToolType.ContactResolution },
    { type: coda.ToolType.WebSearch, allowedDomains: ["recipes.example"] },
  ],
  models: [{ model: coda.SkillModel.OpenAIGPT5, prompt: "Be short." }],
});

export const keys = coda.getEffectivePropertyKeysFromSchema(RecipeSchema);
export const everyBuilder: coda.PackDefinitionBuilder[] = [pack];
