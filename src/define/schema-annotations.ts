import type {
  AttributionNodeType,
  ContentCategorizationType,
  IndexingStrategy,
  LifecycleBehavior,
  PermissionsBehavior,
} from "./enumerations.ts";

/** The kind of object, such as a task. References between tables use it. */
export interface IdentityDefinition {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** The dynamic table that the rows belong to. */
  dynamicUrl?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  mergeKey?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  attribution?: readonly AttributionNode[] | undefined;
}
/** An identity in another Pack. */
export interface Identity extends IdentityDefinition {
  /** The number of the other Pack. */
  readonly packId?: number | undefined;
}

/** A property that is shown with a different label. */
export interface PropertyIdentifierDetails<Name extends string = string> {
  /** A property's name, or a path into nested properties. */
  readonly property: Name;
  /** The label. `{VALUE}` is replaced by the value; empty text hides the label. */
  readonly label?: string | undefined;
  /** Shown when there is no value. */
  readonly placeholder?: string | undefined;
}
/** Refers to a property by its name or by a path such as `owner.name`, with or without a label. */
export type PropertyIdentifier<Name extends string = string> =
  | Name
  | PropertyIdentifierDetails<Name>;

/** A property that search finds text in. */
export type BasicIndexedProperty = PropertyIdentifier;
/** A property that search finds text in, and how. */
export type IndexedProperty =
  | BasicIndexedProperty
  | {
      /** The property. */
      readonly property: PropertyIdentifier;
      /** @deprecated Accepted for compatibility with existing Packs. */
      readonly strategy: IndexingStrategy;
    };
/** Properties that give each indexed property its context. */
export type ContextProperties = readonly PropertyIdentifier[];
/** A property that search results can be filtered by. */
export type FilterableProperty = PropertyIdentifier;

interface BaseIndexDefinition {
  /** Properties that give each indexed property its context. */
  readonly contextProperties?: ContextProperties | undefined;
  /** Properties that results can be filtered by. At most 5. */
  readonly filterableProperties?: readonly FilterableProperty[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly authorityNormProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly popularityNormProperty?: PropertyIdentifier | undefined;
}
/** How search indexes the rows. */
export interface CustomIndexDefinition extends BaseIndexDefinition {
  /** The properties to search in. */
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
/** How search indexes a row. */
export type IndexDefinition = CustomIndexDefinition | CategorizationIndexDefinition;

/** A line of text that says where data comes from. */
export interface TextAttributionNode {
  /** Chooses this kind of attribution: a text. */
  readonly type: AttributionNodeType.Text;
  /** The text to show. */
  readonly text: string;
}
/** A link that says where data comes from. */
export interface LinkAttributionNode {
  /** Chooses this kind of attribution: a link. */
  readonly type: AttributionNodeType.Link;
  /** Where the link leads. */
  readonly anchorUrl: string;
  /** The text of the link. */
  readonly anchorText: string;
}
/** An image that says where data comes from. */
export interface ImageAttributionNode {
  /** Chooses this kind of attribution: an image. */
  readonly type: AttributionNodeType.Image;
  /** Where a click on the image leads. */
  readonly anchorUrl: string;
  /** The URL of the image. */
  readonly imageUrl: string;
}
/** Says where data comes from. */
export type AttributionNode = TextAttributionNode | LinkAttributionNode | ImageAttributionNode;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface ParentDefinition {
  readonly parentIdProperty: PropertyIdentifier;
  readonly permissions?: PermissionsBehavior | undefined;
  readonly lifecycle?: LifecycleBehavior | undefined;
}
