/** Text that may contain placeholders: `{name}`, `{choice.part}` and, where it is said, `{callback.name}`. */
export type Template = string;

/** A protocol parameter. One whose template uses an optional value that is not set is not sent. */
export type ParamValue = Template | number | boolean;

/** How a token request is written: as a form, as a JSON object, or in the URL. */
export type TokenRequestFormat = "form" | "json" | "query";

interface BaseVariable {
  /** A small letter, then letters and digits; unique, and not `callback`. At most 40 characters. */
  name: string;
  /** The question shown when an account is connected. */
  label: string;
  description?: string | undefined;
  /** May be left empty. Only where every template that uses it is a parameter. @default false */
  optional?: boolean | undefined;
}

/** A whole host name, without scheme and port. */
export interface HostVariable extends BaseVariable {
  kind: "host";
  /** The host must be one of these, or below one. */
  domains?: readonly string[] | undefined;
  default?: string | undefined;
}
/** One label of a host name, or a part of one: `acme`, `eu-1`. */
export interface LabelVariable extends BaseVariable {
  kind: "label";
  /** The whole answer must match. */
  pattern?: RegExp | undefined;
  default?: string | undefined;
}
/** One segment of a path: the id of a tenant or an account. */
export interface SegmentVariable extends BaseVariable {
  kind: "segment";
  /** The whole answer must match. @default /^[A-Za-z0-9._~-]{1,128}$/ */
  pattern?: RegExp | undefined;
  default?: string | undefined;
}
/** Text for parameters and scopes; at most 512 characters. */
export interface TextVariable extends BaseVariable {
  kind: "text";
  /** The whole answer must match. */
  pattern?: RegExp | undefined;
  default?: string | undefined;
  secret?: false | undefined;
}
/** A secret for `tokenParams` and `refreshParams`. It is asked for without showing it, encrypted, and never printed. */
export interface SecretVariable extends BaseVariable {
  kind: "text";
  secret: true;
}
/** One of a short list, such as a region. */
export interface ChoiceVariable extends BaseVariable {
  kind: "choice";
  /** `parts` gives several values for one choice: `{region.apiHost}`. */
  options: readonly { value: string; label: string; parts?: Readonly<Record<string, string>> | undefined }[];
  default?: string | undefined;
}
/** A value that is asked for once per account. */
export type ConnectionVariable = HostVariable | LabelVariable | SegmentVariable | TextVariable | SecretVariable | ChoiceVariable;

/** A parameter of the redirect that is kept with the account. */
export interface CallbackParam {
  /** Its exact name. Parameters of the protocol cannot be kept. */
  name: string;
  /** Name of the placeholder, `{callback.<as>}`. Needed where the name is no identifier. @default name */
  as?: string | undefined;
  kind: "origin" | "host" | "label" | "segment" | "text";
  /** The domains that are allowed; needed for `origin` and `host`, because the value decides where the secret is sent. */
  domains?: readonly string[] | undefined;
  /** The connection fails without it. @default true unless `default` is set */
  required?: boolean | undefined;
  default?: string | undefined;
}
