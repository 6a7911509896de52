/**
 * Text that may contain placeholders: `{name}`, `{choice.part}` and, in some members,
 * `{callback.name}`.
 */
export type Template = string;

/**
 * The value of a parameter. A parameter is not sent when its template uses an optional value that
 * is not set.
 */
export type ParamValue = Template | number | boolean;

/** The format of a token request: a form, a JSON object, or the URL. */
export type TokenRequestFormat = "form" | "json" | "query";

interface BaseVariable {
  /**
   * A lower-case letter, then letters and digits; unique, and not `callback`. At most 40
   * characters.
   */
  name: string;
  /** The question that is shown when you connect an account. */
  label: string;
  /** More about the question, such as where to find the answer. */
  description?: string | undefined;
  /**
   * The answer may be empty. Only allowed if the variable is used in parameters only.
   * @default false
   */
  optional?: boolean | undefined;
}

/** A complete host name, without scheme and port. */
export interface HostVariable extends BaseVariable {
  /** The answer is a complete host name. */
  kind: "host";
  /** The host must be one of these domains or a subdomain of one. */
  domains?: readonly string[] | undefined;
  /** The answer that is used when the user enters nothing. */
  default?: string | undefined;
}
/** One label of a host name, or a part of it: `acme`, `eu-1`. */
export interface LabelVariable extends BaseVariable {
  /** The answer is one label of a host name, or a part of it. */
  kind: "label";
  /** The complete answer must match it. */
  pattern?: RegExp | undefined;
  /** The answer that is used when the user enters nothing. */
  default?: string | undefined;
}
/** One segment of a path, such as the id of a tenant or an account. */
export interface SegmentVariable extends BaseVariable {
  /** The answer is one segment of a path. */
  kind: "segment";
  /** The complete answer must match it. @default /^[A-Za-z0-9._~-]{1,128}$/ */
  pattern?: RegExp | undefined;
  /** The answer that is used when the user enters nothing. */
  default?: string | undefined;
}
/** Text for parameters and scopes. At most 512 characters. */
export interface TextVariable extends BaseVariable {
  /** The answer is text. */
  kind: "text";
  /** The complete answer must match it. */
  pattern?: RegExp | undefined;
  /** The answer that is used when the user enters nothing. */
  default?: string | undefined;
  /** The answer is not a secret. @default false */
  secret?: false | undefined;
}
/**
 * A secret for `tokenParams` and `refreshParams`. It is not shown while you enter it, stored
 * encrypted, and never printed.
 */
export interface SecretVariable extends BaseVariable {
  /** The answer is text. */
  kind: "text";
  /** The answer is a secret. */
  secret: true;
}
/** One value of a short list, such as a region. */
export interface ChoiceVariable extends BaseVariable {
  /** The answer is one of the `options`. */
  kind: "choice";
  /** The choices. */
  options: readonly {
    /** What `{name}` becomes. */
    value: string;
    /** What the user sees. */
    label: string;
    /**
     * More values of this choice, by name: `{region.apiHost}` is the part `apiHost` of the variable
     * `region`.
     */
    parts?: Readonly<Record<string, string>> | undefined;
  }[];
  /** The `value` of the option that is chosen at first. */
  default?: string | undefined;
}
/** A question that users answer when they connect an account. */
export type ConnectionVariable =
  | HostVariable
  | LabelVariable
  | SegmentVariable
  | TextVariable
  | SecretVariable
  | ChoiceVariable;

/** A parameter of the redirect that is saved with the account. */
export interface CallbackParam {
  /** Its exact name. Parameters of the protocol cannot be saved. */
  name: string;
  /**
   * Name of the placeholder, `{callback.<as>}`. Needed when `name` is not an identifier.
   * @default name
   */
  as?: string | undefined;
  /**
   * What the value must look like: the origin of a URL, a host name, one label of a host name, one
   * segment of a path, or text.
   */
  kind: "origin" | "host" | "label" | "segment" | "text";
  /**
   * The domains that are allowed. Needed for `origin` and `host`, because the value decides where
   * the client secret is sent.
   */
  domains?: readonly string[] | undefined;
  /** The connection fails when it is missing. @default true unless `default` is set */
  required?: boolean | undefined;
  /** The value that is used when the redirect does not have the parameter. */
  default?: string | undefined;
}
