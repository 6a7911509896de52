/** A schema as untrusted data: the members that the checks read. */
export interface ResultSchema {
  type?: unknown;
  codaType?: unknown;
  items?: ResultSchema | undefined;
  properties?: Record<string, ResultSchema> | undefined;
  fromKey?: unknown;
  originalKey?: unknown;
  required?: unknown;
  idProperty?: unknown;
  id?: unknown;
  minimum?: unknown;
  maximum?: unknown;
}
