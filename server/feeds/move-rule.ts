import { maskUrl } from "@/sdk/mask-url";
import type { EnsureFeedInput } from "./schema";

/**
 * What a new address means for a feed's position. `kept`: there is nothing to decide. `choice`: a date
 * holds at any address of the same publication, but what is older there may never have been read.
 * `restart`: ids and tokens are the old address's own; at another one they would leave a hole.
 */
export type MoveRule = "kept" | "choice" | "restart";

export function moveRule(
  feed: { externalKey: string; watermark: EnsureFeedInput["watermark"]; cursor: string | null },
  externalKey: string,
): MoveRule {
  if (feed.cursor === null || isSameBesideSecrets(feed.externalKey, externalKey)) return "kept";
  switch (feed.watermark) {
    case "date":
      return "choice";
    case "idSet":
    case "token":
      return "restart";
    default:
      return "kept";
  }
}

/** Another password or key for the same place. Stored keys end in a hash of their secrets. */
function isSameBesideSecrets(stored: string, wanted: string): boolean {
  const masked = maskUrl(wanted);
  return masked !== wanted && stored.replace(/#.*$/s, "") === masked.replace(/#.*$/s, "");
}
