import * as z from "zod";

/**
 * A value from a list that may grow: editors complete the known ones, any other text is accepted.
 */
export type Open<Known extends string> = Known | (string & {});

/** What every resource has. */
export interface Resource<Type extends string> {
  id: string;
  type: Type;
  /** Absolute URL of the latest details. */
  href: string;
}

/** One page of a list. More results exist exactly when `nextPageToken` is present. */
export interface Envelope<Item> {
  items: Item[];
  href?: string | undefined;
  nextPageLink?: string | undefined;
  nextPageToken?: string | undefined;
}

/** Every model that the OpenAPI description names. */
export const MODELS = z.registry<{ id: string }>();

/** Gives a model its name in the OpenAPI description. */
export function named<Model extends z.ZodType>(id: string, model: Model): Model {
  MODELS.add(model, { id });
  return model;
}

export const text = z.string();
export const url = z.url();
export const time = z.iso.datetime({ offset: true });
export const count = z.int().min(0);
export const flag = z.boolean();

/** A text of a response, from a list that may grow. */
export function open<const Known extends string>(
  ...known: [Known, ...Known[]]
): z.ZodType<Open<Known>> {
  return z.union([z.enum(known), z.string()]);
}

/** A text of a request: the client sends any, the service accepts only the known ones. */
export function choice<const Known extends string>(
  ...known: [Known, ...Known[]]
): z.ZodType<Known, Open<Known>> {
  return z.enum(known);
}

/** An array in a request, which the client does not change. */
export function many<Output, Input>(
  item: z.ZodType<Output, Input>,
): z.ZodType<Output[], readonly Input[]> {
  return z.array(item);
}

export function resource<const Type extends string>(type: Type) {
  return {
    id: text,
    type: z.literal(type),
    /** Absolute URL of the latest details. */
    href: url,
  };
}

/** One page of a list of these items. */
export function envelope<Item>(id: string, item: z.ZodType<Item>): z.ZodType<Envelope<Item>> {
  return named(id, z.object(envelopeShape(item)));
}

export function envelopeShape<Item>(item: z.ZodType<Item>) {
  return {
    items: z.array(item),
    href: url.optional(),
    nextPageLink: url.optional(),
    nextPageToken: text.optional(),
  };
}
