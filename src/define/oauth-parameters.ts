/** Text that may contain placeholders: `{name}`, `{choice.part}` and, in some members, `{callback.name}`. */
export type Template = string;

/** The value of a parameter. A parameter is not sent when its template uses an optional value that is not set. */
export type ParamValue = Template | number | boolean;

/** The format of a token request: a form, a JSON object, or the URL. */
export type TokenRequestFormat = "form" | "json" | "query";

interface BaseVariable {
  /** A lower-case letter, then letters and digits; unique, and not `callback`. At most 40 characters. */
  name: string;
  /** The question that is shown when you connect an account. */
  label: string;
  description?: string | undefined;
  /** The answer may be empty. Only for a variable that is used in parameters only. @default false */
  optional?: boolean | undefined;
}

/** A complete host name, without scheme and port. */
export interface HostVariable extends BaseVariable {
  kind: "host";
  /** The host must be one of these domains or a subdomain of one. */
  domains?: readonly string[] | undefined;
  default?: string | undefined;
}
/** One label of a host name, or a part of it: `acme`, `eu-1`. */
export interface LabelVariable extends BaseVariable {
  kind: "label";
  /** The complete answer must match it. */
  pattern?: RegExp | undefined;
  default?: string | undefined;
}
/** One segment of a path, such as the id of a tenant or an account. */
export interface SegmentVariable extends BaseVariable {
  kind: "segment";
  /** The complete answer must match it. @default /^[A-Za-z0-9._~-]{1,128}$/ */
  pattern?: RegExp | undefined;
  default?: string | undefined;
}
/** Text for parameters and scopes. At most 512 characters. */
export interface TextVariable extends BaseVariable {
  kind: "text";
  /** The complete answer must match it. */
  pattern?: RegExp | undefined;
  default?: string | undefined;
  secret?: false | undefined;
}
/** A secret for `tokenParams` and `refreshParams`. It is not shown while you enter it, stored encrypted, and never printed. */
export interface SecretVariable extends BaseVariable {
  kind: "text";
  secret: true;
}
/** One value of a short list, such as a region. */
export interface ChoiceVariable extends BaseVariable {
  kind: "choice";
  /** `parts` gives several values for one choice: `{region.apiHost}`. */
  options: readonly { value: string; label: string; parts?: Readonly<Record<string, string>> | undefined }[];
  default?: string | undefined;
}
/** A value that each account is asked for once. */
export type ConnectionVariable = HostVariable | LabelVariable | SegmentVariable | TextVariable | SecretVariable | ChoiceVariable;

/** A parameter of the redirect that is saved with the account. */
export interface CallbackParam {
  /** Its exact name. Parameters of the protocol cannot be saved. */
  name: string;
  /** Name of the placeholder, `{callback.<as>}`. Needed when `name` is not an identifier. @default name */
  as?: string | undefined;
  kind: "origin" | "host" | "label" | "segment" | "text";
  /** The domains that are allowed. Needed for `origin` and `host`, because the value decides where the client secret is sent. */
  domains?: readonly string[] | undefined;
  /** The connection fails when it is missing. @default true unless `default` is set */
  required?: boolean | undefined;
  default?: string | undefined;
}
