import { checkTypeResolution } from "./check-type-resolution.ts";

checkTypeResolution([
  { version: "7", module: "ESNext", moduleResolution: "bundler" },
  { version: "7", module: "NodeNext", moduleResolution: "NodeNext" },
]);
