import { checkTypings } from "./check-typings.ts";

checkTypings(["4.9", "5.9"]);
