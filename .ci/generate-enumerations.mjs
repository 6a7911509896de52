// Writes the enumerations of both sets of types from the tables in enumerations.mjs. With --check,
// reports which files are out of date.
//
//   src/define/enumerations.ts         what `packsmith` exports
//   src/define/legacy-enumerations.ts  what only `@codahq/packs-sdk` has, or has with more members
//   src/legacy-types/enumerations.ts   the types of `@codahq/packs-sdk`
import { DIFFERENCES, ENUMERATIONS } from "./enumerations.mjs";
import { writeSource } from "./write-source.mjs";

const NOTE =
  "// Generated from .ci/enumerations.mjs. To change it, edit that file and run: npm run docs\n";
const DEPRECATED = "@deprecated Accepted for compatibility with existing Packs.";
const LINE_WIDTH = 100;

const all = ENUMERATIONS.map((enumeration) => ({
  ...enumeration,
  difference: DIFFERENCES[enumeration.name] ?? {},
}));
const forLegacy = all.map((enumeration) => ({
  ...enumeration,
  text: enumeration.difference.text ?? enumeration.text,
}));
const byName = forLegacy.toSorted((one, other) => (one.name < other.name ? -1 : 1));

write(
  "src/define/enumerations.ts",
  NOTE,
  all.filter(({ difference }) => !difference.isLegacyOnly).map(printObject),
);
write(
  "src/define/legacy-enumerations.ts",
  `${NOTE}//
// What only \`@codahq/packs-sdk\` exports, and the enumerations that existing Packs also read by
// number.
`,
  forLegacy
    .filter(({ difference }) => difference.isLegacyOnly || difference.isReadByNumber)
    .map(printLegacyObject),
);
write(
  "src/legacy-types/enumerations.ts",
  `${NOTE}//
// The enumerations under the name \`@codahq/packs-sdk\`, where they are enumerations of TypeScript: a
// variable that has one member may get another. At run time they are the objects of this package.
`,
  byName.map(printEnum),
);

function write(path, header, parts) {
  writeSource(path, `${header}\n${parts.join("\n")}`);
}

/** An object, a type of all values, and a type of each value. */
function printObject(enumeration) {
  const { name, members } = enumeration;
  return `${comment(enumeration, "")}export const ${name} = {
${members.map((member) => `${comment(member, "  ")}  ${member.name}: ${JSON.stringify(member.value)},\n`).join("")}} as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];
${printNamespace(enumeration)}`;
}

/** Without texts for members: the types of `@codahq/packs-sdk` have them. */
function printLegacyObject(enumeration) {
  const { name, difference } = enumeration;
  const members = enumeration.members.map((member) => ({ name: member.name, value: member.value }));
  if (!difference.isReadByNumber) return printObject({ ...enumeration, members });
  const names = members.map((member) => ({ name: member.value, value: member.name }));
  return `${comment(enumeration, "")}export const ${name} = {
${[...members, ...names].map((member) => `  ${member.name}: ${JSON.stringify(member.value)},\n`).join("")}} as const;
export type ${name} = (typeof ${name})[keyof typeof ${name} & string];
${printNamespace({ ...enumeration, members })}`;
}

function printNamespace({ name, members, difference }) {
  if (difference.hasNamespace === false) return "";
  const types = members.map(
    (member) =>
      `${comment(member, "  ")}  type ${member.name} = ${JSON.stringify(member.value)};\n`,
  );
  return `export declare namespace ${name} {\n${types.join("")}}\n`;
}

function printEnum(enumeration) {
  const members = enumeration.members.map(
    (member) => `${comment(member, "  ")}  ${member.name} = ${JSON.stringify(member.value)},\n`,
  );
  return `${comment(enumeration, "")}export declare enum ${enumeration.name} {\n${members.join("")}}\n`;
}

/** A doc comment on one line, or wrapped. */
function comment({ text, isDeprecated }, indentation) {
  const words = [isDeprecated ? DEPRECATED : undefined, text]
    .filter((part) => part !== undefined)
    .join(" ");
  if (words === "") return "";
  const line = `${indentation}/** ${words} */`;
  if (line.length <= LINE_WIDTH) return `${line}\n`;
  const lines = [`${indentation} *`];
  for (const word of words.split(" ")) {
    if (`${lines.at(-1)} ${word}`.length > LINE_WIDTH) lines.push(`${indentation} *`);
    lines.push(`${lines.pop()} ${word}`);
  }
  return `${indentation}/**\n${lines.join("\n")}\n${indentation} */\n`;
}
