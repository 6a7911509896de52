import { checkTypeResolution } from "./check-type-resolution.ts";

checkTypeResolution([
  { version: "5.9", module: "CommonJS", moduleResolution: "node" },
  { version: "5.9", module: "ESNext", moduleResolution: "bundler" },
  { version: "5.9", module: "NodeNext", moduleResolution: "NodeNext" },
]);
