import { expectTypeOf } from "vitest";
import type {
  Button,
  DocClient,
  Money,
  Person,
  RecordEdit,
  RecordValues,
  RowLink,
  TableClient,
} from "../../../../src/service.ts";

interface Projects {
  Name: string;
}

interface Tasks {
  Title: string;
  Status: "Open" | "Done";
  Due: Date;
  Done: boolean;
  Assignee: Person;
  Budget: Money;
  Tags: ("a" | "b")[];
  Project: RowLink<Projects>;
  readonly Age: number;
  Close: Button;
}

declare const doc: DocClient;
const { records } = doc.table<Tasks>("Tasks");
expectTypeOf(doc.table("Tasks")).toEqualTypeOf<TableClient>();

// Reading: a value of the column's type, or nothing.
type Values = RecordValues<Tasks>;
expectTypeOf<Values["Due"]>().toEqualTypeOf<Date | undefined>();
expectTypeOf<Values["Budget"]>().toEqualTypeOf<Money | undefined>();
expectTypeOf<Values["Status"]>().toEqualTypeOf<"Open" | "Done" | undefined>();
expectTypeOf<Values["Age"]>().toEqualTypeOf<number | undefined>();
// @ts-expect-error a button has no value
expectTypeOf<Values["Close"]>();

// Writing: what is calculated is no part of it.
type Edit = RecordEdit<Tasks>;
expectTypeOf<Edit["Due"]>().toEqualTypeOf<Date | null | undefined>();
expectTypeOf<Edit["Budget"]>().toEqualTypeOf<Money | number | null | undefined>();
expectTypeOf<Edit["Assignee"]>().toEqualTypeOf<Person | string | null | undefined>();
expectTypeOf<Edit["Tags"]>().toEqualTypeOf<readonly ("a" | "b")[] | null | undefined>();
void records.insert({ rows: [{ Title: "x", Due: new Date(), Status: "Open" }] });
// @ts-expect-error a misspelt column
void records.insert({ rows: [{ Titel: "x" }] });
// @ts-expect-error a text is not a date
void records.insert({ rows: [{ Due: "2026-01-01" }] });
// @ts-expect-error not an option
void records.insert({ rows: [{ Status: "Closed" }] });
// @ts-expect-error calculated
void records.insert({ rows: [{ Age: 1 }] });
// @ts-expect-error a button
void records.insert({ rows: [{ Close: "x" }] });
// @ts-expect-error a misspelt key
void records.upsert({ key: ["Titel"], rows: [] });
void records.upsert({ key: ["Title"], rows: [] });
void records.list({ where: { Status: "Done" } });
// @ts-expect-error not an option
void records.list({ where: { Status: "Closed" } });
void records.push("i-1", "Close");
// @ts-expect-error not a button
void records.push("i-1", "Title");

async function follow() {
  const { values } = await records.get("i-1");
  if (values.Project === undefined) return;
  expectTypeOf(values.Project).toEqualTypeOf<RowLink<Projects>>();
  await doc.table<Projects>("Projects").records.get(values.Project);
  // @ts-expect-error the row is in another table
  await doc.table<Tasks>("Tasks").records.get(values.Project);
}
void follow;

// Without types, every column has values of any type.
void doc.table("Tasks").records.insert({ rows: [{ Anything: new Date(), Other: 1 }] });
