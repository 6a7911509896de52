import type { CellValue } from "../contract/models/responses.ts";

/** An amount in a currency column. */
export interface Money {
  amount: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
}

/** A person in a person column. */
export interface Person {
  name: string;
  email: string;
}

/** The value of a link column. */
export interface WebLink {
  name: string;
  url: string;
}

/** An image or a file in a column. */
export interface ImageLink {
  name: string;
  url: string;
}

/** A row of another table, from a lookup column. */
export interface RowLink<Columns extends object = object> {
  /** The text in the display column of the row. */
  name: string;
  rowId: string;
  tableId: string;
  url: string;
  /** Never set. From this member, the compiler infers the table of the row. */
  readonly columns?: Columns | undefined;
}

/** A button column. A button has no value, and `push` runs the action of the button. */
export interface Button {
  readonly is: "button";
}

/** A value of a column without a type that the compiler knows. */
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

/** The columns of a table without types that the compiler knows. */
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

/** The values of a row, by column name. The value of a blank cell is undefined. */
export type RecordValues<Columns> = {
  readonly [Name in ValueNames<Columns>]: Columns[Name] | undefined;
};

/** A value as you write it: a person by the email address, a row by its id or name. */
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
 * The values to write to a row, by column name. `null` clears a cell. A missing or undefined value
 * does not change the cell.
 */
export type RecordEdit<Columns> = {
  readonly [Name in WritableNames<Columns>]?: Written<Columns[Name]> | null | undefined;
};

/** A row with values in the types of the columns. */
export interface TableRecord<Columns extends object = AnyColumns> {
  id: string;
  /** The text in the display column. */
  name: string;
  index: number;
  browserLink: string;
  createdAt: Date;
  updatedAt: Date;
  values: RecordValues<Columns>;
  /**
   * The values that do not match the type of the column, by column name. For example, a date column
   * can contain a text that is not a date. In `values`, these cells are undefined.
   */
  misfits: { readonly [column: string]: CellValue };
}
