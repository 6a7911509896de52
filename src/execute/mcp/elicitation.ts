/** A value that a user may give. */
export type ElicitedValue = string | number | boolean | string[];

/** One question of an elicitation: a restricted JSON Schema. */
export interface ElicitationField {
  name: string;
  title: string;
  description: string | undefined;
  type: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  isRequired: boolean;
  default: ElicitedValue | undefined;
  /** Of a choice. */
  options: readonly { value: string; title: string }[];
}

/** What a server of the Model Context Protocol wants to know while its tool runs. */
export interface Elicitation {
  /** Host of the server. */
  server: string;
  message: string;
  fields: readonly ElicitationField[];
}

export type ElicitationAnswer =
  | { action: "accept"; content: Record<string, ElicitedValue> }
  | { action: "decline" | "cancel" };

/** Asks the user. What it returns is sent to the server. */
export type Elicit = (elicitation: Elicitation) => Promise<ElicitationAnswer>;
