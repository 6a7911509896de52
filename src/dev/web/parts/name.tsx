import { Fragment } from "preact";
import { wordsOfName } from "./search.ts";

/** A name or path without spaces, whose lines break between its words: `ListOpen|Tasks`. */
export function Name({ text }: { text: string }) {
  return (
    <>
      {wordsOfName(text).map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
