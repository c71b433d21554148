import { Fragment } from "react";

/** What stands between a pair of backticks; a lone one is text. */
const CODE = /`([^`]+)`/;

/** A sentence that the server or another program worded, with names of fields and the like set as code. */
export function Sentence({ children: text }: { children: string }) {
  return text.split(CODE).map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same
      <code key={index} className="text-[0.92em]">
        {part}
      </code>
    ),
  );
}

/** The same where there is text alone: titles on hover, names for screen readers. */
export function plainSentence(text: string): string {
  return text.split(CODE).join("");
}
