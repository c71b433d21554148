import type { Source } from "@/app/(dashboard)/_lib/types";
import { countOf } from "@/components/numbers";

type LookResult = NonNullable<Source["newFeeds"]["result"]>;

/** What a look for new feeds found: first what it added, then why the rest was not. */
export function lookInWords({ added, known, refused, elsewhere, waiting, unusable }: LookResult): string {
  const left = [
    known > 0 && `${known} ${were(known)} here already`,
    refused > 0 && `${refused} ${were(refused)} left out or deleted before`,
    elsewhere > 0 &&
      `${elsewhere} ${are(elsewhere)} on another site, where this source’s credentials would be sent; add ${elsewhere === 1 ? "it" : "them"} yourself if you trust it`,
    unusable > 0 && `${unusable} cannot be read as ${unusable === 1 ? "a feed" : "feeds"}`,
    waiting > 0 && `${waiting} more ${waiting === 1 ? "waits" : "wait"}, as only a few are added at once`,
  ].filter((part) => part !== false);
  const first = added.length > 0 ? `Added ${countOf(added.length, "feed")}.` : "Nothing new.";
  if (left.length === 0) return added.length > 0 ? first : `${first} No feed was offered.`;
  return `${first} ${left.join("; ")}.`;
}

function were(count: number): string {
  return count === 1 ? "was" : "were";
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}
