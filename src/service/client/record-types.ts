import type { CellValue } from "../contract/models/responses.ts";

/** An amount of a currency column. */
export interface Money {
  amount: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
}

/** A member of a person column. */
export interface Person {
  name: string;
  email: string;
}

/** The value of a link column. */
export interface WebLink {
  name: string;
  url: string;
}

/** An image or a file of a column. */
export interface ImageLink {
  name: string;
  url: string;
}

/** A row of another table, as a lookup column points to it. */
export interface RowLink<Columns extends object = object> {
  /** Text of the row's display column. */
  name: string;
  rowId: string;
  tableId: string;
  url: string;
  /** Only for the compiler, which finds out with it which table the row is in. Never set. */
  readonly columns?: Columns | undefined;
}

/** A button column: it has no value, and `push` runs its action. */
export interface Button {
  readonly is: "button";
}

/** A value of a column whose type is only known at run time. */
export type RecordValue =
  | string
  | number
  | boolean
  | Date
  | Money
  | Person
  | WebLink
  | ImageLink
  | RowLink
  | CellValue
  | readonly RecordValue[];

/** The columns of a table whose types are only known at run time. */
export interface AnyColumns {
  [column: string]: RecordValue;
}

/** The names of columns that have a value. */
type ValueNames<Columns> = {
  [Name in keyof Columns]-?: Button extends Columns[Name]
    ? RecordValue extends Columns[Name]
      ? Name
      : never
    : Name;
}[keyof Columns];

/** The names of button columns. */
type ButtonNames<Columns> = Exclude<keyof Columns, ValueNames<Columns>>;
/** The names of buttons, as far as they are known. */
export type PushableNames<Columns> = [ButtonNames<Columns>] extends [never]
  ? string
  : ButtonNames<Columns> & string;

type Same<One, Other> =
  (<Value>() => Value extends One ? 1 : 2) extends <Value>() => Value extends Other ? 1 : 2
    ? true
    : false;

/** The names of columns that are not calculated. */
export type WritableNames<Columns> = {
  [Name in ValueNames<Columns>]: Same<
    Pick<Columns, Name>,
    { -readonly [Each in Name]: Columns[Each] }
  > extends true
    ? Name
    : never;
}[ValueNames<Columns>];

/** What a row has, by column name. A blank cell is undefined. */
export type RecordValues<Columns> = {
  readonly [Name in ValueNames<Columns>]: Columns[Name] | undefined;
};

/** A value as you write it: a person by the e-mail address, a row by its id or name. */
type Written<Value> = Value extends Money
  ? Money | number
  : Value extends Person
    ? Person | string
    : Value extends RowLink
      ? Pick<Value, "rowId"> | string
      : Value extends WebLink
        ? Pick<Value, "url"> | string
        : Value extends readonly (infer Item)[]
          ? readonly Written<Item>[]
          : Value;

/**
 * What to write to a row, by column name. `null` clears a cell; a column that is absent or undefined
 * is left as it is.
 */
export type RecordEdit<Columns> = {
  readonly [Name in WritableNames<Columns>]?: Written<Columns[Name]> | null | undefined;
};

/** A row with values of the types that its columns have. */
export interface TableRecord<Columns extends object = AnyColumns> {
  id: string;
  /** Text of the display column. */
  name: string;
  index: number;
  browserLink: string;
  createdAt: Date;
  updatedAt: Date;
  values: RecordValues<Columns>;
  /**
   * What the cells hold whose value does not fit their column, by column name: the service keeps a
   * text that is not a date in a date column. They are undefined in `values`.
   */
  misfits: { readonly [column: string]: CellValue };
}
