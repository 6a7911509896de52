import type {
  AttributionNodeType,
  ContentCategorizationType,
  IndexingStrategy,
  LifecycleBehavior,
  PermissionsBehavior,
} from "./enumerations.ts";

/** What kind of thing an object is: rows of the same identity refer to each other. */
export interface IdentityDefinition {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** The dynamic table that the rows belong to. */
  dynamicUrl?: string | undefined;
  /** Accepted from older Packs. */
  mergeKey?: string | undefined;
  /** Accepted from older Packs. */
  attribution?: readonly AttributionNode[] | undefined;
}
/** An identity in a Pack other than this one. */
export interface Identity extends IdentityDefinition {
  readonly packId?: number | undefined;
}

/** A property with a label of its own where it is shown. */
export interface PropertyIdentifierDetails<Name extends string = string> {
  /** A property's name, or a path into nested properties. */
  readonly property: Name;
  /** `{VALUE}` is replaced by the value; the empty text hides the label. */
  readonly label?: string | undefined;
  /** Shown when there is no value. */
  readonly placeholder?: string | undefined;
}
/** Names a property: its name, a path into nested properties such as `owner.name`, or with a label. */
export type PropertyIdentifier<Name extends string = string> = Name | PropertyIdentifierDetails<Name>;

/** A property that search looks into. */
export type BasicIndexedProperty = PropertyIdentifier;
/** A property that search looks into, and how. */
export type IndexedProperty =
  | BasicIndexedProperty
  | { readonly property: PropertyIdentifier /** Accepted from older Packs. */; readonly strategy: IndexingStrategy };
/** Properties that are shown to search beside each indexed one. */
export type ContextProperties = readonly PropertyIdentifier[];
/** A property by which search results are narrowed. */
export type FilterableProperty = PropertyIdentifier;

interface BaseIndexDefinition {
  /** Properties that give an indexed one its context. */
  readonly contextProperties?: ContextProperties | undefined;
  /** Properties by which results are narrowed; at most 5. */
  readonly filterableProperties?: readonly FilterableProperty[] | undefined;
  /** Accepted from older Packs. */
  readonly authorityNormProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  readonly popularityNormProperty?: PropertyIdentifier | undefined;
}
/** What search knows of the rows. */
export interface CustomIndexDefinition extends BaseIndexDefinition {
  /** Text that is searched. */
  readonly properties: readonly IndexedProperty[];
}
/** Accepted from older Packs. */
export type ContentCategorization =
  | { readonly type: Exclude<ContentCategorizationType, "Email"> }
  | {
      readonly type: "Email";
      readonly toProperty: PropertyIdentifier;
      readonly fromProperty: PropertyIdentifier;
      readonly subjectProperty: PropertyIdentifier;
      readonly htmlBodyProperty: PropertyIdentifier;
      readonly plainTextBodyProperty: PropertyIdentifier;
    };
/** Accepted from older Packs. */
export interface CategorizationIndexDefinition extends BaseIndexDefinition {
  readonly contentCategorization: ContentCategorization;
}
/** What search finds of a row. */
export type IndexDefinition = CustomIndexDefinition | CategorizationIndexDefinition;

/** A line of text that says where data comes from. */
export interface TextAttributionNode {
  readonly type: AttributionNodeType.Text;
  readonly text: string;
}
/** A link that says where data comes from. */
export interface LinkAttributionNode {
  readonly type: AttributionNodeType.Link;
  readonly anchorUrl: string;
  readonly anchorText: string;
}
/** An image that says where data comes from. */
export interface ImageAttributionNode {
  readonly type: AttributionNodeType.Image;
  readonly anchorUrl: string;
  readonly imageUrl: string;
}
/** Says where data comes from. */
export type AttributionNode = TextAttributionNode | LinkAttributionNode | ImageAttributionNode;

/** Accepted from older Packs. */
export interface ParentDefinition {
  readonly parentIdProperty: PropertyIdentifier;
  readonly permissions?: PermissionsBehavior | undefined;
  readonly lifecycle?: LifecycleBehavior | undefined;
}
