import { wordsOfName } from "./search.ts";

/** The name of a formula or table, which may break between its words: `ListOpen|Tasks`. */
export function Name({ text }: { text: string }) {
  return (
    <>
      {wordsOfName(text).map((word, index) => (
        <>
          {index > 0 && <wbr />}
          {word}
        </>
      ))}
    </>
  );
}
