/** A column format: it shows the text of a column through a formula of the Pack. */
export interface Format {
  /** Name that users choose; at most 50 characters. */
  readonly name: string;
  /** The formula that is called with the text; its first parameter takes it, and no other is required. */
  readonly formulaName: string;
  /** How to use it, for users to read. */
  readonly instructions?: string | undefined;
  /** Text that the format is offered for; at most 10 patterns. */
  readonly matchers?: readonly RegExp[] | undefined;
  /** Accepted from older Packs. */
  readonly formulaNamespace?: string | undefined;
  /** Accepted from older Packs. */
  readonly hasNoConnection?: boolean | undefined;
  /** Accepted from older Packs. */
  readonly placeholder?: string | undefined;
}
