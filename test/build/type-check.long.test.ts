import { checkWithCompiler } from "./check-with-compiler.ts";

checkWithCompiler("typescript-5.9");
