import type {
  AttributionNodeType,
  ContentCategorizationType,
  IndexingStrategy,
  LifecycleBehavior,
  PermissionsBehavior,
} from "./enumerations.ts";

/** The kind of object, such as a task. References between tables use this identity. */
export interface IdentityDefinition {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** The URL of the dynamic table that contains the rows. */
  dynamicUrl?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  mergeKey?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  attribution?: readonly AttributionNode[] | undefined;
}
/** An identity in another Pack. */
export interface Identity extends IdentityDefinition {
  /** The ID of the other Pack. */
  readonly packId?: number | undefined;
}

/** A property with a different label. */
export interface PropertyIdentifierDetails<Name extends string = string> {
  /** The name of a property, or a path such as `owner.name`. */
  readonly property: Name;
  /** The label. `{VALUE}` is replaced by the value. An empty string hides the label. */
  readonly label?: string | undefined;
  /** The text that users see if there is no value. */
  readonly placeholder?: string | undefined;
}
/** A reference to a property: a name, a path such as `owner.name`, or an object with a label. */
export type PropertyIdentifier<Name extends string = string> =
  | Name
  | PropertyIdentifierDetails<Name>;

/** A property that search indexes. */
export type BasicIndexedProperty = PropertyIdentifier;
/** A property that search indexes, with an optional strategy. */
export type IndexedProperty =
  | BasicIndexedProperty
  | {
      /** The property. */
      readonly property: PropertyIdentifier;
      /** @deprecated Accepted for compatibility with existing Packs. */
      readonly strategy: IndexingStrategy;
    };
/** The properties that search uses as context for each indexed property. */
export type ContextProperties = readonly PropertyIdentifier[];
/** A property that users can filter search results by. */
export type FilterableProperty = PropertyIdentifier;

interface BaseIndexDefinition {
  /** The properties that search uses as context for each indexed property. */
  readonly contextProperties?: ContextProperties | undefined;
  /** The properties that users can filter search results by. At most 5. */
  readonly filterableProperties?: readonly FilterableProperty[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly authorityNormProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly popularityNormProperty?: PropertyIdentifier | undefined;
}
/** The search settings for the rows. */
export interface CustomIndexDefinition extends BaseIndexDefinition {
  /** The properties that search indexes. */
  readonly properties: readonly IndexedProperty[];
}
/** @deprecated Accepted for compatibility with existing Packs. */
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
/** @deprecated Accepted for compatibility with existing Packs. */
export interface CategorizationIndexDefinition extends BaseIndexDefinition {
  readonly contentCategorization: ContentCategorization;
}
/** The search settings for the rows. */
export type IndexDefinition = CustomIndexDefinition | CategorizationIndexDefinition;

/** Text that shows the source of the data. */
export interface TextAttributionNode {
  /** Set to `AttributionNodeType.Text` to show the attribution as text. */
  readonly type: AttributionNodeType.Text;
  /** The text to show. */
  readonly text: string;
}
/** A link that shows the source of the data. */
export interface LinkAttributionNode {
  /** Set to `AttributionNodeType.Link` to show the attribution as a link. */
  readonly type: AttributionNodeType.Link;
  /** The URL of the link. */
  readonly anchorUrl: string;
  /** The text of the link. */
  readonly anchorText: string;
}
/** An image that shows the source of the data. */
export interface ImageAttributionNode {
  /** Set to `AttributionNodeType.Image` to show the attribution as an image. */
  readonly type: AttributionNodeType.Image;
  /** The URL that opens when users click the image. */
  readonly anchorUrl: string;
  /** The URL of the image. */
  readonly imageUrl: string;
}
/** Shows the source of the data. */
export type AttributionNode = TextAttributionNode | LinkAttributionNode | ImageAttributionNode;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface ParentDefinition {
  readonly parentIdProperty: PropertyIdentifier;
  readonly permissions?: PermissionsBehavior | undefined;
  readonly lifecycle?: LifecycleBehavior | undefined;
}
