import * as z from "zod/mini";
import { toList, toMembers } from "../shared/values.ts";

// The compiled metadata of a Pack, as far as it is compared and documented. It may come from a file
// that anything has written: a part that is missing or damaged counts as an empty one.

function members<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.pipe(z.transform(toMembers), z.looseObject(shape));
}

function list<Item extends z.ZodMiniType>(item: Item) {
  return z.pipe(z.transform(toList), z.array(item));
}

const anything = z.optional(z.unknown());
const name = z.pipe(
  z.transform((value: unknown) => String(value ?? "")),
  z.string(),
);
const values = list(z.unknown());

/** The schema of a value: of a result, or of a property. */
export interface ValueSchema {
  [member: string]: unknown;
  type?: unknown;
  codaType?: unknown;
  description?: unknown;
  required?: unknown;
  mutable?: unknown;
  idProperty?: unknown;
  identity?: unknown;
  items?: ValueSchema | undefined;
  properties?: Readonly<Record<string, ValueSchema>> | undefined;
}
const valueSchema: z.ZodMiniType<ValueSchema> = z.lazy(() =>
  members({
    items: z.optional(valueSchema),
    properties: z.optional(z.pipe(z.transform(toMembers), z.record(z.string(), valueSchema))),
  }),
);

const parameter = members({ name, type: anything, optional: anything, description: anything });
const runnable = {
  name,
  description: anything,
  connectionRequirement: anything,
  extraOAuthScopes: values,
  parameters: list(parameter),
  varargParameters: list(parameter),
};
const formula = members({
  ...runnable,
  isAction: anything,
  resultType: anything,
  schema: z.optional(valueSchema),
  examples: z.optional(list(members({ params: values, result: anything }))),
});
const table = members({
  name,
  description: anything,
  identityName: anything,
  isDynamic: anything,
  schema: z.optional(valueSchema),
  getter: members({ ...runnable, supportsUpdates: anything }),
  connectionRequirement: anything,
});
const format = members({
  name,
  instructions: anything,
  formulaName: anything,
  matchers: z.optional(values),
});
const described = members({ name, displayName: anything, description: anything });
const authentication = members({
  type: anything,
  scopes: values,
  authorizationUrl: anything,
  tokenUrl: anything,
  issuer: anything,
  instructionsUrl: anything,
  requiresEndpointUrl: anything,
  endpointDomain: anything,
  connectionVariables: z.optional(list(members({ label: anything }))),
});

const metadata = members({
  formulas: list(formula),
  syncTables: list(table),
  formats: list(format),
  skills: list(described),
  mcpServers: list(described),
  defaultAuthentication: authentication,
  systemConnectionAuthentication: authentication,
  adminAuthentications: list(members({ name, authentication })),
  networkDomains: values,
});

export type ComparedMetadata = z.output<typeof metadata>;
export type ParameterMetadata = z.output<typeof parameter>;
export type FormulaMetadata = z.output<typeof formula>;
export type TableMetadata = z.output<typeof table>;
export type FormatMetadata = z.output<typeof format>;
export type DescribedMetadata = z.output<typeof described>;
export type AuthenticationMetadata = z.output<typeof authentication>;

/** Reads the metadata of a Pack for a comparison or its reference page. */
export function readMetadata(value: unknown): ComparedMetadata {
  return metadata.parse(value);
}
