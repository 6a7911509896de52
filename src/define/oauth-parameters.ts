/**
 * A text that can contain placeholders: `{name}`, `{choice.part}` and, in some options,
 * `{callback.name}`.
 */
export type Template = string;

/**
 * The value of a parameter. If a template uses an optional value that is not set, the parameter is
 * not sent.
 */
export type ParamValue = Template | number | boolean;

/** The format of a token request: a form, a JSON object, or URL parameters. */
export type TokenRequestFormat = "form" | "json" | "query";

interface BaseVariable {
  /**
   * The name of the variable: a lower-case letter, then letters and digits. It must be unique
   * and cannot be `callback`. At most 40 characters.
   */
  name: string;
  /** The question that users see when they connect an account. */
  label: string;
  /** An explanation of the question, such as where to find the answer. */
  description?: string | undefined;
  /**
   * Allows an empty answer. A variable that is used in a URL cannot be empty.
   * @default false
   */
  optional?: boolean | undefined;
}

/** A complete host name, without a scheme or port. */
export interface HostVariable extends BaseVariable {
  /** The answer is a complete host name. */
  kind: "host";
  /** The allowed domains. The host must be one of these domains or a subdomain of one. */
  domains?: readonly string[] | undefined;
  /** The answer that packsmith uses if the user does not enter anything. */
  default?: string | undefined;
}
/** One label of a host name, or a part of a label, such as `acme` or `eu-1`. */
export interface LabelVariable extends BaseVariable {
  /** The answer is one label of a host name, or a part of a label. */
  kind: "label";
  /** A pattern that the complete answer must match. */
  pattern?: RegExp | undefined;
  /** The answer that packsmith uses if the user does not enter anything. */
  default?: string | undefined;
}
/** One segment of a path, such as the ID of a tenant or an account. */
export interface SegmentVariable extends BaseVariable {
  /** The answer is one segment of a path. */
  kind: "segment";
  /** A pattern that the complete answer must match. @default `/^[A-Za-z0-9._~-]{1,128}$/` */
  pattern?: RegExp | undefined;
  /** The answer that packsmith uses if the user does not enter anything. */
  default?: string | undefined;
}
/** A string for parameters and scopes. At most 512 characters. */
export interface TextVariable extends BaseVariable {
  /** The answer is text. */
  kind: "text";
  /** A pattern that the complete answer must match. */
  pattern?: RegExp | undefined;
  /** The answer that packsmith uses if the user does not enter anything. */
  default?: string | undefined;
  /** The answer is not a secret. @default false */
  secret?: false | undefined;
}
/**
 * A secret for `tokenParams` and `refreshParams`. packsmith encrypts the secret and never shows
 * it.
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
    /** The text that replaces `{name}`. */
    value: string;
    /** The text that users see. */
    label: string;
    /**
     * Additional values of this choice, by name. For example, `{region.apiHost}` is the part
     * `apiHost` of the variable `region`.
     */
    parts?: Readonly<Record<string, string>> | undefined;
  }[];
  /** The `value` of the initial option. */
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

/** A redirect parameter that packsmith stores with the account. */
export interface CallbackParam {
  /** The exact name of the parameter. OAuth protocol parameters cannot be stored. */
  name: string;
  /**
   * The name of the placeholder, `{callback.<as>}`. Required if `name` is not an identifier.
   * @default `name`
   */
  as?: string | undefined;
  /**
   * The kind of value: the origin of a URL, a host name, one label of a host name, one segment of a
   * path, or any text.
   */
  kind: "origin" | "host" | "label" | "segment" | "text";
  /**
   * The allowed domains. Required for `origin` and `host`, because packsmith can send the client
   * secret to this host.
   */
  domains?: readonly string[] | undefined;
  /**
   * Makes the connection fail if the parameter is missing.
   * @default `true` unless `default` is set
   */
  required?: boolean | undefined;
  /** The value if the redirect does not contain the parameter. */
  default?: string | undefined;
}
