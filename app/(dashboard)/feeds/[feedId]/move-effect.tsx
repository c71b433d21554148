import { cursorInWords } from "@/app/(dashboard)/_lib/describe-cursor";
import type { Feed, Outputs } from "@/app/(dashboard)/_lib/types";
import { Checkbox } from "@/components/field";
import { Link } from "@/components/link";
import { countOf } from "@/components/numbers";

export type MoveRule = Outputs["feeds"]["checkMove"]["rule"];

/** What another address means for the documents and the position, and the one thing to decide about it. */
export function MoveEffect({
  feed,
  rule,
  startsOver,
  onStartsOver,
}: {
  feed: Feed;
  rule: MoveRule;
  startsOver: boolean;
  onStartsOver(startsOver: boolean): void;
}) {
  return (
    <div className="space-y-3 text-sm">
      <p>
        {feed.documentCount === 1
          ? "Its one document stays."
          : `All ${countOf(feed.documentCount, "document")} stay.`}{" "}
        What the new address brings again is recognised, and what it does not bring stays too.
      </p>
      {rule === "restart" && (
        <p>
          The position is the old address’s own and means nothing at another, so the next sync starts from the
          beginning.
        </p>
      )}
      {rule === "choice" && (
        <Checkbox
          checked={startsOver}
          onChange={(event) => onStartsOver(event.target.checked)}
          label="Start from the beginning there"
          hint={`Otherwise it goes on where it stands: ${lowerFirst(cursorInWords(feed.watermark, feed.cursor))}.`}
        />
      )}
      <p className="text-ink-muted">
        Is another publication there? Then{" "}
        <Link href={`/sources/${feed.sourceId}?open=add`}>add it as a feed</Link> of its own and delete this
        one: otherwise both are mixed in one.
      </p>
    </div>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
